"""Files of pictures: read, written, and the operations that do so."""
