"""The laboratory: corpora, training, tuning and evaluation."""
