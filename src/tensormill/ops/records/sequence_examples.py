"""`tf.io.parse_sequence_example` and `tf.io.parse_single_sequence_example`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...core import dtypes
from ..bind import bind
from ..control.flow import ensure_shape
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from .composite_features import with_composites
from .examples import as_scalar, as_serialized, split, texts
from .feature_requests import FeatureRequest, ragged_of, sparse_of
from .features import FixedLenFeature, FixedLenSequenceFeature, RaggedFeature, VarLenFeature
from .parse_sequence_example import ParseSequenceExampleV2

_OF_CONTEXT: Final = (VarLenFeature, FixedLenFeature, RaggedFeature)
_OF_STEPS: Final = (VarLenFeature, FixedLenSequenceFeature, RaggedFeature)


@dispatchable
def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    """The features of serialized `tf.train.SequenceExample`s: dicts of tensors of their contexts,
    of their sequences, and of how many steps the dense sequences have.

    >>> example = tf.train.SequenceExample()
    >>> for values in [1, 2], [3, 4]:
    ...     step = example.feature_lists.feature_list["x"].feature.add()
    ...     step.int64_list.value.extend(values)
    >>> wanted = {"x": tf.io.FixedLenSequenceFeature([2], tf.int64)}
    >>> batch = [example.SerializeToString()]
    >>> _, steps, lengths = tf.io.parse_sequence_example(batch, None, wanted)
    >>> steps["x"].numpy(), lengths["x"].numpy()
    (array([[[1, 2],
            [3, 4]]]), array([2]))

    Args:
        serialized: a string vector; of a scalar, the results lack the axis of examples.
        context_features: a dict; what a key's feature of the context is made of: `FixedLenFeature`,
            `VarLenFeature` or `RaggedFeature`.
        sequence_features: a dict; what a key's list of features is made of.
            `FixedLenSequenceFeature` gives a dense tensor, [examples, steps, *shape], filled up
            with 0 or ""; `VarLenFeature` a sparse one, [examples, steps, values]; `RaggedFeature` a
            ragged one of that rank, or of a higher one with partitions.
        example_names: a string vector, of what errors call the examples.

    Raises:
        ValueError: there are no features, or they contradict each other.
        InvalidArgumentError: a string is no such example; a feature of it has another dtype or
            other sizes, or is missing and may not be.
    """
    if not (context_features or sequence_features):
        raise ValueError(
            "Both `context_features` and `sequence_features` are None or empty, but at least one "
            "should have values."
        )
    of_context, of_steps = context_features or {}, sequence_features or {}
    return _parsed(serialized, of_context, of_steps, example_names, name)


@dispatchable
def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The features of one serialized `tf.train.SequenceExample`: dicts of tensors of its context,
    and of its sequences.

    serialized: a string scalar. context_features, sequence_features: as in
    `tf.io.parse_sequence_example`, of whose results these lack the first axis. example_name: a
    string scalar, of what errors call the example.

    >>> example = tf.train.SequenceExample()
    >>> step = example.feature_lists.feature_list["x"].feature.add()
    >>> step.float_list.value.extend([0.5, 1.5])
    >>> wanted = {"x": tf.io.FixedLenSequenceFeature([2], tf.float32)}
    >>> _, steps = tf.io.parse_single_sequence_example(
    ...     example.SerializeToString(), sequence_features=wanted
    ... )
    >>> steps["x"].numpy()
    array([[0.5, 1.5]], dtype=float32)

    Raises:
        ValueError: there are no features, or they contradict each other; `serialized` is no scalar.
        InvalidArgumentError: the string is no such example; a feature of it has another dtype or
            other sizes, or is missing and may not be.
    """
    context, steps, _ = parse_sequence_example(
        as_scalar(serialized), context_features, sequence_features, example_name, name
    )
    return context, steps


def _parsed(
    serialized: Any,
    of_context: Mapping[Any, Any],
    of_steps: Mapping[Any, Any],
    names: Any,
    name: str | None,
) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    serialized = as_serialized(serialized)
    if serialized.shape.rank is None:  # of one example there would be other results
        serialized = ensure_shape(serialized, (None,), name="BatchOfSequenceExamples")
    context, steps = FeatureRequest(of_context, _OF_CONTEXT), FeatureRequest(of_steps, _OF_STEPS)
    _require_no_defaults(steps)
    outputs = _bound(serialized, names, context, steps, of_steps, name)
    parts = split(outputs, [*_counts(context), *_counts(steps, has_lengths=True)])
    is_batch = serialized.shape.rank != 0
    ragged = ragged_of(parts[4], parts[5]) if is_batch else parts[4]
    found = [*sparse_of(*parts[:3], outer=serialized.shape), *parts[3], *ragged]
    outer = [parts[12]] if is_batch else []
    rows = [
        *sparse_of(*parts[6:9], outer=serialized.shape),
        *parts[9],
        *ragged_of(parts[11], *outer, parts[13]),
    ]
    return (
        with_composites(of_context, dict(zip(context.names(), found, strict=True))),
        with_composites(of_steps, dict(zip(steps.names(), rows, strict=True))),
        dict(zip(steps.dense, parts[10], strict=True)),
    )


def _bound(
    serialized: Any, names: Any, context: FeatureRequest, steps: FeatureRequest,
    of_steps: Mapping[Any, Any], name: str | None,
) -> Any:  # fmt: skip
    """The results of the operation, in a row."""
    keys = [
        texts(list(one))
        for one in (context.sparse, context.dense, context.ragged,
                    steps.sparse, steps.dense, steps.ragged)
    ]  # fmt: skip
    empty = as_tensor([of_steps[key].allow_missing for key in steps.dense], dtypes.bool_)
    (context_types, context_splits), (types, splits) = map(_ragged_types, (context, steps))
    return bind(
        ParseSequenceExampleV2,
        serialized, texts([] if names is None else names), *keys, empty, context.defaults(),
        Ncontext_sparse=len(context.sparse), context_sparse_types=tuple(context.sparse.values()),
        context_ragged_value_types=context_types, context_ragged_split_types=context_splits,
        context_dense_shapes=tuple(context.shapes.values()),
        Nfeature_list_sparse=len(steps.sparse), Nfeature_list_dense=len(steps.dense),
        feature_list_dense_types=tuple(steps.dense.values()),
        feature_list_sparse_types=tuple(steps.sparse.values()),
        feature_list_ragged_value_types=types, feature_list_ragged_split_types=splits,
        feature_list_dense_shapes=tuple(steps.shapes.values()), name=name or "ParseSequenceExample",
    )  # fmt: skip


def _ragged_types(request: FeatureRequest) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    pairs = request.ragged.values()
    return tuple(dtype for dtype, _ in pairs), tuple(splits for _, splits in pairs)


def _counts(request: FeatureRequest, has_lengths: bool = False) -> list[int]:
    """How many tensors there are of indices, values, shapes, dense ones, and of ragged ones."""
    sparse, dense, ragged = len(request.sparse), len(request.dense), len(request.ragged)
    if has_lengths:
        return [sparse, sparse, sparse, dense, dense, ragged, ragged, ragged]
    return [sparse, sparse, sparse, dense, ragged, ragged]


def _require_no_defaults(steps: FeatureRequest) -> None:
    for key, default in steps.given.items():
        if default is not None:
            raise ValueError(
                f"feature {key}: sequences are filled up with 0 or '', so default_value must be "
                f"None, not {default!r}"
            )
