"""Level 2: loops over buffers. `ir.py` says what they are, `passes/` changes them."""
