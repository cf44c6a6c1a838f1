"""What Python processes find that a script starts: on their search path, outside of the library."""
