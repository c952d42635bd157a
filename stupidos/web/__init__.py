"""The default model for HTML, with its trainer."""
