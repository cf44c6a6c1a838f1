"""Text becomes machine code in memory, and is kept on disk."""
