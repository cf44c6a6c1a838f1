"""Numbers that Python counts, and loops carry: their dtypes, and what they are to Python."""
