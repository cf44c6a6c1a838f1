"""`tf.train.Checkpoint`: the values of a program's objects in files, and back."""
