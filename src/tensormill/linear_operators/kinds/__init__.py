"""A file for each kind of operator: what it does more shortly than by its whole matrix."""
