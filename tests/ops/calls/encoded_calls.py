"""Ragged tensors and other composites that are one value each, for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

VALUES = np.array([1.0, 2, 3, 4, 5], np.float32)
MATRIX = np.array([[1.0, 2], [3, 4]], np.float32)
TWO = [[0, 2, 3], [0, 2, 2, 5]]
RAGGED, SPARSE = b"\n\x02\x08\x03", b"\n\x02\x08\x02"  # specs of such kinds


def encoded(tf: Any, splits: Any, values: Any, batched: bool) -> Any:
    several = [tf.constant(one, tf.int64) for one in splits]
    return tf.raw_ops.RaggedTensorToVariant(
        rt_nested_splits=several, rt_dense_values=values, batched_input=batched
    )


def again(
    splits: Any, batched: bool, inner: int, outer: int, dtype: str = "float32", kind: str = "int64"
) -> Callable[..., Any]:
    """A ragged tensor that was one value, or one for each row."""

    def call(tf: Any, values: Any) -> Any:
        found = tf.raw_ops.RaggedTensorFromVariant(
            encoded_ragged=encoded(tf, splits, values, batched), input_ragged_rank=inner,
            output_ragged_rank=outer, Tvalues=tf.as_dtype(dtype), Tsplits=tf.as_dtype(kind),
        )  # fmt: skip
        return [*found.output_nested_splits, found.output_dense_values]

    return call


def derived(*told: Any) -> Callable[..., Any]:
    return gradient(lambda tf, x: again(*told)(tf, x)[-1] ** 2)


def gradient_of_rows(tf: Any, values: Any) -> Any:
    return tf.raw_ops.RaggedTensorToVariantGradient(
        encoded_ragged_grad=encoded(tf, [[0, 2, 2, 5]], values, True),
        row_splits=tf.constant([0, 2, 2, 5], tf.int64), dense_values_shape=[5, 1],
        Tvalues=tf.float32,
    )  # fmt: skip


def components(
    made: bytes = b"", taken: bytes = b"", dtypes: tuple[str, ...] = ("float32", "int32")
) -> Callable[..., Any]:
    """The components of a value of a number and an integer."""

    def call(tf: Any, x: Any) -> Any:
        raw = tf.raw_ops
        one = raw.CompositeTensorVariantFromComponents(components=[x, 3], metadata=made)
        kinds = [tf.as_dtype(dtype) for dtype in dtypes]
        return list(
            raw.CompositeTensorVariantToComponents(encoded=one, metadata=taken, Tcomponents=kinds)
        )

    return call


BY_NAME: dict[str, Call] = {
    "rows": (again([[0, 2, 2, 5]], True, 0, 1), [VALUES]),
    "rows, of so many axes as there are": (again([[0, 2, 2, 5]], True, -1, 1), [VALUES]),
    "rows, with other splits": (
        again([[0, 2, 2, 5]], True, 0, 1, "float32", "int32"), [VALUES],
    ),
    "rows of rows, with other splits": (
        again(TWO, True, 1, 2, "float32", "int32"), [VALUES],
    ),
    "the whole, with other splits": (
        again([[0, 2, 2, 5]], False, 1, 1, "float32", "int32"), [VALUES],
    ),
    "rows of rows": (again(TWO, True, 1, 2), [VALUES]),
    "the whole of rows": (again([[0, 2, 2, 5]], False, 1, 1), [VALUES]),
    "the whole of rows of rows": (again(TWO, False, -1, 2), [VALUES]),
    "a tensor": (again([], False, 0, 0), [MATRIX]),
    "rows of a tensor": (again([], True, 0, 1), [MATRIX]),
    "no rows": (again([[0]], True, 0, 1), [VALUES[:0]]),
    "strings": (again([[0, 1, 2]], True, 0, 1, "string"), [np.array([b"a", b"b"], object)]),
    **{
        f"splits that begin with {first}, end with {last}": (
            again([[first, 3, last]], True, 0, 1), [VALUES],
        )
        for first, last in ((1, 5), (0, 4), (0, 2), (0, 9))
    },
    "no splits": (again([[]], True, 0, 1), [VALUES]),
    "a number's rows": (again([], True, 0, 1), [np.float32(1)]),
    "another sum of axes": (again([[0, 5]], True, 1, 1), [VALUES]),
    "another dtype": (again([[0, 5]], True, 0, 1, "int32"), [VALUES]),
    **{
        f"derived, {title}": (derived(*told), [MATRIX])
        for title, told in {
            "rows": ([[0, 1, 2]], True, 0, 1),
            "rows of a tensor": ([], True, 0, 1),
            "rows of rows": ([[0, 1], [0, 2]], True, 1, 2),
            "rows of so many": ([[0, 2], [0, 1, 2]], True, -1, 2),
            "the whole": ([[0, 1], [0, 2]], False, 2, 2),
            "a tensor": ([], False, 0, 0),
        }.items()
    },
    "gradient of rows": (gradient_of_rows, [VALUES]),
    "components": (components(), [MATRIX]),
    "components of a kind": (components(RAGGED, RAGGED), [MATRIX]),
    "components of another kind": (components(RAGGED, SPARSE), [MATRIX]),
    "components, too few": (components(dtypes=("float32",)), [MATRIX]),
    "components of another dtype": (components(dtypes=("float32", "int64")), [MATRIX]),
    "components, derived": (
        gradient(lambda tf, x: components()(tf, x)[0] ** 2), [MATRIX],
    ),
    "components of no message": (components(b"xyz"), [MATRIX]),
}  # fmt: skip
CALLS = {f"encoded: {name}": call for name, call in BY_NAME.items()}
COMPILED = [f"encoded: {name}" for name in ("rows of rows", "derived, rows", "components, derived")]
