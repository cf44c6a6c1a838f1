"""A Python list to which staged code appends: how long it is, only the graph will know.

Where its function is traced it is a `StagedList`, a list of tensors in the graph for each tensor of
an element. Where the function returns it, the caller gets a Python list, as eager code would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn
from weakref import ref

from ..core import context, tree
from ..core.shapes import UNKNOWN
from ..core.specs import ListSpec, TensorSpec
from ..core.type_spec import TypeSpec
from ..core.values import TensorLike
from ..errors import OperatorNotAllowedInGraphError
from . import list_contents, lists
from .bind import bind
from .conversion import as_tensor


class StagedListSpec(TypeSpec):
    """A list whose elements are built like `element`, a structure of TensorSpecs."""

    __slots__ = ("element",)

    def __init__(self, element: Any) -> None:
        self.element = element

    @property
    def value_type(self) -> type[Any]:
        return StagedList

    def _serialize(self) -> tuple[Any, ...]:
        return (self.element,)

    @property
    def _component_specs(self) -> Any:
        # Elements may come to differ in shape: only the spec around says what they have in common.
        return tuple(
            ListSpec(TensorSpec(UNKNOWN, spec.dtype)) for spec in tree.flatten(self.element)
        )

    def _to_components(self, value: Any) -> Any:
        return value.handles

    def _from_components(self, components: Any) -> Any:
        if all(isinstance(one, TensorLike) and not one.symbolic for one in components):
            return _python_list(self.element, components)
        return StagedList(self.element, components)


class StagedList(tree.Composite):
    """What a list becomes by a staged loop or branch that changes its length.

    It can be appended to, extended, indexed, sliced, popped from and looped over by a `for`
    statement. `len` gives a scalar tensor. As a tensor it is its elements, stacked.

    Raises (its methods):
        ElementIndexError: (when the graph runs) there is no such element.
        OperatorNotAllowedInGraphError: it is iterated over, or asked for its truth, by Python.
        TypeError: an element is built otherwise than the others, or has another dtype.
        ValueError: it belongs to a block of the graph around the present one.
    """

    __slots__ = ("__weakref__", "_home", "element", "handles")

    def __init__(self, element: Any, handles: Sequence[Any]) -> None:
        self.element = element
        self.handles = tuple(handles)
        self._home = ref(context.top().interpreter)

    @classmethod
    def of(cls, values: Iterable[Any], element: Any) -> StagedList:
        """The list of these values, which fit `element`, in the graph that is being traced."""
        made = cls(element, [_empty(spec) for spec in tree.flatten(element)])
        for value in values:
            made.append(value)
        return made

    @property
    def _type_spec(self) -> StagedListSpec:
        return StagedListSpec(self.element)

    @property
    def specs(self) -> list[TensorSpec]:
        return tree.flatten(self.element)

    # ---- what does not change it
    def length(self) -> Any:
        """The number of elements, an int32 scalar."""
        return lists.length_of(self.handles[0])

    def stacked(self, axis: int = 0) -> Any:
        """The elements side by side along a new axis."""
        pairs = zip(self.handles, self.specs, strict=True)
        parts = [
            list_contents.stack(handle, spec.dtype, lists.shape_operand(spec.shape))
            for handle, spec in pairs
        ]
        from .concatenation import stack

        whole = parts[0] if not tree.is_nested(self.element) else stack(parts, 1)
        return whole if axis == 0 else _moved(whole, axis)

    def joined(self, axis: Any) -> Any:
        """The elements one after the other along an axis that they have."""
        if isinstance(axis, int) and axis == 0:
            (spec,) = self.specs
            shape = spec.shape.dims and (None, *spec.shape.dims[1:])
            operand = lists.shape_operand(UNKNOWN if shape is None else type(spec.shape)(shape))
            return list_contents.concat(self.handles[0], spec.dtype, operand)[0]
        return _flattened(self.stacked(), int(axis))

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return as_tensor(self.stacked(), dtype)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._sliced(index)
        place = self._place(index)
        pairs = zip(self.handles, self.specs, strict=True)
        parts = [
            lists.get_item(handle, place, spec.dtype, lists.shape_operand(spec.shape))
            for handle, spec in pairs
        ]
        return tree.pack_sequence_as(self.element, parts)

    def __add__(self, other: Any) -> StagedList:
        made = self.copy()
        made.extend(other)
        return made

    def copy(self) -> StagedList:
        """Another list of the same elements, in the block that is being traced."""
        return StagedList(self.element, [as_tensor(one) for one in self.handles])

    # ---- what changes it
    def append(self, value: Any) -> None:
        leaves = self._leaves(value)
        self._check_home("append")
        self.handles = tuple(map(lists.push_back, self.handles, leaves))
        shapes = [
            TensorSpec(spec.shape.relax(leaf.shape), spec.dtype)
            for spec, leaf in zip(self.specs, leaves, strict=True)
        ]
        self.element = tree.pack_sequence_as(self.element, shapes)

    def extend(self, values: Any) -> None:
        """Add the elements of a Python list, or of another list like this one."""
        if isinstance(values, StagedList):
            self._extend_by_list(values)
            return
        for value in values:
            self.append(value)

    def __iadd__(self, values: Any) -> StagedList:
        self.extend(values)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        leaves = self._leaves(value)
        self._check_home("an assignment to an item")
        place = self._place(index)
        pairs = zip(self.handles, leaves, strict=True)
        self.handles = tuple(lists.set_item(one, place, leaf, False) for one, leaf in pairs)

    def pop(self, index: int = -1) -> Any:
        """Take the last element away."""
        if not isinstance(index, int) or index != -1:
            raise self._cannot("pop(index)")
        self._check_home("pop")
        pairs = zip(self.handles, self.specs, strict=True)
        made = [
            lists.pop_back(handle, spec.dtype, lists.shape_operand(spec.shape))
            for handle, spec in pairs
        ]
        self.handles = tuple(handle for handle, _ in made)
        return tree.pack_sequence_as(self.element, [value for _, value in made])

    def clear(self) -> None:
        self._check_home("clear")
        self.handles = tuple(map(_empty, self.specs))

    # ---- what it cannot do
    def __iter__(self) -> Iterator[Any]:
        raise OperatorNotAllowedInGraphError(
            "a list that grew in staged code has its length only when the graph runs, so Python "
            "cannot iterate over it here: loop with a `for` statement in converted code, or take "
            "tf.stack(the list), which tf.map_fn and slices can go through"
        )

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            "whether a list that grew in staged code is empty is known only when the graph runs: "
            "write `len(the list) > 0`"
        )

    def __len__(self) -> int:
        raise TypeError(
            "the length of a list that grew in staged code is known only when the graph runs: "
            "take len() of it in converted code, or tf.shape(tf.stack(the list))[0]"
        )

    def __contains__(self, value: Any) -> bool:
        raise OperatorNotAllowedInGraphError(
            "what is in a list that grew in staged code is known only when the graph runs: write "
            "`tf.reduce_any(tf.stack(the list) == value)`"
        )

    def __getattr__(self, name: str) -> NoReturn:
        if hasattr(list, name):
            raise self._cannot(name)
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def _cannot(self, name: str) -> AttributeError:
        return AttributeError(
            f"{name} does not work on a list that grew in staged code, which can append, extend, "
            "pop its last element and be indexed: take t = tf.stack(the list) and change that, "
            "say with tf.reverse, tf.sort or tf.concat"
        )

    def __repr__(self) -> str:
        return f"<list of {self.element!r}, as long as staged code makes it>"

    # ---- parts of the above
    def _leaves(self, value: Any) -> list[Any]:
        """The tensors of an element."""
        try:
            tree.assert_same_structure(self.element, value)
            pairs = zip(tree.flatten(value), self.specs, strict=True)
            return [as_tensor(leaf, *_wanted(leaf, spec)) for leaf, spec in pairs]
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"the elements of a list that grows in staged code have to be alike: {value!r} "
                f"is none like {self.element!r} ({error})"
            ) from None

    def _place(self, index: Any) -> Any:
        if isinstance(index, int):
            return index if index >= 0 else self.length() + index
        from .cast import cast
        from .select import where

        place = cast(as_tensor(index), "int32")
        return where(place < 0, place + self.length(), place)

    def _sliced(self, index: slice) -> StagedList:
        made = StagedList(self.element, [_empty(spec) for spec in self.specs])
        pairs = zip(self.handles, self.specs, strict=True)
        made.handles = tuple(
            _listed(list_contents.stack(h, s.dtype, lists.shape_operand(s.shape))[index], s)
            for h, s in pairs
        )
        return made

    def _extend_by_list(self, other: StagedList) -> None:
        from .fill import range as range_of

        self._check_home("extend")
        length = self.length()
        places = length + range_of(other.length())
        pairs = zip(other.handles, other.specs, strict=True)
        rows = [list_contents.stack(h, s.dtype, lists.shape_operand(s.shape)) for h, s in pairs]
        self.handles = tuple(
            bind(list_contents.TensorListScatterIntoExistingList, handle, tensor, places)
            for handle, tensor in zip(self.handles, rows, strict=True)
        )

    def _check_home(self, change: str) -> None:
        if self._home() is not context.top().interpreter:
            raise ValueError(
                f"{change}: a list is changed in a staged block inside of the one it belongs to, "
                "by a function that AutoGraph did not see do it: let the function return the "
                "value, and append it where the list is"
            )


def _wanted(leaf: Any, spec: TensorSpec) -> tuple[Any, ...]:
    is_weak = type(leaf) in (int, float, complex)
    return (spec.dtype,) if is_weak or (leaf is not None and not hasattr(leaf, "dtype")) else ()


def _empty(spec: TensorSpec) -> Any:
    shape = lists.shape_operand(UNKNOWN)
    return bind(lists.EmptyTensorList, shape, -1, element_dtype=spec.dtype)


def _listed(tensor: Any, spec: TensorSpec) -> Any:
    from .fill import range as range_of
    from .shapes import shape_of

    places = range_of(shape_of(tensor)[0])
    return bind(list_contents.TensorListScatterIntoExistingList, _empty(spec), tensor, places)


def _moved(tensor: Any, axis: int) -> Any:
    """The first axis put at `axis`."""
    from .manipulation import transpose

    rank = tensor.shape.rank
    order = [*range(1, rank)]
    order.insert(axis % rank, 0)
    return transpose(tensor, order)


def _flattened(stacked: Any, axis: int) -> Any:
    from .concatenation import concat
    from .shapes import reshape, shape_of

    rank = stacked.shape.rank - 1
    place = axis % rank
    moved = _moved(stacked, place)
    sizes = shape_of(moved)
    count = sizes[place : place + 1] * sizes[place + 1 : place + 2]
    return reshape(moved, concat([sizes[:place], count, sizes[place + 2 :]], 0))


def _python_list(element: Any, handles: Sequence[Any]) -> list[Any]:
    """The elements of eager lists, as tensors that recorders know."""
    shape = lists.shape_operand(UNKNOWN)
    columns = [
        [lists.get_item(one, k, one._array.dtype, shape) for k in range(len(one._array))]
        for one in handles
    ]
    return [tree.pack_sequence_as(element, list(row)) for row in zip(*columns, strict=True)]
