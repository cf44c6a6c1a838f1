"""What a function tells its user of its traces."""
