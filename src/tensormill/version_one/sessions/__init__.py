"""Sessions that make variables ready, call hooks and write checkpoints by themselves."""
