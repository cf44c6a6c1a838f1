"""Graph to graph: what is decided before loops exist."""
