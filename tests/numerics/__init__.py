"""How exact results are: measures the functions beside mpmath, and writes docs/numerics.md.

`make numerics` measures all of it, in a quarter of an hour, `NAMES='exp totals'` a function or a
kind; `python -m tests.numerics` makes the page again from what `measured.json` holds.
"""
