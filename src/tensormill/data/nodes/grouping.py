"""Groups of similar elements, and elements of several datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from ...core import dtypes
from ...core.specs import TensorSpec
from ...ops.array.concatenation import concat
from ...ops.checks.assertions import assert_less
from ...ops.conversion import as_tensor
from ...ops.math.cast import cast
from ...ops.math.comparison import greater_equal, less, logical_and
from ...ops.math.scan import argmax
from .. import padding, structure
from ..functions import ElementFunction
from ..reductions import of_state
from ..seeds import Seeds, pair_for
from . import mapping, selection

KEY = TensorSpec((), dtypes.int64)
BEYOND: Final = (
    "pad_to_bucket_boundary: an element is not shorter than the last of `bucket_boundaries`; give "
    "a larger one"
)


# What makes a node, and what describes the node's elements.
Recipe: TypeAlias = tuple[Callable[..., Any], Any]


def group_by_window(
    window: Any,
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any,
    window_size_func: Callable[..., Any] | None,
) -> tuple[Recipe, list[Any]]:
    """`Dataset.group_by_window` of elements that are like those of datasets that `window`
    describes: how to make the node, and what the functions captured.

    Raises:
        ValueError: not exactly one of the sizes is given, or the key is no scalar int64.
        TypeError: `reduce_func` does not return a dataset.
    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError(
            "Either the `window_size` argument or the `window_size_func` argument must be "
            "specified, and not both."
        )
    what = "Dataset.group_by_window"
    key = ElementFunction(key_func, what, window.element_spec, gives_scalar=True)
    if key.output_spec != KEY:
        raise ValueError(
            f"Invalid `key_func`: keys are int64 scalars (tf.cast), not {key.output_spec}"
        )
    reducer = ElementFunction(reduce_func, what, KEY, window)
    if not isinstance(reducer.output_spec, type(window)):
        raise TypeError(f"`reduce_func` must return a `Dataset`, not {reducer.output_spec!r}.")
    sized = window_size_func or (lambda _: as_tensor(window_size, dtypes.int64))
    size = ElementFunction(lambda one: cast(sized(one), dtypes.int64), what, KEY)
    chosen = (key, reducer, size)
    captured = [tensor for one in chosen for tensor in one.captured]
    kind = partial(mapping.GroupNode, functions=chosen)
    return (kind, reducer.output_spec.element_spec), captured


class Reducer:
    """For `group_by_reducer`: how a state begins, takes in elements, and what is made of it.

    init_func: of a key, an int64 scalar, the first state; reduce_func: of a state and an element,
    the next one; finalize_func: of the last one, what comes out.

    >>> total = tf.data.experimental.Reducer(
    ...     init_func=lambda key: np.int64(0), reduce_func=lambda total, n: total + n,
    ...     finalize_func=lambda total: total)
    >>> by_parity = tf.data.experimental.group_by_reducer(lambda n: n % 2, total)
    >>> [int(n) for n in tf.data.Dataset.range(5).apply(by_parity)]
    [6, 4]
    """

    def __init__(
        self,
        init_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:
        self._functions = init_func, reduce_func, finalize_func

    @property
    def init_func(self) -> Callable[..., Any]:
        """What makes the first state of a key."""
        return self._functions[0]

    @property
    def reduce_func(self) -> Callable[..., Any]:
        """What makes the next state of a state and an element."""
        return self._functions[1]

    @property
    def finalize_func(self) -> Callable[..., Any]:
        """What makes an element of the last state."""
        return self._functions[2]


def group_by_reducer(spec: Any, key_func: Any, reducer: Reducer) -> tuple[Recipe, list[Any]]:
    """How to make the node of `group_by_reducer`, and what the functions captured.

    Raises:
        ValueError: the key is no scalar int64.
        TypeError: the next state is built otherwise than the first.
    """
    what = "group_by_reducer"
    key = ElementFunction(key_func, what, spec, gives_scalar=True)
    if key.output_spec != KEY:
        raise ValueError(
            f"Invalid `key_func`: keys are int64 scalars (tf.cast), not {key.output_spec}"
        )
    init = ElementFunction(reducer.init_func, what, KEY)
    reduce, state = of_state(reducer.reduce_func, what, spec, init.output_spec, lambda one: one)
    finalize = ElementFunction(reducer.finalize_func, what, state)
    chosen = (key, init, reduce, finalize)
    captured = [tensor for one in chosen for tensor in one.captured]
    kind = partial(mapping.ReducedGroupsNode, functions=chosen)
    return (kind, finalize.output_spec), captured


def bucket_by_sequence_length(
    dataset: Any,
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Any:
    """`Dataset.bucket_by_sequence_length`.

    Raises:
        ValueError: there is not one batch size more than boundaries.
        TypeError: the boundaries are no ints.
    """
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(
            "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but is "
            f"{len(bucket_batch_sizes)} with {len(bucket_boundaries)} boundaries"
        )
    sizes = np.asarray(bucket_batch_sizes, np.int64)
    bounds = np.asarray(bucket_boundaries)
    if bounds.size and bounds.dtype.kind not in "iu":
        raise TypeError(f"`bucket_boundaries` must be ints, got {bucket_boundaries}")
    bounds = bounds.astype(np.int32)

    def bucket_of(*element: Any) -> Any:
        """The first bucket between whose boundaries the length is, in whichever order these are."""
        length = cast(element_length_func(*element), dtypes.int32)
        is_above = concat([[True], greater_equal(length, bounds)], 0)
        is_below = concat([less(length, bounds), [True]], 0)
        return argmax(cast(logical_and(is_above, is_below), dtypes.int32))

    def batch(key: Any, window: Any) -> Any:
        size = as_tensor(sizes)[key]
        if no_padding:
            return window.batch(size, drop_remainder=drop_remainder)
        batches = window.padded_batch(size, padded_shapes, padding_values, drop_remainder)
        if not pad_to_bucket_boundary:
            return batches
        assert_less(key, np.int64(len(bounds)), message=BEYOND)
        longest = as_tensor(bounds)[key] - 1
        spec = dataset.element_spec
        return batches.map(padding.filler(spec, padded_shapes, padding_values, longest))

    return dataset.group_by_window(bucket_of, batch, None, lambda key: as_tensor(sizes)[key])


def choose(datasets: Sequence[Any], choices: Any, stop: bool) -> Recipe:
    """`Dataset.choose_from_datasets`.

    Raises:
        ValueError: there are no datasets.
        TypeError: the choices are no scalar int64s, or the datasets' elements differ.
    """
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    if choices.element_spec != KEY:
        raise TypeError(
            "Invalid `choice_dataset`: its elements are int64 scalars, the numbers of datasets, "
            f"not {choices.element_spec}"
        )
    spec = datasets[0].element_spec
    for other in datasets[1:]:
        spec = structure.relaxed(spec, other.element_spec)
    kind = partial(selection.ChosenNode, stop=stop)
    return kind, spec


def sample(
    datasets: Sequence[Any], weights: Any, seed: Any, stop: bool, fresh: Any
) -> tuple[Recipe, list[Any]]:
    """`Dataset.sample_from_datasets`, and the dataset of weights, where it is one.

    Raises:
        ValueError: there are no datasets, or not as many weights.
    """
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    spec = datasets[0].element_spec
    for other in datasets[1:]:
        spec = structure.relaxed(spec, other.element_spec)
    seeds = Seeds(pair_for(seed), fresh=bool(fresh))
    if isinstance(weights, type(datasets[0])) or hasattr(weights, "element_spec"):
        kind = partial(selection.VaryinglySampledNode, seeds=seeds, stop=stop)
        return (kind, spec), [weights]
    shares = np.ones(len(datasets)) if weights is None else np.asarray(weights, np.float64)
    if shares.shape != (len(datasets),):
        raise ValueError(
            f"Invalid `weights`. The shape of `weights` should be ({len(datasets)},) but is "
            f"{shares.shape}."
        )
    kind = partial(selection.SampledNode, shares=shares, seeds=seeds, stop=stop)
    return (kind, spec), []
