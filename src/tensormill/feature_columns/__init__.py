"""`tf.feature_column`: what the features of examples become before a model gets them."""
