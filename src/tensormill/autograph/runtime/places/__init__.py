"""What a program can reach and change: variables, containers, attributes, items."""
