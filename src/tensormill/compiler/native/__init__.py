"""What programs call while they run: lists, products, convolutions, threads, Ctrl-C."""
