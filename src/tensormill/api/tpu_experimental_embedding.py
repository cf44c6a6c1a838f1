"""`tf.tpu.experimental.embedding`: embeddings that TPUs trained, for CPUs."""

from __future__ import annotations

from collections.abc import Mapping

from .lazy import namespace

TABLE = {
    "distribution.tpu.embeddings": (
        "TPUEmbedding TPUEmbeddingForServing TPUEmbeddingV0 TPUEmbeddingV2"
    ),
    "distribution.tpu.optimizers": "Adagrad AdagradMomentum Adam CustomOptimizer FTRL SGD",
    "distribution.tpu.serving": "serving_embedding_lookup",
    "distribution.tpu.tables": (
        "FeatureConfig QuantizationConfig RowIdInitializer SparseCoreEmbeddingConfig TableConfig"
    ),
}

GONE: Mapping[str, str] = {
    "CustomCombiner": (
        ": TPUs alone run it; use tf.tpu.experimental.embedding.TPUEmbeddingForServing"
    ),
}

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, "tf.tpu.experimental.embedding", gone=GONE
)
