"""Strings as spans of bytes: what compiled functions have instead of Python's objects."""
