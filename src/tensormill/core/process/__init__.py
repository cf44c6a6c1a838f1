"""Of the process: its threads and signals, what it says, the switches of other libraries."""
