"""What a call says: parameters, arguments, and whether they fit."""
