"""`tf.compat.v1.feature_column`: columns, and the layer that they make."""

from __future__ import annotations

from . import feature_column
from .lazy import joined, namespace

TABLE = joined(
    feature_column,
    {
        "feature_columns.dense": "shared_embedding_columns=shared_embeddings",
        "version_one.functions.feature_columns": "categorical_column_with_vocabulary_file",
        "version_one.columns.input_layer": "input_layer",
        "version_one.columns.linear_columns": "linear_model",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.feature_column")
