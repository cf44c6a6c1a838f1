"""What reads, makes and hands on elements."""
