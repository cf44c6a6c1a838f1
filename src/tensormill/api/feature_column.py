"""`tf.feature_column`: what features become before a model gets them."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "feature_columns.categories": (
        "categorical_column_with_hash_bucket categorical_column_with_identity "
        "categorical_column_with_vocabulary_file categorical_column_with_vocabulary_list "
        "crossed_column weighted_categorical_column"
    ),
    "feature_columns.column": "make_parse_example_spec",
    "feature_columns.dense": (
        "embedding_column indicator_column sequence_categorical_column_with_hash_bucket "
        "sequence_categorical_column_with_identity "
        "sequence_categorical_column_with_vocabulary_file "
        "sequence_categorical_column_with_vocabulary_list shared_embeddings"
    ),
    "feature_columns.numbers": "bucketized_column numeric_column sequence_numeric_column",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
