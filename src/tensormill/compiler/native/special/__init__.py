"""Special functions of arrays: SciPy's loops, and those that are quicker here."""
