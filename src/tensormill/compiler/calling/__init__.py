"""How Python calls a compiled program."""
