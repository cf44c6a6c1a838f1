"""What picks the ragged or the sparse meaning of a public function."""
