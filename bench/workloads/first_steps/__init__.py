"""The first train step of a Keras model in a new process; making the model is not counted."""
