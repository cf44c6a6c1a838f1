"""From program to program; `order.py` is the list."""
