"""Datasets and iterators that feed replicas, of which each has its part of all elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ..autograph.runtime.staged.iteration import register, stream_of
from ..data.dataset import DatasetV2
from ..data.iterators import IteratorSpec, OwnedIterator
from ..data.optional import Optional
from .contexts import InputContext
from .division import dealt, divided
from .options import InputReplicationMode


class DistributedDataset(Iterable[Any]):
    """A dataset divided between replicas, as strategies make them."""

    @property
    def element_spec(self) -> Any:
        """What describes the elements: a nest of specs."""
        raise NotImplementedError("DistributedDataset.element_spec: strategies make these datasets")

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """The last state of `state = reduce_func(state, element)`, element by element.

        Raises:
            NotImplementedError: strategies make these datasets.
        """
        raise NotImplementedError("DistributedDataset.reduce: strategies make these datasets")

    def __iter__(self) -> Any:
        raise NotImplementedError("DistributedDataset.__iter__: strategies make these datasets")


class DistributedIterator:
    """An iterator of such a dataset."""

    @property
    def element_spec(self) -> Any:
        """What describes the elements: a nest of specs."""
        raise NotImplementedError("DistributedIterator.element_spec")

    def get_next(self) -> Any:
        """The next element.

        Raises:
            OutOfRangeError: there is none.
        """
        raise NotImplementedError("DistributedIterator.get_next()")

    def get_next_as_optional(self) -> Optional:
        """The next element as an Optional, which is empty at the end."""
        raise NotImplementedError("DistributedIterator.get_next_as_optional()")


class DividedDataset(DistributedDataset):
    """A dataset whose elements are parts for all replicas; where there is one, what it gets."""

    def __init__(self, dataset: DatasetV2) -> None:
        self._dataset: Final = dataset

    @property
    def element_spec(self) -> Any:
        return self._dataset.element_spec

    @property
    def cardinality(self) -> Any:
        """The number of elements: an int64 scalar."""
        return self._dataset.cardinality().numpy()

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        return self._dataset.reduce(initial_state, reduce_func)

    def __iter__(self) -> DividedIterator:
        return DividedIterator(iter(self._dataset).handle, ReplicaIteratorSpec(self.element_spec))

    def staged(self) -> Any:
        """What a loop in a graph goes over."""
        return stream_of(self._dataset)


register(DividedDataset, DividedDataset.staged)


class ReplicaIteratorSpec(IteratorSpec):
    """Describes an iterator over what replicas get."""

    __slots__ = ()

    @property
    def value_type(self) -> type[Any]:
        return DividedIterator

    def _from_components(self, components: Any) -> DividedIterator:
        return DividedIterator(components, self)


class DividedIterator(OwnedIterator, DistributedIterator):
    """Goes once over what replicas get."""


class RestartableIterator:
    """Goes over a dataset from its beginning again whenever that is asked for."""

    def __init__(self, dataset: Any) -> None:
        self._dataset: Final = dataset
        self._iterator = iter(dataset)

    def initialize(self) -> None:
        """Begin again."""
        self._iterator = iter(self._dataset)

    def get_next(self) -> Any:
        """The next element.

        Raises:
            OutOfRangeError: there is none.
        """
        return self._iterator.get_next()


def distributed(dataset: Any, replicas: int = 1) -> DividedDataset:
    """A dataset of global batches, divided between replicas.

    Raises:
        TypeError: it is no dataset.
        IndexError: its elements are no batches, and there are several replicas.
    """
    require_dataset(dataset)
    return DividedDataset(dataset if replicas == 1 else divided(dataset, replicas))


def distributed_from(
    dataset_fn: Callable[[Any], Any], replicas: int, options: Any = None
) -> DividedDataset:
    """A dataset of batches of replicas' own, which they get in turn, or each from a function.

    Raises:
        TypeError: what a function makes is no dataset.
    """
    mode = getattr(options, "experimental_replication_mode", None)
    count = replicas if mode is InputReplicationMode.PER_REPLICA else 1
    made = [dataset_fn(InputContext(count, number, replicas)) for number in range(count)]
    for one in made:
        require_dataset(one)
    return DividedDataset(made[0] if replicas == 1 else dealt(made, replicas))


def require_dataset(dataset: Any) -> None:
    if not isinstance(dataset, DatasetV2):
        raise TypeError(
            f"expected a tf.data.Dataset, got {type(dataset).__name__!r}: make one of arrays by "
            "tf.data.Dataset.from_tensor_slices"
        )
