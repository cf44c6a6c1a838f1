"""Which tables of embeddings there are, and which feature takes its rows from which."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import TensorShape
from ...module.initializers import Initializer
from ...ops.array.fill import ones
from ...ops.array.fill import range as numbers
from ...ops.array.shapes import expand_dims
from ...ops.math.cast import cast
from ...ops.random.uniform_and_normal import truncated_normal

COMBINERS: Final = ("mean", "sum", "sqrtn")


@dataclass(frozen=True, eq=False)
class QuantizationConfig:
    """Rows were rounded to one of `num_buckets` numbers between `lower` and `upper` on TPUs.

    >>> tf.tpu.experimental.embedding.QuantizationConfig(num_buckets=16, lower=0.0, upper=1.0)
    QuantizationConfig(num_buckets=16, lower=0.0, upper=1.0)

    Raises:
        ValueError: there are fewer than two numbers.
    """

    num_buckets: int
    lower: float
    upper: float

    def __post_init__(self) -> None:
        if self.num_buckets < 2:
            raise ValueError(f"num_buckets must be at least 2, got {self.num_buckets}")


@dataclass(frozen=True)
class SparseCoreEmbeddingConfig:
    """How tables would lie in the memory of TPUs with SparseCores.

    >>> config = tf.tpu.experimental.embedding.SparseCoreEmbeddingConfig(allow_id_dropping=True)
    >>> config.max_ids_per_chip_per_sample
    64
    """

    disable_table_stacking: bool = False
    max_ids_per_chip_per_sample: int = 64
    max_ids_per_table: dict[str, int] | None = None
    max_unique_ids_per_table: dict[str, int] | None = None
    allow_id_dropping: bool = False
    initialize_tables_on_host: bool = True
    enable_fast_table_initialization: bool = False


class RowIdInitializer:
    """Fills each row of a table with its number, counted from `offset`.

    >>> tf.tpu.experimental.embedding.RowIdInitializer(2)([2, 3], tf.float32).numpy()
    array([[2., 2., 2.],
           [3., 3., 3.]], dtype=float32)
    """

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset

    def __call__(self, shape: Any, dtype: Any) -> Any:
        """A table of this shape."""
        rows = numbers(self.offset, self.offset + shape[0], dtype=dtypes.int32)
        return expand_dims(cast(rows, dtype), 1) * ones(shape, dtype)


class TruncatedNormalRows(Initializer):
    """Normal numbers below two deviations, which are 1 / √`dim`: rows have a length of about 1."""

    def __init__(self, dim: int) -> None:
        self.stddev = 1.0 / math.sqrt(dim)

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        return truncated_normal(shape, stddev=self.stddev, dtype=dtype)

    def get_config(self) -> dict[str, Any]:
        """The deviation."""
        return {"stddev": self.stddev}


class TableConfig:
    """A table of `vocabulary_size` embeddings, rows of `dim` numbers.

    initializer: called with the shape and the dtype of the table. optimizer: one of
    `tf.tpu.experimental.embedding`; tables without one get that of the layer. combiner: what
    several rows of an example become, "mean", "sum" or "sqrtn".

    >>> table = tf.tpu.experimental.embedding.TableConfig(vocabulary_size=8, dim=4, name="words")
    >>> table.combiner
    'mean'

    Raises:
        ValueError: a size is no positive int; the initializer is not callable; there is no such
            combiner; the dtype is neither float32 nor int32.
    """

    def __init__(
        self,
        vocabulary_size: int,
        dim: int,
        initializer: Callable[..., Any] | None = None,
        optimizer: Any = None,
        combiner: Any = "mean",
        name: str | None = None,
        quantization_config: QuantizationConfig | None = None,
        layout: Any = None,
        dtype: DType = dtypes.float32,
    ) -> None:
        _require_size("vocabulary_size", vocabulary_size, 1)
        _require_size("dim", dim, 1)
        if initializer is not None and not callable(initializer):
            raise ValueError(f"`initializer` must be a callable (or None). Received: {initializer}")
        if isinstance(combiner, str) and combiner not in COMBINERS:
            raise ValueError(f"`combiner` must be one of {COMBINERS}. Received: {combiner}")
        if as_dtype(dtype) not in (dtypes.float32, dtypes.int32):
            raise ValueError(f"`dtype` must be either float32 or int32. Received: {dtype!r}")
        self.vocabulary_size = vocabulary_size
        self.dim = dim
        self.initializer = TruncatedNormalRows(dim) if initializer is None else initializer
        self.optimizer = optimizer
        self.combiner = combiner
        self.name = name
        self.quantization_config = quantization_config
        self.layout = layout
        self.dtype = dtype

    def __repr__(self) -> str:
        initializer = (
            None if isinstance(self.initializer, TruncatedNormalRows) else self.initializer
        )
        return (
            f"TableConfig(vocabulary_size={self.vocabulary_size!r}, dim={self.dim!r}, "
            f"initializer={initializer!r}, optimizer={self.optimizer!r}, "
            f"combiner={self.combiner!r}, name={self.name!r}, "
            f"quantization_config={self.quantization_config!r})"
        )


class FeatureConfig:
    """A feature whose ids are rows of `table`.

    max_sequence_length: if it is above 0, the rows of an example are not combined; there are so
    many of them, with zeros at the end. output_shape: sizes before that of the rows, for TPUs.

    >>> table = tf.tpu.experimental.embedding.TableConfig(vocabulary_size=8, dim=4)
    >>> tf.tpu.experimental.embedding.FeatureConfig(table, max_sequence_length=3).table.dim
    4

    Raises:
        ValueError: `table` is none; `max_sequence_length` is no int from 0.
    """

    def __init__(
        self,
        table: TableConfig,
        max_sequence_length: int = 0,
        validate_weights_and_indices: bool = True,
        output_shape: Any = None,
        name: str | None = None,
    ) -> None:
        if not isinstance(table, TableConfig):
            raise ValueError(
                f"`table` must be a `tf.tpu.experimental.embedding.TableConfig`, not {type(table)}."
            )
        _require_size("max_sequence_length", max_sequence_length, 0)
        self.table = table
        self.max_sequence_length = max_sequence_length
        self.name = name
        self.output_shape = TensorShape(output_shape)
        self.validate_weights_and_indices = validate_weights_and_indices

    def __repr__(self) -> str:
        return (
            f"FeatureConfig(table={self.table!r}, max_sequence_length={self.max_sequence_length!r},"
            f" validate_weights_and_indices={self.validate_weights_and_indices!r}, "
            f"output_shape={self.output_shape!r}, name={self.name!r})"
        )


def _require_size(name: str, size: Any, least: int) -> None:
    if not isinstance(size, int) or size < least:
        raise ValueError(f"Argument `{name}` must be an int and must be >= {least}. Got: {size!r}")
