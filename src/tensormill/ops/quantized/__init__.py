"""Integers that stand for floats by a range beside them: made, changed and read."""
