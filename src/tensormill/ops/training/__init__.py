"""Steps of optimizers: operations that change variables and what is remembered beside them."""
