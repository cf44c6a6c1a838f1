"""`tf.data.Dataset`: a sequence of elements, described; iterating runs the description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from ..autograph.runtime.staged.iteration import register
from ..control import encodings
from ..core import context, dtypes, tree, type_spec_names
from ..core.process.tracebacks import shallow
from ..core.shapes import as_shape
from ..core.specs import ObjectSpec, TensorSpec
from ..core.tensorflow_names import at_home_in
from ..core.type_spec import TypeSpec
from ..ops.conversion import as_tensor
from . import operations, padding, structure
from .composite_batches import CompositeBatches
from .file_methods import FileMethods
from .nodes import batching, buffering, grouping, selection, shuffling, sources
from .nodes.node import Node, made_by
from .nodes.sharding import ShardNode
from .options import Options
from .seeds import Seeds, pair_for
from .staged_loops import stream_over
from .structure import as_int64, path_of
from .user_functions import UserFunctions

AUTOTUNE: Final = -1


@type_spec_names.register("tf.DatasetSpec")
class DatasetSpec(TypeSpec):
    """Describes a dataset of elements that `element_spec` describes."""

    __slots__ = {
        "_dataset_shape": None,
        "element_spec": "What describes an element of the datasets.",
    }  # with what `help` says of them

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec
        self._dataset_shape = as_shape(dataset_shape)

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes."""
        return DatasetV2

    @classmethod
    def from_value(cls, value: Any) -> DatasetSpec:
        """What describes a dataset."""
        return cls(value.element_spec)

    def _to_legacy_output_types(self) -> Any:
        return self

    _to_legacy_output_shapes = _to_legacy_output_classes = _to_legacy_output_types

    def _unbatch(self) -> Any:
        raise ValueError(f"Slicing dataset elements is not supported: {self!r} has no rows")

    @property
    def _component_specs(self) -> ObjectSpec:
        return ObjectSpec("dataset", structure.flat_specs(self.element_spec), is_value=True)

    def _to_components(self, value: Any) -> Any:
        return value.handle

    def _from_components(self, components: Any) -> DatasetV2:
        return DatasetV2(components, self.element_spec, "_VariantDataset")

    def _serialize(self) -> tuple[Any, ...]:
        return (self.element_spec, self._dataset_shape)

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self._dataset_shape!r})"


@at_home_in("tensorflow.python.data.ops.dataset_ops")
class DatasetV2(CompositeBatches, UserFunctions, FileMethods):
    """A sequence of elements, each a structure of tensors.

    Made by `from_tensor_slices` and the like, changed by methods that give new datasets, used in
    `for` loops, by `iter`, `reduce` and `as_numpy_iterator`. In functions it may be an argument, a
    capture or a result.

    >>> squares = tf.data.Dataset.range(5).map(lambda n: n * n).batch(2)
    >>> [batch.numpy().tolist() for batch in squares]
    [[0, 1], [4, 9], [16]]
    """

    is_called_by_label = True

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self._element_spec)

    # ---- making datasets
    def _then(
        self,
        label: str,
        kind: Callable[..., Node],
        spec: Any,
        *tensors: Any,
        others: Sequence[DatasetV2] = (),
        **facts: Any,
    ) -> DatasetV2:
        return new_dataset(label, kind, spec, [self, *others], tensors, **facts)

    # ---- sources
    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> DatasetV2:
        """One element: `tensors`.

        >>> [x.numpy().tolist() for x in tf.data.Dataset.from_tensors([1, 2])]
        [[1, 2]]
        """
        element = structure.normalized(tensors)
        spec = structure.spec_of(element)
        parts = structure.components_of(element, spec)
        return new_dataset("_TensorDataset", sources.TensorsNode, spec, (), parts)

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> DatasetV2:
        """The slices of tensors along their first axis, each slice an element.

        >>> slices = tf.data.Dataset.from_tensor_slices({'x': [1, 2], 'y': ['a', 'b']})
        >>> [(int(one['x']), one['y'].numpy()) for one in slices]
        [(1, b'a'), (2, b'b')]

        Raises:
            ValueError: a tensor is a scalar, or first sizes differ.
        """
        element = structure.normalized(tensors)
        whole = structure.spec_of(element)
        if encodings.are_encoded(whole):
            return encodings.sliced_dataset(element, whole, DatasetV2.from_tensor_slices)
        if not structure.are_dense(whole):
            return DatasetV2.from_tensors(element)._rows("_TensorSliceDataset")
        spec = sources.sliced_spec(whole)
        parts = structure.components_of(element, whole)
        return new_dataset("_TensorSliceDataset", sources.SlicesNode, spec, (), parts)

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> DatasetV2:
        """What a Python generator yields, in each pass anew.

        Args:
            generator: a callable that returns an iterable.
            output_types: a structure of dtypes (the older way to say what is yielded).
            output_shapes: a structure of shapes beside it.
            args: tensors that `generator` is called with, as NumPy arrays.
            output_signature: a structure of specs.

        >>> numbers = lambda: iter([1, 2, 3])
        >>> spec = tf.TensorSpec([], tf.int32)
        >>> [int(n) for n in tf.data.Dataset.from_generator(numbers, output_signature=spec)]
        [1, 2, 3]

        Raises:
            TypeError: `generator` is not callable, or nothing says what it yields.
            InvalidArgumentError (in the pass): an item does not fit the signature.
        """
        spec, start, convert = sources.generator_parts(
            generator, output_types, output_shapes, output_signature
        )
        tensors = [as_tensor(one) for one in args or ()]
        kind = partial(sources.GeneratorNode, start=start, convert=convert)
        return new_dataset("_FlatMapDataset", kind, spec, (), tensors)

    @staticmethod
    def range(*args: Any, output_type: Any = dtypes.int64, name: str | None = None) -> DatasetV2:
        """`range(stop)`, `range(start, stop)` or `range(start, stop, step)` of int64s.

        >>> [int(n) for n in tf.data.Dataset.range(1, 8, 3)]
        [1, 4, 7]

        Raises:
            ValueError: no bound, or more than three.
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"`len(args)` must be 1, 2, or 3 but got {len(args)}")
        start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
        bounds = [as_tensor(one, dtypes.int64) for one in (start, stop, step)]
        spec = TensorSpec((), dtypes.as_dtype(output_type))
        return new_dataset("_RangeDataset", sources.RangeNode, spec, (), bounds)

    @staticmethod
    def counter(
        start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64, name: str | None = None
    ) -> DatasetV2:
        """`start, start + step, …`, without end, as scalars of dtype `dtype`.

        >>> [int(n) for n in tf.data.experimental.Counter(5, step=-2).take(3)]
        [5, 3, 1]

        Raises:
            TypeError: there is no such dtype, or a number cannot be of it.
        """
        spec = TensorSpec((), dtypes.as_dtype(dtype))
        bounds = [as_tensor(one, dtypes.int64) for one in (start, step)]
        return new_dataset("_ScanDataset", sources.CounterNode, spec, (), bounds)

    @staticmethod
    def random(
        seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
    ) -> DatasetV2:
        """Random integers below 2**32, without end.

        >>> [int(n) < 2**32 for n in tf.data.Dataset.random(seed=1).take(2)]
        [True, True]
        """
        seeds = Seeds(pair_for(seed), bool(rerandomize_each_iteration))
        kind = partial(sources.RandomNode, seeds=seeds)
        return new_dataset("_RandomDataset", kind, TensorSpec((), dtypes.int64), (), ())

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> DatasetV2:
        """Elements side by side: `zip(a, b)`, or `zip(structure_of_datasets)`.

        >>> both = tf.data.Dataset.zip(tf.data.Dataset.range(2), tf.data.Dataset.range(5, 7))
        >>> [(int(a), int(b)) for a, b in both]
        [(0, 5), (1, 6)]

        Raises:
            TypeError: an argument is no structure of datasets.
        """
        given = args[0] if len(args) == 1 else (args or datasets)
        leaves = tree.flatten(given)
        if isinstance(given, list) or {isinstance(one, DatasetV2) for one in leaves} != {True}:
            hint = "; use a tuple instead of a list" if isinstance(given, list) else ""
            raise TypeError(
                f"Invalid input to `zip`: datasets, or tuples and dicts of them, are zipped, not "
                f"{given}{hint}"
            )
        spec = tree.map_structure(lambda one: one.element_spec, given)
        return new_dataset("_ZipDataset", selection.ZipNode, spec, leaves, ())

    # ---- which elements
    def take(self, count: Any, name: str | None = None) -> DatasetV2:
        """The first `count` elements; all for -1.

        >>> [int(n) for n in tf.data.Dataset.range(9).take(2)]
        [0, 1]
        """
        return self._then("_TakeDataset", selection.TakeNode, self.element_spec, as_int64(count))

    def skip(self, count: Any, name: str | None = None) -> DatasetV2:
        """All but the first `count` elements; none for -1.

        >>> [int(n) for n in tf.data.Dataset.range(4).skip(2)]
        [2, 3]
        """
        return self._then("_SkipDataset", selection.SkipNode, self.element_spec, as_int64(count))

    def repeat(self, count: Any = None, name: str | None = None) -> DatasetV2:
        """The elements `count` times; without end for None and -1.

        >>> [int(n) for n in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        times = as_int64(-1 if count is None else count)
        return self._then("_RepeatDataset", selection.RepeatNode, self.element_spec, times)

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> DatasetV2:
        """Every `num_shards`-th element, from number `index` on.

        >>> [int(n) for n in tf.data.Dataset.range(5).shard(num_shards=2, index=0)]
        [0, 2, 4]

        Raises:
            InvalidArgumentError: `index` is not in `range(num_shards)`.
        """
        operands = as_int64(num_shards), as_int64(index)
        return self._then("_ShardDataset", ShardNode, self.element_spec, *operands)

    def concatenate(self, dataset: DatasetV2, name: str | None = None) -> DatasetV2:
        """These elements, then those of `dataset`.

        >>> [int(n) for n in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(7, 8))]
        [0, 1, 7]

        Raises:
            TypeError: they are built differently, or have other dtypes.
        """
        spec = structure.relaxed(self.element_spec, dataset.element_spec)
        kind = selection.ConcatenateNode
        return self._then("_ConcatenateDataset", kind, spec, others=[dataset])

    def enumerate(self, start: Any = 0, name: str | None = None) -> DatasetV2:
        """Pairs of a number, from `start` on, and an element.

        >>> [(int(k), int(n)) for k, n in tf.data.Dataset.range(5, 7).enumerate()]
        [(0, 5), (1, 6)]
        """
        spec = (TensorSpec((), dtypes.int64), self.element_spec)
        return self._then("_ZipDataset", selection.EnumerateNode, spec, as_int64(start))

    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> DatasetV2:
        """The elements in a random order, each drawn from the next `buffer_size`.

        With a seed (or a global one) orders are reproducible; each pass has its own unless
        `reshuffle_each_iteration` is False.

        >>> sorted(int(n) for n in tf.data.Dataset.range(3).shuffle(3, seed=1))
        [0, 1, 2]

        Raises:
            InvalidArgumentError: `buffer_size` is not positive.
        """
        fresh = reshuffle_each_iteration is not False
        kind = partial(shuffling.ShuffleNode, pair=pair_for(seed), fresh=fresh)
        return self._then("_ShuffleDataset", kind, self.element_spec, as_int64(buffer_size))

    def unique(self, name: str | None = None) -> DatasetV2:
        """Each distinct element once: tensors of int32, int64 or strings.

        >>> [int(n) for n in tf.data.Dataset.from_tensor_slices([1, 2, 1]).unique()]
        [1, 2]

        Raises:
            TypeError: elements are of another dtype, or hold no tensors.
            InvalidArgumentError: they have several components, or are ragged or sparse.
        """
        structure.require_comparable(self.element_spec)
        return self._then("_UniqueDataset", selection.UniqueNode, self.element_spec)

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> DatasetV2:
        """The elements that can be computed.

        >>> halves = tf.data.Dataset.from_tensor_slices([1, 0, 2]).map(lambda n: 4 // n)
        >>> [int(n) for n in halves.ignore_errors()]
        [4, 2]
        """
        kind = partial(selection.IgnoreErrorsNode, log=log_warning)
        return self._then("_IgnoreErrorsDataset", kind, self.element_spec)

    # ---- what runs ahead, what is kept, what is asked for
    def prefetch(self, buffer_size: Any, name: str | None = None) -> DatasetV2:
        """The elements, of which a thread computes up to `buffer_size` ahead; None: AUTOTUNE.

        >>> [int(n) for n in tf.data.Dataset.range(2).prefetch(tf.data.AUTOTUNE)]
        [0, 1]
        """
        kind, size = (
            buffering.PrefetchNode,
            as_int64(-1 if buffer_size is None else buffer_size),
        )
        return self._then("_PrefetchDataset", kind, self.element_spec, size)

    def cache(self, filename: Any = "", name: str | None = None) -> DatasetV2:
        """The elements, computed in the first whole pass and kept: in memory, or in a file.

        filename: a path, or a string scalar; empty: in memory.

        >>> [int(n) for n in tf.data.Dataset.range(2).cache()]
        [0, 1]
        """
        path = path_of(filename)
        kind: Any = buffering.CacheNode
        if path:
            from .files import FileCacheNode

            kind = partial(FileCacheNode, path=path)
        return self._then("CacheDataset", kind, self.element_spec)

    def with_options(self, options: Options, name: str | None = None) -> DatasetV2:
        """The same elements, with options.

        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
        False
        """
        kind = partial(selection.SameNode, options=options)
        found = self._then("_OptionsDataset", kind, self.element_spec)
        return found.with_own_options(options)

    # ---- batches
    def batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> DatasetV2:
        """Every `batch_size` elements stacked; the last may have fewer.

        >>> batches = tf.data.Dataset.range(3).batch(2)
        >>> [batch.numpy().tolist() for batch in batches]
        [[0, 1], [2]]

        Raises:
            InvalidArgumentError: `batch_size` is not positive; elements differ in shape.
        """
        size, drop = as_int64(batch_size), bool(drop_remainder)
        known = structure.static_number(size) if drop else None
        if encodings.are_encoded(self.element_spec):
            return encodings.batched_dataset(
                self, lambda parts: parts.batch(size, drop, num_parallel_calls), known
            )
        spec = structure.batched(self.element_spec, known)
        parallel = num_parallel_calls is not None
        label = "_ParallelBatchDataset" if parallel else "_BatchDataset"
        kind = partial(batching.BatchNode, drop=drop, parallel=parallel)
        if not structure.are_dense(spec):
            from . import composites

            kind = partial(kind, stack=composites.Stacking(self.element_spec, spec))
        return self._then(label, kind, spec, size)

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> DatasetV2:
        """Every `batch_size` elements stacked, filled up to the largest or to `padded_shapes`.

        >>> rows = tf.data.Dataset.range(1, 3).map(tf.range)
        >>> rows.padded_batch(2, padding_values=np.int64(-1)).get_single_element().numpy()
        array([[ 0, -1],
               [ 0,  1]])

        Raises:
            DataLossError: an element is larger than its shape in `padded_shapes`.
        """
        drop = bool(drop_remainder)
        shapes = padding.padded_shapes(self.element_spec, padded_shapes)
        fillers = padding.padding_values(self.element_spec, padding_values)
        size = as_int64(batch_size)
        known = structure.static_number(size) if drop else None
        spec = padding.padded_spec(self.element_spec, shapes, known)
        kind = partial(batching.PaddedBatchNode, shapes=shapes, drop=drop)
        return self._then("_PaddedBatchDataset", kind, spec, size, *fillers)

    def unbatch(self, name: str | None = None) -> DatasetV2:
        """The rows of each element, as elements.

        >>> [int(n) for n in tf.data.Dataset.from_tensors([1, 2]).unbatch()]
        [1, 2]
        """
        return self._rows("_UnbatchDataset")

    def _rows(self, label: str) -> DatasetV2:
        if encodings.are_encoded(self.element_spec):
            return encodings.unbatched_dataset(self)
        spec = structure.unbatched(self.element_spec)
        if structure.are_dense(self.element_spec):
            return self._then(label, batching.UnbatchNode, spec)
        from . import composites

        kind = partial(composites.CompositeRowsNode, spec=self.element_spec)
        return self._then(label, kind, spec)

    def rebatch(
        self, batch_size: Any, drop_remainder: Any = False, name: str | None = None
    ) -> DatasetV2:
        """The rows of all elements in batches of other sizes; several sizes are used in turn.

        >>> [one.numpy().tolist() for one in tf.data.Dataset.range(4).batch(2).rebatch(3)]
        [[0, 1, 2], [3]]
        """
        size, drop = as_int64(batch_size), bool(drop_remainder)
        known = structure.static_number(size) if drop and size.shape.rank == 0 else None
        if encodings.are_encoded(self.element_spec):
            return encodings.rebatched_dataset(self, lambda parts: parts.rebatch(size, drop), known)
        row = structure.unbatched(self.element_spec)
        spec, kind = structure.batched(row, known), partial(batching.RebatchNode, drop=drop)
        if structure.are_dense(self.element_spec):
            return self._then("_RebatchDataset", kind, spec, size)
        from . import composites

        kind = partial(kind, stack=composites.Stacking(row, spec))
        return self.unbatch()._then("_RebatchDataset", kind, spec, size)

    def window(
        self,
        size: Any,
        shift: Any = None,
        stride: Any = 1,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> DatasetV2:
        """Datasets of `size` elements each, `shift` apart, of which every `stride`-th is taken.

        >>> [[int(n) for n in window] for window in tf.data.Dataset.range(4).window(2, shift=1)]
        [[0, 1], [1, 2], [2, 3], [3]]
        """
        operands = (
            as_int64(size),
            as_int64(size if shift is None else shift),
            as_int64(stride),
        )
        spec = tree.map_structure(DatasetSpec, self.element_spec)
        kind = partial(batching.WindowNode, drop=bool(drop_remainder))
        return self._then("_WindowDataset", kind, spec, *operands)

    # ---- groups and mixtures
    def group_by_window(
        self,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        window_size: Any = None,
        window_size_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> DatasetV2:
        """Windows of elements with equal keys: `reduce_func(key, dataset)` gives a dataset.

        >>> by_parity = tf.data.Dataset.range(5).group_by_window(
        ...     lambda n: n % 2, lambda key, window: window.batch(3), window_size=3)
        >>> [batch.numpy().tolist() for batch in by_parity]
        [[0, 2, 4], [1, 3]]
        """
        given = DatasetSpec(self.element_spec), key_func, reduce_func, window_size, window_size_func
        recipe, captured = grouping.group_by_window(*given)
        return new_dataset("_GroupByWindowDataset", *recipe, [self], captured)

    @staticmethod
    def choose_from_datasets(
        datasets: Sequence[DatasetV2], choice_dataset: DatasetV2, stop_on_empty_dataset: bool = True
    ) -> DatasetV2:
        """Elements of `datasets`: int64s in `choice_dataset` say whose. Stops at one that has none
        left, or (not `stop_on_empty_dataset`) passes it over.

        >>> both = [tf.data.Dataset.range(9), tf.data.Dataset.range(100, 109)]
        >>> [int(n) for n in tf.data.Dataset.choose_from_datasets(both, tf.data.Dataset.range(2))]
        [0, 100]

        Raises:
            ValueError, TypeError: there are no datasets; choices are no int64s; elements differ.
        """
        recipe = grouping.choose(datasets, choice_dataset, stop_on_empty_dataset)
        return new_dataset("_DirectedInterleaveDataset", *recipe, [choice_dataset, *datasets], ())

    @staticmethod
    def sample_from_datasets(
        datasets: Sequence[DatasetV2],
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> DatasetV2:
        """Elements of `datasets` at random, with these weights (by default, equal ones).

        weights: one for each dataset, or a dataset of such vectors, one for each element.
        rerandomize_each_iteration: whether each pass draws anew.

        >>> both = [tf.data.Dataset.range(3), tf.data.Dataset.range(100, 102)]
        >>> sorted(int(n) for n in tf.data.experimental.sample_from_datasets(both, seed=1))
        [0, 1, 2, 100, 101]

        Raises:
            ValueError, TypeError: there are no datasets, or not as many weights; elements differ.
        """
        given = datasets, weights, seed, stop_on_empty_dataset, rerandomize_each_iteration
        recipe, first = grouping.sample(*given)
        return new_dataset("_DirectedInterleaveDataset", *recipe, [*first, *datasets], ())


@shallow
def new_dataset(
    label: str,
    kind: Callable[..., Node],
    spec: Any,
    inputs: Sequence[DatasetV2],
    tensors: Sequence[Any],
    **facts: Any,
) -> DatasetV2:
    """A dataset of what `kind` makes of nodes and tensors: at once, or in the present graph."""
    flat = structure.flat_specs(spec)
    make = partial(kind, specs=flat, **facts)
    handles = [one.handle for one in inputs]
    symbolic = any(one.symbolic for one in (*handles, *tensors))
    if symbolic or context.building_graph():
        handle = operations.make_dataset(label.strip("_"), make, handles, tensors, flat)
        return DatasetV2(handle, spec, label, inputs=inputs)
    node = made_by(make, [one.node for one in inputs], tensors)
    return DatasetV2(node, spec, label, inputs=inputs)


register(DatasetV2, stream_over)
