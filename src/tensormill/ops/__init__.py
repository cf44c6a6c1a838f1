"""What operations exist; each is described in one place, beside the function that users call."""
