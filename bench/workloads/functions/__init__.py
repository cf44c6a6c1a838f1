"""Functions of many numbers."""
