"""`tf.io.parse_example` and `tf.io.parse_single_example`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...core import dtypes
from ..bind import bind
from ..control.flow import ensure_shape
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from .composite_features import with_composites
from .feature_requests import FeatureRequest, ragged_of, sparse_of, with_rows
from .features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)
from .parse_example import ParseExampleV2

_KINDS: Final = (
    VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature, RaggedFeature,
)  # fmt: skip


@dispatchable
def parse_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[Any, Any]:
    """The features of serialized `tf.train.Example`s: a dict of tensors.

    >>> feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[2, 3]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": feature}))
    >>> wanted = {"age": tf.io.FixedLenFeature([2], tf.int64)}
    >>> tf.io.parse_example([example.SerializeToString()] * 2, wanted)["age"].numpy()
    array([[2, 3],
           [2, 3]])

    Args:
        serialized: a string vector; of a scalar, the results lack the axis of examples.
        features: a dict; what a key's feature is made of. `FixedLenFeature` and
            `FixedLenSequenceFeature` give dense tensors, [examples, *shape]; `VarLenFeature` and
            `SparseFeature` sparse ones; `RaggedFeature` ragged ones.
        example_names: a string vector, of what errors call the examples.

    Raises:
        ValueError: there are no features, or they contradict each other.
        InvalidArgumentError: a string is no example; a feature of it has another dtype or other
            sizes, or is missing and has no default.
    """
    if not features:
        raise ValueError(f"Argument `features` cannot be None or falsy. Got {features}")
    wanted = with_rows(features)
    return with_composites(wanted, _parsed(serialized, wanted, example_names, name))


@dispatchable
def parse_single_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[Any, Any]:
    """The features of one serialized `tf.train.Example`: a dict of tensors.

    serialized: a string scalar. features: as in `tf.io.parse_example`, of whose results these lack
    the first axis. example_names: a string scalar, of what errors call the example. Many examples
    are parsed faster at once, by `tf.io.parse_example` after `Dataset.batch`.

    >>> feature = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"x": feature}))
    >>> wanted = {"x": tf.io.FixedLenFeature([], tf.float32)}
    >>> tf.io.parse_single_example(example.SerializeToString(), wanted)["x"].numpy()
    np.float32(0.5)

    Raises:
        ValueError: there are no features, or they contradict each other; `serialized` is no scalar.
        InvalidArgumentError: the string is no example; a feature of it has another dtype or other
            sizes, or is missing and has no default.
    """
    if not features:
        raise ValueError(f"Argument `features` cannot be None or falsy. Got {features}")
    return parse_example(as_scalar(serialized), features, example_names, name)


def as_serialized(serialized: Any) -> Any:
    """Serialized messages as a string tensor.

    Raises:
        ValueError: they are no strings.
    """
    tensor = as_tensor(serialized, None, dtypes.string)
    if tensor.dtype is not dtypes.string:
        raise ValueError(
            "Tensor conversion requested dtype string: `serialized` are serialized messages; got "
            f"{tensor.dtype.name}"
        )
    return tensor


def as_scalar(serialized: Any) -> Any:
    """A string scalar; where only a run knows, a check that it is one.

    Raises:
        ValueError: it has axes.
    """
    tensor = as_serialized(serialized)
    if tensor.shape.rank not in (None, 0):
        raise ValueError(f"Input serialized must be a scalar, not of shape {tensor.shape}")
    return ensure_shape(tensor, ()) if tensor.shape.rank is None else tensor


def _parsed(
    serialized: Any, features: Mapping[Any, Any], names: Any, name: str | None
) -> dict[Any, Any]:
    """What the operation gives, by its keys."""
    request = FeatureRequest(features, _KINDS)
    ragged_types = tuple(dtype for dtype, _ in request.ragged.values())
    split_types = tuple(splits for _, splits in request.ragged.values())
    serialized = as_serialized(serialized)
    keys = [texts(list(one)) for one in (request.sparse, request.dense, request.ragged)]
    outputs = bind(
        ParseExampleV2,
        serialized, texts([] if names is None else names), *keys, request.defaults(),
        num_sparse=len(request.sparse), sparse_types=tuple(request.sparse.values()),
        ragged_value_types=ragged_types, ragged_split_types=split_types,
        dense_shapes=tuple(request.shapes.values()), name=name or "ParseExample",
    )  # fmt: skip
    sparse, dense, ragged = len(request.sparse), len(request.dense), len(request.ragged)
    parts = split(outputs, [sparse, sparse, sparse, dense, ragged, ragged])
    values = ragged_of(parts[4], parts[5]) if serialized.shape.rank != 0 else parts[4]
    found = [*sparse_of(*parts[:3], outer=serialized.shape), *parts[3], *values]
    return dict(zip(request.names(), found, strict=True))


def texts(keys: Any) -> Any:
    return as_tensor(keys, dtypes.string)


def split(outputs: Any, counts: list[int]) -> list[tuple[Any, ...]]:
    """Parts of a sequence, of so many items each."""
    rest, parts = list(outputs), list[tuple[Any, ...]]()
    for count in counts:
        parts.append(tuple(rest[:count]))
        del rest[:count]
    return parts
