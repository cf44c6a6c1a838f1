"""What datasets are when they run: one file for each kind of transformation."""
