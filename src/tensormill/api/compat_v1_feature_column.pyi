# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.feature_column`: columns, and the layer that they make."""

from ..feature_columns.numbers import bucketized_column as bucketized_column
from ..feature_columns.categories import categorical_column_with_hash_bucket as categorical_column_with_hash_bucket
from ..feature_columns.categories import categorical_column_with_identity as categorical_column_with_identity
from ..version_one.functions.feature_columns import categorical_column_with_vocabulary_file as categorical_column_with_vocabulary_file
from ..feature_columns.categories import categorical_column_with_vocabulary_list as categorical_column_with_vocabulary_list
from ..feature_columns.categories import crossed_column as crossed_column
from ..feature_columns.dense import embedding_column as embedding_column
from ..feature_columns.dense import indicator_column as indicator_column
from ..version_one.columns.input_layer import input_layer as input_layer
from ..version_one.columns.linear_columns import linear_model as linear_model
from ..feature_columns.column import make_parse_example_spec as make_parse_example_spec
from ..feature_columns.numbers import numeric_column as numeric_column
from ..feature_columns.dense import sequence_categorical_column_with_hash_bucket as sequence_categorical_column_with_hash_bucket
from ..feature_columns.dense import sequence_categorical_column_with_identity as sequence_categorical_column_with_identity
from ..feature_columns.dense import sequence_categorical_column_with_vocabulary_file as sequence_categorical_column_with_vocabulary_file
from ..feature_columns.dense import sequence_categorical_column_with_vocabulary_list as sequence_categorical_column_with_vocabulary_list
from ..feature_columns.numbers import sequence_numeric_column as sequence_numeric_column
from ..feature_columns.dense import shared_embeddings as shared_embedding_columns
from ..feature_columns.dense import shared_embeddings as shared_embeddings
from ..feature_columns.categories import weighted_categorical_column as weighted_categorical_column

__all__ = ['bucketized_column', 'categorical_column_with_hash_bucket', 'categorical_column_with_identity', 'categorical_column_with_vocabulary_file', 'categorical_column_with_vocabulary_list', 'crossed_column', 'embedding_column', 'indicator_column', 'input_layer', 'linear_model', 'make_parse_example_spec', 'numeric_column', 'sequence_categorical_column_with_hash_bucket', 'sequence_categorical_column_with_identity', 'sequence_categorical_column_with_vocabulary_file', 'sequence_categorical_column_with_vocabulary_list', 'sequence_numeric_column', 'shared_embedding_columns', 'shared_embeddings', 'weighted_categorical_column']
