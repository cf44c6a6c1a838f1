"""The derivatives of graphs: of what is called, chosen and repeated."""
