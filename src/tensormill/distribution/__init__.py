"""`tf.distribute`: strategies, each of which runs one replica on the one device that there is."""
