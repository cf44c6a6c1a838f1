"""`tf.summary`: numbers, histograms, texts and images for TensorBoard."""
