"""What is in records: serialized examples, tensors and messages, comma-separated values."""
