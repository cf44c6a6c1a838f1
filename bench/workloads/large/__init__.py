"""Work that fills the processor: what counts is how near it comes to what is possible."""
