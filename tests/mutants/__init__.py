"""Changes of one line of the library that some test ought to notice."""
