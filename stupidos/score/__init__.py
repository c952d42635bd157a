"""Scorers: one number a segment, the natural log-odds of clean over dirty."""
