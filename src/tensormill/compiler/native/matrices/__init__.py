"""What LAPACK does not do, or does for a few numbers dearly (native/lapack.py)."""
