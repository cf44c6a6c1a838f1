"""`tf.tpu`: what describes TPUs and their embeddings, as values; and embeddings served by CPUs."""
