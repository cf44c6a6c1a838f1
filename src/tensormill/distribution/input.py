"""Datasets and iterators that feed replicas: the only one gets all elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ..autograph.runtime.staged.iteration import register, stream_of
from ..data.dataset import DatasetV2
from ..data.iterators import IteratorSpec, OwnedIterator
from ..data.optional import Optional


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


class OneReplicaDataset(DistributedDataset):
    """A dataset whose elements the only replica gets."""

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

    def __iter__(self) -> OneReplicaIterator:
        return OneReplicaIterator(
            iter(self._dataset).handle, ReplicaIteratorSpec(self.element_spec)
        )

    def staged(self) -> Any:
        """What a loop in a graph goes over."""
        return stream_of(self._dataset)


register(OneReplicaDataset, OneReplicaDataset.staged)


class ReplicaIteratorSpec(IteratorSpec):
    """Describes an iterator over what the only replica gets."""

    __slots__ = ()

    @property
    def value_type(self) -> type[Any]:
        return OneReplicaIterator

    def _from_components(self, components: Any) -> OneReplicaIterator:
        return OneReplicaIterator(components, self)


class OneReplicaIterator(OwnedIterator, DistributedIterator):
    """Goes once over the elements that the only replica gets."""


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


def distributed(dataset: Any) -> OneReplicaDataset:
    """A dataset that the only replica gets.

    Raises:
        TypeError: it is no dataset.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError(
            f"expected a tf.data.Dataset, got {type(dataset).__name__!r}: make one of arrays by "
            "tf.data.Dataset.from_tensor_slices"
        )
    return OneReplicaDataset(dataset)
