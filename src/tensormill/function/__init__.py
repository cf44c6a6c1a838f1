"""`tf.function`: Python functions that are traced once and then run as compiled graphs."""
