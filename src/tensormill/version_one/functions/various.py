"""What TensorFlow 1 calls otherwise, of several topics: conversions, tuples, columns, AutoGraph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...autograph import api as autograph
from ...control import grouping
from ...core import dtypes
from ...core.tree import Composite
from ...eager.convert import convert_to_tensor
from ...feature_columns import categories
from ...ops.bind import bind
from ...ops.older.arrays import FactorialFact
from ...testing import comparisons


def tuple(
    tensors: Sequence[Any], name: str | None = None, control_inputs: Sequence[Any] | None = None
) -> list[Any]:
    """The tensors as a list, available once all of them and `control_inputs` are (`tf.tuple`).

    >>> [int(one) for one in tf.compat.v1.tuple([tf.constant(1), tf.constant(2)])]
    [1, 2]

    Raises:
        ValueError: there is no tensor.
        TypeError: a control input is neither a tensor nor an operation.
    """
    return grouping.tuple(tensors, control_inputs, name)


def convert_to_tensor_or_indexed_slices(
    value: Any, dtype: Any = None, name: str | None = None
) -> Any:
    """`value` as a tensor, unless it is IndexedSlices already.

    The tensor has the shape of `value`, and its dtype unless another one is given.

    >>> tf.compat.v1.convert_to_tensor_or_indexed_slices([1, 2]).numpy()
    array([1, 2], dtype=int32)

    Raises:
        ValueError: the slices have another dtype.
    """
    return _converted(value, dtype, name, ValueError)


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: Any = None, name: str | None = None
) -> Any:
    """`value` as a tensor, unless it is a sparse one already.

    The tensor has the shape of `value`, and its dtype unless another one is given.

    >>> sparse = tf.sparse.from_dense([0, 1])
    >>> tf.compat.v1.convert_to_tensor_or_sparse_tensor(sparse) is sparse
    True

    Raises:
        RuntimeError: the sparse tensor has another dtype.
    """
    return _converted(value, dtype, name, RuntimeError)


def _converted(value: Any, dtype: Any, name: str | None, error: type[Exception]) -> Any:
    if not isinstance(value, Composite):
        return convert_to_tensor(value, dtype, name=name)
    if dtype is not None and value.dtype is not dtypes.as_dtype(dtype):  # type: ignore[attr-defined]
        raise error(f"{value!r} has another dtype than {dtypes.as_dtype(dtype).name}")
    return value


def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Any:
    """`x` as bfloat16.

    >>> tf.compat.v1.to_bfloat16([1.5]).dtype
    tf.bfloat16

    Raises:
        UnimplementedError: `x` are strings.
    """
    from ...ops.math.cast import cast

    return cast(x, dtypes.bfloat16, name=name)


def to_complex64(x: Any, name: str = "ToComplex64") -> Any:
    """`x` as complex64.

    x: numbers or bools of any shape, which the result has.

    >>> tf.compat.v1.to_complex64([1.5]).numpy()
    array([1.5+0.j], dtype=complex64)

    Raises:
        UnimplementedError: `x` are strings.
    """
    from ...ops.math.cast import cast

    return cast(x, dtypes.complex64, name=name)


def to_complex128(x: Any, name: str = "ToComplex128") -> Any:
    """`x` as complex128.

    x: numbers or bools of any shape, which the result has.

    >>> tf.compat.v1.to_complex128([1.5]).numpy()
    array([1.5+0.j])

    Raises:
        UnimplementedError: `x` are strings.
    """
    from ...ops.math.cast import cast

    return cast(x, dtypes.complex128, name=name)


def categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: str,
    vocabulary_size: int | None = None,
    num_oov_buckets: int = 0,
    default_value: int | None = None,
    dtype: Any = dtypes.string,
) -> Any:
    r"""Categories by the line of a file that they stand in
    (`tf.feature_column.categorical_column_with_vocabulary_file`).

    >>> tf.io.write_file("colours.txt", "red\nblue")
    >>> column = tf.compat.v1.feature_column.categorical_column_with_vocabulary_file
    >>> column("c", "colours.txt", None, 3).num_buckets
    5

    Raises:
        ValueError: there is no such file, the size is not positive, or both of `default_value` and
            `num_oov_buckets` are given.
    """
    return categories.categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )


def assert_equal_graph_def(
    actual: Any,
    expected: Any,
    checkpoint_v2: bool = False,
    hash_table_shared_name: bool = False,
) -> None:
    """Check that two GraphDefs say the same (`tf.test.assert_equal_graph_def`).

    >>> graph = tf.Graph().as_graph_def()
    >>> tf.compat.v1.test.assert_equal_graph_def(graph, graph)

    Raises:
        TypeError: one is no GraphDef.
        AssertionError: they differ.
        NotImplementedError: names of checkpoints or tables are to be left out.
    """
    if checkpoint_v2 or hash_table_shared_name:
        raise NotImplementedError(
            "assert_equal_graph_def compares all of both: pass neither checkpoint_v2 nor "
            "hash_table_shared_name"
        )
    comparisons.assert_equal_graph_def(expected, actual)


def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Callable[..., Any]:
    """The converted form of a function, as a function (`tf.autograph.to_graph`).

    `arg_values` and `arg_types` are taken, and not needed.

    >>> tf.compat.v1.autograph.to_graph(lambda x: x + 1)(2)
    3

    Raises:
        ConversionError: `entity` has no code, or its source cannot be read or converted.
    """
    return autograph.to_graph(entity, recursive, experimental_optional_features)


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """The converted form of a function, as text (`tf.autograph.to_code`).

    `arg_values`, `arg_types` and `indentation` are taken, and not needed.

    >>> def absolute(x):
    ...     return -x if x < 0 else x
    >>> "absolute" in tf.compat.v1.autograph.to_code(absolute)
    True

    Raises:
        ConversionError: `entity` has no code, or its source cannot be read or converted.
    """
    return autograph.to_code(entity, recursive, experimental_optional_features)


def my_fact() -> Any:
    """What TensorFlow's example of a user's operation says.

    >>> tf.compat.v1.user_ops.my_fact().numpy()
    b'0! == 1'
    """
    return bind(FactorialFact)
