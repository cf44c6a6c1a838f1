"""A graph runs: its programs one after the other, and on the CPU what none of them can do."""
