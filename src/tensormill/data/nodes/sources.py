"""Where elements come from."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...core import tree
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, OpError
from ...ops.control.python_functions import translated
from ...ops.op import NARROW, NUMBERS
from .. import structure
from ..seeds import Seeds, SeedWords
from .node import INFINITE, UNKNOWN, Element, Elements, Node, Reader, Specs, tensor
from .tables import Arithmetic, ArraySlices, RowTable


class SlicesNode(Node):
    """The slices of tensors along their first axis."""

    is_passive = True

    def __init__(self, *tensors: Any, specs: Specs) -> None:
        super().__init__(specs)
        sizes = {len(one._array) for one in tensors}
        if len(sizes) > 1:
            raise InvalidArgumentError(f"Dimensions {sizes} of the sliced tensors are not equal")
        self._table = ArraySlices([one._array for one in tensors])

    def table(self) -> RowTable:
        return self._table

    def cardinality(self) -> int:
        return self._table.count


class TensorsNode(Node):
    """One element."""

    is_passive = True

    def __init__(self, *tensors: Any, specs: Specs) -> None:
        super().__init__(specs)
        self._element = tensors

    def iterate(self) -> Elements:
        return iter((self._element,))

    def reader(self) -> Reader | None:
        return lambda _: self._element

    def cardinality(self) -> int:
        return 1


# What `Dataset.range` counts in.
COUNTED: Final = NUMBERS | NARROW


class RangeNode(Node):
    """`start, start + step, …`, less than `stop`."""

    is_passive = True

    def __init__(self, start: Any, stop: Any, step: Any, *, specs: Specs) -> None:
        super().__init__(specs)
        if not int(step):
            raise InvalidArgumentError("step must be a non-zero integer")
        numbers, dtype = range(int(start), int(stop), int(step)), specs[0].dtype
        if dtype not in COUNTED:
            raise InvalidArgumentError(f"Unsupported data type: {dtype.name}; numbers are counted")
        for end in (numbers[0], numbers[-1]) if numbers and dtype.is_integer else ():
            if not dtype.min <= end <= dtype.max:
                raise InvalidArgumentError(f"{dtype.name} does not hold {end}, which is counted")
        self._table = Arithmetic(len(numbers), numbers.start, numbers.step, dtype.storage)

    def table(self) -> RowTable:
        return self._table

    def cardinality(self) -> int:
        return self._table.count


class CounterNode(Node):
    """`start, start + step, …`, without an end."""

    is_passive = True

    def __init__(self, start: Any, step: Any, *, specs: Specs) -> None:
        super().__init__(specs)
        self._start, self._step, self._dtype = int(start), int(step), specs[0].dtype.storage

    def iterate(self) -> Elements:
        return ((tensor(k, self._dtype),) for k in itertools.count(self._start, self._step))

    def cardinality(self) -> int:
        return INFINITE


class RandomNode(Node):
    """Integers below 2**32, without an end."""

    is_passive = True

    def __init__(self, *, seeds: Seeds, specs: Specs) -> None:
        super().__init__(specs)
        self._seeds = seeds

    def iterate(self) -> Elements:
        words = SeedWords(*self._seeds.of_iteration())
        return ((tensor(words.next(), np.int64),) for _ in itertools.count())

    def cardinality(self) -> int:
        return INFINITE


class GeneratorNode(Node):
    """What a Python generator yields; `start` makes one, `convert` makes elements of its items."""

    def __init__(
        self,
        *arguments: Any,
        start: Callable[..., Any],
        convert: Callable[[Any], Any],
        specs: Specs,
    ) -> None:
        super().__init__(specs)
        self._start = lambda: start(*(one.numpy() for one in arguments))
        self._convert = convert

    def iterate(self) -> Elements:
        return map(self._convert, _Items(self._start))

    def cardinality(self) -> int:
        return UNKNOWN


class _Items:
    """The items of a generator, which starts when the first is asked for."""

    def __init__(self, start: Callable[[], Any]) -> None:
        self._start = start
        self._items: Any = None

    def __iter__(self) -> _Items:
        return self

    def __next__(self) -> Any:
        try:
            if self._items is None:
                self._items = iter(self._start())
            return next(self._items)
        except (StopIteration, OpError):
            raise
        except Exception as error:
            raise translated(error) from error


# ---------------------------------------------------------------- what users give


def sliced_spec(whole: Any) -> Any:
    """The spec of the slices of tensors that `whole` describes.

    Raises:
        ValueError: one is a scalar, or first sizes differ.
    """
    specs = structure.flat_specs(whole)
    if not specs:
        raise ValueError("Invalid `tensors`. `tensors` must not be empty.")
    for spec in specs:
        if spec.shape.rank == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    sizes = [size for size in structure.batch_sizes(whole) if size is not None]
    for size in sizes[1:]:
        if size != sizes[0]:
            raise ValueError(
                f"Dimensions {sizes[0]} and {size} are not compatible: the elements' components "
                "are slices along the first axes, which have to be equally long"
            )
    return structure.unbatched(whole)


def generator_parts(
    generator: Any, types: Any, shapes: Any, signature: Any
) -> tuple[Any, Callable[..., Any], Callable[[Any], Element]]:
    """The spec of what a generator yields, what starts it, and what makes elements of its items.

    Raises:
        TypeError: `generator` is not callable, or nothing says what it yields.
    """
    if not callable(generator):
        raise TypeError("`generator` must be a Python callable.")
    if signature is None and types is None:
        raise TypeError("Either `output_signature` or `output_types` must be specified")
    if signature is not None and (types is not None or shapes is not None):
        raise TypeError(
            "`output_types` and `output_shapes` must not be given beside `output_signature`"
        )
    if signature is not None:
        spec = structure.as_specs(signature, "`output_signature`")
    else:
        spec = structure.specs_from(types, shapes)
    return spec, generator, _GeneratorConversion(spec)


class _GeneratorConversion:
    """Makes components of what a generator yields."""

    def __init__(self, spec: Any) -> None:
        self._spec = spec
        self._flat = structure.flat_specs(spec)
        self._only = spec if isinstance(spec, TensorSpec) else None

    def __call__(self, item: Any) -> Element:
        try:
            components = structure.components_of(item, self._spec)
        except (TypeError, ValueError, OpError) as error:
            raise InvalidArgumentError(
                f"TypeError: `generator` yielded {item!r}, which could not be converted to the "
                f"expected type, {self._expected()}: {error}"
            ) from error
        for spec, one in zip(self._flat, components, strict=True):
            if isinstance(spec, TensorSpec) and not spec.shape.is_compatible_with(one.shape):
                raise InvalidArgumentError(
                    f"TypeError: `generator` yielded an element of shape {one.shape}, but its "
                    f"output_signature says {spec.shape}"
                )
        return components

    def _expected(self) -> Any:
        if self._only is not None:
            return self._only.dtype.name
        return tree.map_structure(lambda one: getattr(one, "dtype", one), self._spec)
