"""Strings of bytes: cut, joined, decoded, printed, read from files."""
