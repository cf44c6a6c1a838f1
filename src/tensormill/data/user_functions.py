"""The methods of `Dataset` that take users' functions, which are traced on what elements are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from ..core import dtypes
from ..core.specs import TensorSpec
from ..core.type_spec import TypeSpec
from ..errors import InvalidArgumentError, NoDatasetError
from . import functions, reductions, structure
from .base import DatasetBase
from .nodes import grouping, mapping
from .nodes.node import Node

if TYPE_CHECKING:
    from .dataset import DatasetV2


class UserFunctions(DatasetBase):
    """Abstract: `DatasetV2` says by `_then` what comes of a dataset."""

    _then: Callable[..., DatasetV2]

    def _called(
        self,
        label: str,
        kind: Callable[..., Node],
        spec: Any,
        function: functions.ElementFunction,
        *tensors: Any,
    ) -> DatasetV2:
        """A transformation with a function, which takes what the function captured."""
        operands = (*tensors, *function.captured)
        return self._then(label, kind, spec, *operands, function=function)

    def apply(self, transformation_func: Callable[[DatasetV2], DatasetV2]) -> DatasetV2:
        """`transformation_func(self)`.

        >>> [int(n) for n in tf.data.Dataset.range(4).apply(lambda data: data.skip(3))]
        [3]

        Raises:
            TypeError: that is no dataset.
        """
        found = transformation_func(cast("DatasetV2", self))
        if not isinstance(cast("Any", found), DatasetBase):
            raise TypeError(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(found)}."
            )
        return found

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> DatasetV2:
        """The results of `map_func`, which is compiled, for each element.

        A tuple is passed as several arguments. With `num_parallel_calls` a function that calls
        Python back (`tf.py_function`) or decodes pictures runs for several elements at the same
        time; other native code is quicker than handing elements over.

        >>> [int(n) for n in tf.data.Dataset.range(3).map(lambda n: n * n)]
        [0, 1, 4]

        Raises:
            TypeError: the function does not take an element, or returns what is no tensor.
            InvalidArgumentError: `num_parallel_calls` is neither positive nor `AUTOTUNE`; the
                function returns no tensor at all.
        """
        function = functions.ElementFunction(map_func, "Dataset.map", self.element_spec)
        if not function.specs:
            raise InvalidArgumentError(
                "the function passed to Dataset.map returns no tensor: Length for attr "
                "'output_types' of 0 must be at least minimum 1"
            )
        calls = 1 if num_parallel_calls is None else mapping.calls_at_once(num_parallel_calls)
        kind = partial(mapping.MapNode, calls=calls, ordered=deterministic is not False)
        label = "_MapDataset" if num_parallel_calls is None else "_ParallelMapDataset"
        return self._called(label, kind, function.output_spec, function)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> DatasetV2:
        """The elements for which `predicate` is true.

        >>> [int(n) for n in tf.data.Dataset.range(5).filter(lambda n: n % 2 == 0)]
        [0, 2, 4]

        Raises:
            ValueError: it does not return a scalar bool.
        """
        function = self._predicate(predicate, "Dataset.filter")
        return self._called("_FilterDataset", mapping.FilterNode, self.element_spec, function)

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> DatasetV2:
        """The elements before the first for which `predicate` is false.

        >>> [int(n) for n in tf.data.Dataset.range(5).take_while(lambda n: n < 2)]
        [0, 1]
        """
        function = self._predicate(predicate, "Dataset.take_while")
        return self._called("_TakeWhileDataset", mapping.TakeWhileNode, self.element_spec, function)

    def _predicate(self, predicate: Callable[..., Any], what: str) -> functions.ElementFunction:
        function = functions.ElementFunction(predicate, what, self.element_spec, gives_scalar=True)
        spec = function.output_spec
        if not isinstance(spec, TensorSpec) or spec != TensorSpec((), dtypes.bool_):
            raise ValueError(f"Invalid `predicate`: it must return a `tf.bool` scalar, not {spec}")
        return function

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> DatasetV2:
        """The elements of the datasets that `map_func` returns, one after the other.

        >>> [int(n) for n in tf.data.Dataset.range(4).flat_map(tf.data.Dataset.range)]
        [0, 0, 1, 0, 1, 2]

        Raises:
            TypeError: it does not return a dataset.
        """
        function = self._dataset_function(map_func, "Dataset.flat_map")
        spec = function.output_spec.element_spec
        return self._called("_FlatMapDataset", mapping.FlatMapNode, spec, function)

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> DatasetV2:
        """The elements of `cycle_length` such datasets in turn, `block_length` of each.

        >>> both = tf.data.Dataset.from_tensor_slices([0, 5])
        >>> twice = lambda n: tf.data.Dataset.from_tensors(n).repeat(2)
        >>> [int(n) for n in both.interleave(twice, cycle_length=2)]
        [0, 5, 0, 5]
        """
        function = self._dataset_function(map_func, "Dataset.interleave")
        parallel = num_parallel_calls is not None
        cycle = mapping.cycle_length(cycle_length, num_parallel_calls)
        operands = (
            structure.as_int64(cycle),
            structure.as_int64(1 if block_length is None else block_length),
        )
        label = "_ParallelInterleaveDataset" if parallel else "_InterleaveDataset"
        spec = function.output_spec.element_spec
        kind = partial(mapping.InterleaveNode, parallel=parallel)
        return self._called(label, kind, spec, function, *operands)

    def _dataset_function(
        self, map_func: Callable[..., Any], what: str
    ) -> functions.ElementFunction:
        function = functions.ElementFunction(map_func, what, self.element_spec)
        spec = function.output_spec
        if not (isinstance(spec, TypeSpec) and issubclass(spec.value_type, DatasetBase)):
            kind = NoDatasetError if isinstance(spec, TensorSpec) else TypeError
            raise kind(
                f"The `map_func` argument of {what} must return a `Dataset` object. Got "
                f"{function.output_spec!r}."
            )
        return function

    def rejection_resample(
        self,
        class_func: Callable[..., Any],
        target_dist: Any,
        initial_dist: Any = None,
        seed: Any = None,
        name: str | None = None,
    ) -> DatasetV2:
        """Pairs of a class and an element, some of which are left out, so that classes are
        distributed as `target_dist` says.

        class_func: of an element, its class, an int32 or int64 scalar. target_dist: a floating
        vector, how often each class is wanted. initial_dist: how often it is; without that it is
        counted on the way.

        >>> numbers = tf.data.Dataset.range(1000).map(lambda n: tf.minimum(n % 4, 1))
        >>> equal = numbers.rejection_resample(lambda n: n, [0.5, 0.5], [0.25, 0.75], seed=1)
        >>> classes = [int(kind) for kind, _ in equal]
        >>> 0.4 < sum(classes) / len(classes) < 0.6
        True
        """
        from .resampling import rejection_resample

        whole = cast("DatasetV2", self)
        return rejection_resample(whole, class_func, target_dist, initial_dist, seed)

    def scan(
        self, initial_state: Any, scan_func: Callable[..., Any], name: str | None = None
    ) -> DatasetV2:
        """The outputs of `state, output = scan_func(state, element)`, element by element.

        >>> add = lambda total, n: (total + n, total + n)
        >>> [int(n) for n in tf.data.Dataset.range(4).scan(np.int64(0), add)]
        [0, 1, 3, 6]
        """
        function, start, spec = reductions.scan_parts(self.element_spec, initial_state, scan_func)
        kind = partial(mapping.ScanNode, states=len(start))
        return self._called("_ScanDataset", kind, spec, function, *start)

    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., Any],
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        padded_shapes: Any = None,
        padding_values: Any = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> DatasetV2:
        """Batches of elements of similar length, padded: one batch size for each bucket between
        two boundaries, and for those beyond. With `pad_to_bucket_boundary` all batches of a bucket
        are as long as its longest element may be.

        >>> words = tf.data.Dataset.from_tensor_slices(['a', 'tree', 'is'])
        >>> letters = words.map(tf.strings.bytes_split)
        >>> by_length = letters.bucket_by_sequence_length(tf.size, [3], [2, 1])
        >>> [batch.numpy().tolist() for batch in by_length]
        [[[b't', b'r', b'e', b'e']], [[b'a', b''], [b'i', b's']]]

        Raises:
            ValueError: there is not one batch size more than boundaries.
            TypeError: the boundaries are no ints.
            InvalidArgumentError: an element is to be padded to a boundary, and longer than all.
        """
        return grouping.bucket_by_sequence_length(
            self, element_length_func, bucket_boundaries, bucket_batch_sizes,
            padded_shapes, padding_values, pad_to_bucket_boundary, no_padding, drop_remainder,
        )  # fmt: skip
