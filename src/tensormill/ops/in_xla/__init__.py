"""What rules of several topics share in XLA's words; they receive the language that they speak."""
