"""A Python list to which staged code appends: how long it is, only the graph will know.

Where its function is traced it is a `StagedList`, a list of tensors in the graph for each tensor of
an element. Where the function returns it, the caller gets a Python list, as eager code would.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn
from weakref import ref

from ..core import context, tree
from ..core.shapes import UNKNOWN
from ..core.specs import ListSpec, TensorSpec
from ..core.type_spec import TypeSpec
from ..core.values import StagedListBase, TensorLike
from ..errors import OperatorNotAllowedInGraphError
from ..ops.array.concatenation import concat, stack
from ..ops.array.fill import range as range_of
from ..ops.array.rearrangement import tile, transpose
from ..ops.array.shapes import reshape, shape_of
from ..ops.array.sorting import argsort
from ..ops.conversion import as_tensor
from ..ops.lists import list_elements, whole_lists
from ..ops.math.arithmetic import maximum, minimum
from ..ops.math.cast import cast
from ..ops.math.comparison import logical_and
from ..ops.math.reduce import reduce_all, reduce_any, reduce_sum
from ..ops.math.scan import argmax
from ..ops.raising import raise_unless
from . import list_places
from .map import map_fn

# So many elements are rather stacked and made a list than appended one by one.
_FEW: Final = 3


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
        if all(isinstance(one, TensorLike) for one in components) and not any(
            map(_is_symbolic, components)
        ):
            return _python_list(self.element, components)
        return StagedList(self.element, components)


class StagedList(tree.Composite, StagedListBase):
    """What a list becomes by a staged loop or branch that changes its length.

    It has the methods of a list. In converted code it can be looped over, asked for its truth, for
    what is in it, and for its length, a scalar tensor. As a tensor it is its elements, stacked.

    Raises (its methods):
        ElementIndexError: (when the graph runs) there is no such element.
        ValueError: (when the graph runs) there is no such value to be found or removed.
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
        made = cls(element, [list_places.empty_list(spec) for spec in tree.flatten(element)])
        values = list(values)
        if len(values) > _FEW and all(spec.shape.is_fully_defined() for spec in made.specs):
            columns = zip(*map(made._leaves, values), strict=True)
            made.handles = tuple(whole_lists.from_tensor(stack(one)) for one in columns)
            return made
        for value in values:
            made.append(value)
        return made

    @classmethod
    def of_rows(cls, stacked: Any) -> StagedList:
        """The list of the rows of a tensor, or of a structure of tensors."""
        element = tree.map_structure(lambda one: TensorSpec(one.shape[1:], one.dtype), stacked)
        return cls(element, [whole_lists.from_tensor(one) for one in tree.flatten(stacked)])

    @property
    def _type_spec(self) -> StagedListSpec:
        return StagedListSpec(self.element)

    @property
    def specs(self) -> list[TensorSpec]:
        return tree.flatten(self.element)

    # ---- what does not change it
    def length(self) -> Any:
        """The number of elements, an int32 scalar."""
        return list_elements.length_of(self.handles[0])

    def stacked(self, axis: int = 0) -> Any:
        """The elements side by side along a new axis."""
        pairs = zip(self.handles, self.specs, strict=True)
        parts = [
            whole_lists.stack(handle, spec.dtype, list_elements.shape_operand(spec.shape))
            for handle, spec in pairs
        ]
        whole = parts[0] if not tree.is_nested(self.element) else stack(parts, 1)
        return whole if axis == 0 else _moved(whole, axis)

    def joined(self, axis: Any) -> Any:
        """The elements one after the other along an axis that they have."""
        if isinstance(axis, int) and axis == 0:
            (spec,) = self.specs
            shape = spec.shape.entries and (None, *spec.shape.entries[1:])
            operand = list_elements.shape_operand(
                UNKNOWN if shape is None else type(spec.shape)(shape)
            )
            return whole_lists.concat(self.handles[0], spec.dtype, operand)[0]
        return _flattened(self.stacked(), int(axis))

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return as_tensor(self.stacked(), dtype)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._of(list_places.all_of(self.length())[index])
        place = list_places.place_of(index, self.length())
        pairs = zip(self.handles, self.specs, strict=True)
        parts = [
            list_elements.get_item(
                handle, place, spec.dtype, list_elements.shape_operand(spec.shape)
            )
            for handle, spec in pairs
        ]
        return tree.pack_sequence_as(self.element, parts)

    def __add__(self, other: Any) -> StagedList:
        made = self.copy()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> StagedList:
        made = StagedList.of(other, self.element)
        made.extend(self)
        return made

    def __mul__(self, times: Any) -> StagedList:
        places = list_places.all_of(self.length())
        return self._of(tile(places, reshape(as_tensor(times), [1])))

    __rmul__ = __mul__

    def __eq__(self, other: Any) -> Any:
        """Whether both lists are as long and hold the same values: a scalar tensor."""
        if not isinstance(other, list | StagedList):
            return NotImplemented
        if isinstance(other, list):
            if not other:
                return self.length() == 0
            other = StagedList.of(other, self.element)
        length, theirs = self.length(), other.length()
        places = list_places.all_of(minimum(length, theirs))
        rows = map_fn(lambda k: _all_equal(self[k], other[k]), places, dtype="bool")
        return logical_and(length == theirs, reduce_all(rows))

    __hash__ = object.__hash__

    def copy(self) -> StagedList:
        """Another list of the same elements, in the block that is being traced."""
        return StagedList(self.element, [as_tensor(one) for one in self.handles])

    def saved(self) -> tuple[Any, ...]:
        """What `restore` makes it again."""
        return self.element, self.handles, self._home

    def restore(self, saved: tuple[Any, ...]) -> None:
        self.element, self.handles, self._home = saved

    def become(self, other: StagedList) -> StagedList:
        """Be the list that another one is, for all who know this one."""
        self.restore(other.copy().saved())
        return self

    def matches(self, value: Any) -> Any:
        """Which elements are equal to a value: a vector of bools."""
        self._leaves(value)  # checks
        places = list_places.all_of(self.length())
        return map_fn(lambda k: _all_equal(self[k], value), places, dtype="bool")

    def count(self, value: Any) -> Any:
        """How many elements are equal to a value, an int32 scalar."""
        return reduce_sum(cast(self.matches(value), "int32"))

    def index(self, value: Any) -> Any:
        """The place of the first element that is equal to a value, an int32 scalar."""
        matches = self.matches(value)
        raise_unless(reduce_any(matches), ValueError("the value is not in the list"), "")
        return argmax(concat([cast(matches, "int32"), [1]], 0), output_type="int32")

    def keys(self, key: Any) -> Any:
        """The vector of a function of each element, or of the elements themselves."""
        if key is None:
            return self.stacked()
        return map_fn(lambda k: as_tensor(key(self[k])), list_places.all_of(self.length()))

    # ---- what changes it
    def append(self, value: Any) -> None:
        leaves = self._leaves(value)
        self._check_home("append")
        self.handles = tuple(map(list_elements.push_back, self.handles, leaves))
        self._admit(leaves)

    def extend(self, values: Any) -> None:
        """Add the elements of a Python list, the rows of a tensor, or those of a list like this."""
        if _is_symbolic(values):
            self._extend_by(StagedList.of_rows(values))
        elif isinstance(values, StagedList):
            self._extend_by(values)
        else:
            for value in values:
                self.append(value)

    def _extend_by(self, other: StagedList) -> None:
        self._check_home("extend")
        self._check_fits(other)
        places = list_places.all_of(other.length())
        self._admit(other.specs)
        self.handles = list_places.with_appended(self.handles, other.handles, self.specs, places)

    def __iadd__(self, values: Any) -> StagedList:
        self.extend(values)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._replace(index, value)
            return
        leaves = self._leaves(value)
        self._check_home("an assignment to an item")
        place = list_places.place_of(index, self.length())
        pairs = zip(self.handles, leaves, strict=True)
        self.handles = tuple(list_elements.set_item(one, place, leaf, False) for one, leaf in pairs)
        self._admit(leaves)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            self._replace(index, [])
        else:
            self.pop(index)

    def insert(self, index: Any, value: Any) -> None:
        """Put a value in front of an index, or at an end of the list."""
        length = self.length()
        place = list_places.bound_of(index, length)
        self.append(value)
        before, behind = range_of(place), range_of(place, length)
        self._keep("insert", concat([before, reshape(length, [1]), behind], 0))

    def pop(self, index: Any = -1) -> Any:
        """Take an element away: the last one, or that at an index."""
        self._check_home("pop")
        if not isinstance(index, int) or index != -1:
            value, length = self[index], self.length()
            place = list_places.place_of(index, length)
            self._keep("pop", list_places.without(place, length))
            return value
        pairs = zip(self.handles, self.specs, strict=True)
        made = [
            list_elements.pop_back(handle, spec.dtype, list_elements.shape_operand(spec.shape))
            for handle, spec in pairs
        ]
        self.handles = tuple(handle for handle, _ in made)
        return tree.pack_sequence_as(self.element, [value for _, value in made])

    def remove(self, value: Any) -> None:
        """Take the first element away that is equal to a value."""
        self._keep("remove", list_places.without(self.index(value), self.length()))

    def clear(self) -> None:
        self._check_home("clear")
        self.handles = tuple(map(list_places.empty_list, self.specs))

    def reverse(self) -> None:
        self._keep("reverse", list_places.all_of(self.length())[::-1])

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Order the elements by a scalar function of each; equal ones keep their order."""
        keys = self.keys(key)
        if keys.shape.rank != 1:
            raise ValueError(
                f"a list that grew in staged code is sorted by scalars, got keys of shape "
                f"{keys.shape[1:]}: sort(key=…) of one that is a scalar"
            )
        self._keep("sort", argsort(keys, direction="DESCENDING" if reverse else "ASCENDING"))

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
            "what is in a list that grew in staged code is known only when the graph runs: ask in "
            "converted code, or write `tf.reduce_any(tf.stack(the list) == value)`"
        )

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<list of {self.element!r}, as long as staged code makes it>"

    # ---- parts of the above
    def _leaves(self, value: Any) -> list[Any]:
        """The tensors of an element."""
        try:
            tree.assert_same_structure(self.element, value)
            pairs = zip(tree.flatten(value), self.specs, strict=True)
            leaves = [as_tensor(leaf, *_wanted(leaf, spec)) for leaf, spec in pairs]
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"the elements of a list that grows in staged code have to be alike: {value!r} "
                f"is none like {self.element!r} ({error})"
            ) from None
        self.note_element(value)
        return leaves

    def _admit(self, leaves: Sequence[Any]) -> None:
        """Let elements be like these, too."""
        shapes = [
            TensorSpec(spec.shape.relax(leaf.shape), spec.dtype)
            for spec, leaf in zip(self.specs, leaves, strict=True)
        ]
        self.element = tree.pack_sequence_as(self.element, shapes)

    def _check_fits(self, other: StagedList) -> None:
        tree.assert_same_structure(self.element, other.element)
        for mine, theirs in zip(self.specs, other.specs, strict=True):
            if mine.dtype is not theirs.dtype:
                raise TypeError(
                    f"the elements of a list that grows in staged code have to be alike: here they "
                    f"have dtype {mine.dtype.name}, those to be added {theirs.dtype.name}; use "
                    "tf.cast"
                )

    def _of(self, places: Any) -> StagedList:
        return StagedList(self.element, list_places.elements_at(self.handles, self.specs, places))

    def _keep(self, change: str, places: Any) -> None:
        """Consist of the elements at these places from now on."""
        self._check_home(change)
        self.handles = list_places.elements_at(self.handles, self.specs, places)

    def _replace(self, index: slice, values: Any) -> None:
        """`self[a:b] = values`."""
        if index.step not in (None, 1):
            raise ValueError(
                "a slice of a list that grew in staged code is changed without steps, not "
                f"[{index.start}:{index.stop}:{index.step}]: take what stays, found = found[…]"
            )
        length = self.length()
        first = list_places.bound_of(0 if index.start is None else index.start, length)
        last = length if index.stop is None else list_places.bound_of(index.stop, length)
        rest = self._of(range_of(maximum(first, last), length))
        self._keep("an assignment to a slice", range_of(first))
        self.extend(values)
        self.extend(rest)

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


def _is_symbolic(value: Any) -> bool:
    return isinstance(value, TensorLike) and bool(getattr(value, "symbolic", False))


def _all_equal(one: Any, other: Any) -> Any:
    """Whether two elements are equal: a scalar bool."""
    pairs = zip(tree.flatten(one), tree.flatten(other), strict=True)
    found = [reduce_all(as_tensor(x) == y) for x, y in pairs]
    return functools.reduce(logical_and, found)


def _moved(tensor: Any, axis: int) -> Any:
    """The first axis put at `axis`."""
    rank = tensor.shape.rank
    order = [*range(1, rank)]
    order.insert(axis % rank, 0)
    return transpose(tensor, order)


def _flattened(stacked: Any, axis: int) -> Any:
    rank = stacked.shape.rank - 1
    place = axis % rank
    moved = _moved(stacked, place)
    sizes = shape_of(moved)
    count = sizes[place : place + 1] * sizes[place + 1 : place + 2]
    return reshape(moved, concat([sizes[:place], count, sizes[place + 2 :]], 0))


def _python_list(element: Any, handles: Sequence[Any]) -> list[Any]:
    """The elements of eager lists, as tensors that recorders know."""
    shape = list_elements.shape_operand(UNKNOWN)
    columns = [
        [list_elements.get_item(one, k, one._array.dtype, shape) for k in range(len(one._array))]
        for one in handles
    ]
    return [tree.pack_sequence_as(element, list(row)) for row in zip(*columns, strict=True)]
