"""What programs call while they run: lists, products, convolutions, threads, Ctrl-C.

How Python calls a program is calling/.
"""
