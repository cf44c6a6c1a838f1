"""One trace for each kind of call: its key, how it is made, how long it is kept."""
