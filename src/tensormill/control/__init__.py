"""Control flow by functions: branches, loops, maps and TensorArrays, eager and traced."""
