"""Operations in older or rarer forms, which files and `tf.raw_ops` have."""
