# Written by `make stubs` from the table beside it.

"""`tf.tpu.experimental.embedding`: embeddings that TPUs trained, for CPUs."""

from ..distribution.tpu.optimizers import Adagrad as Adagrad
from ..distribution.tpu.optimizers import AdagradMomentum as AdagradMomentum
from ..distribution.tpu.optimizers import Adam as Adam
from ..distribution.tpu.optimizers import CustomOptimizer as CustomOptimizer
from ..distribution.tpu.optimizers import FTRL as FTRL
from ..distribution.tpu.tables import FeatureConfig as FeatureConfig
from ..distribution.tpu.tables import QuantizationConfig as QuantizationConfig
from ..distribution.tpu.tables import RowIdInitializer as RowIdInitializer
from ..distribution.tpu.optimizers import SGD as SGD
from ..distribution.tpu.tables import SparseCoreEmbeddingConfig as SparseCoreEmbeddingConfig
from ..distribution.tpu.embeddings import TPUEmbedding as TPUEmbedding
from ..distribution.tpu.embeddings import TPUEmbeddingForServing as TPUEmbeddingForServing
from ..distribution.tpu.embeddings import TPUEmbeddingV0 as TPUEmbeddingV0
from ..distribution.tpu.embeddings import TPUEmbeddingV2 as TPUEmbeddingV2
from ..distribution.tpu.tables import TableConfig as TableConfig
from ..distribution.tpu.serving import serving_embedding_lookup as serving_embedding_lookup

__all__ = ['Adagrad', 'AdagradMomentum', 'Adam', 'CustomOptimizer', 'FTRL', 'FeatureConfig', 'QuantizationConfig', 'RowIdInitializer', 'SGD', 'SparseCoreEmbeddingConfig', 'TPUEmbedding', 'TPUEmbeddingForServing', 'TPUEmbeddingV0', 'TPUEmbeddingV2', 'TableConfig', 'serving_embedding_lookup']
