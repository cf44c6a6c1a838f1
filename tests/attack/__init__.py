"""Attacks: what other people's files, signals, threads and operands do to the library.

Each module has `attack(count, seed)`: it tries `count` things that `seed` decides and returns a
line for everything it found, with what shows it again. `python -m tests.attack` runs them all.
"""
