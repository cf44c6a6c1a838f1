"""What all other folders speak of: dtypes, shapes, specs, structures, who interprets."""
