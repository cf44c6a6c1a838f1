"""What elements of datasets are: dtypes, shapes and classes, each in the nest that they are."""

from __future__ import annotations

from typing import Any

from ...core.tree import map_structure


def output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of the components of elements, in the nest that elements are.

    >>> tf.compat.v1.data.get_output_types(tf.data.Dataset.range(3))
    tf.int64

    Raises:
        TypeError: it is neither a dataset nor an iterator.
    """
    spec = _spec_of(dataset_or_iterator)
    return map_structure(lambda leaf: leaf._to_legacy_output_types(), spec)


def output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of the components of elements, in the nest that elements are.

    >>> tf.compat.v1.data.get_output_shapes(tf.data.Dataset.range(3).batch(2))
    TensorShape([None])

    Raises:
        TypeError: it is neither a dataset nor an iterator.
    """
    spec = _spec_of(dataset_or_iterator)
    return map_structure(lambda leaf: leaf._to_legacy_output_shapes(), spec)


def output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the components of elements, in the nest that elements are.

    >>> tf.compat.v1.data.get_output_classes(tf.data.Dataset.range(3)) is tf.Tensor
    True

    Raises:
        TypeError: it is neither a dataset nor an iterator.
    """
    spec = _spec_of(dataset_or_iterator)
    return map_structure(lambda leaf: leaf._to_legacy_output_classes(), spec)


def _spec_of(one: Any) -> Any:
    """What the elements of a dataset or an iterator are."""
    if not hasattr(one, "element_spec"):
        raise TypeError(f"a dataset or an iterator is wanted, got {one!r}")
    return one.element_spec


class ElementFacts:
    """What elements are, as members, which TensorFlow 2 has in `element_spec`."""

    @property
    def output_types(self) -> Any:
        """The dtypes of the components of elements."""
        return output_types(self)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the components of elements."""
        return output_shapes(self)

    @property
    def output_classes(self) -> Any:
        """The classes of the components of elements."""
        return output_classes(self)
