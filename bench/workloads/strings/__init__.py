"""Strings in compiled functions."""
