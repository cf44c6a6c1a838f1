"""Checks that a program makes of itself."""
