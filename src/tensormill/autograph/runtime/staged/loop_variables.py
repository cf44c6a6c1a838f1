"""The variables of a staged loop: which of their leaves the graph carries, and as what.

A variable without a value before the loop gets a stand-in, once an iteration has shown what it will
be. A Python number takes the dtype that it is promoted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....core import dtypes, tree
from ....core.dtypes import DType
from ....core.shapes import TensorShape, as_shape
from ....core.type_spec import TypeSpec
from ....graph.numbers.loop_numbers import LoopNumber, fits, numbers_in, python_dtype
from ...errors import about_variable
from .. import tensors
from ..places import containers
from ..places.records import instead_of_object
from ..places.structures import TakenApart
from ..sentinels import NO_VALUE, UNSET
from .loop_state import LoopState

_NUMBERS = (bool, int, float, complex)


@dataclass(slots=True, eq=False)
class Leaf:
    """One value of a variable: a loop variable of the graph, or a constant of the trace."""

    name: str
    start: Any  # the value before the loop; of a stand-in, something that looks like it
    is_carried: bool
    is_stand_in: bool = False
    dtype: DType | None = None  # asked for; None: its own
    is_strict: bool = False  # a Python number that takes no other dtype
    invariant: TensorShape | None = None  # asked for by the user
    shape: TensorShape | None = None  # of a composite's part: what its spec says
    wider: TensorShape | None = None  # what an earlier round has shown

    def number(self) -> LoopNumber | None:
        """What takes note of the dtypes that the Python number which this is would have to have;
        None where it is none, or its dtype is decided.
        """
        if not self.is_carried or self.is_stand_in or self.dtype is not None or self.is_strict:
            return None
        if tensors.is_weak(self.start):
            return LoopNumber()
        within = numbers_in(self.start) if tensors.is_tensor(self.start) else []
        return LoopNumber(within) if within else None

    def tensor(self) -> Any:
        """The loop variable before the loop."""
        if self.is_stand_in:
            return tensors.blank_like(self.start)
        return tensors.as_tensor(self.start, self.dtype)

    def allowed_shape(self, tensor: Any) -> TensorShape:
        """The shapes that the loop variable, which starts as `tensor`, may have.

        Raises:
            ValueError: the user's invariant does not allow the shape before the loop.
        """
        if self.wider is not None and self.invariant is None:
            return self.wider if self.is_stand_in else self.wider.relax(tensor.shape)
        if self.is_stand_in and self.shape is None:
            return self.start.shape if tensors.is_tensor(self.start) else tensor.shape
        if self.invariant is None:
            return tensor.shape if self.shape is None else self.shape
        if tensor.shape.is_subtype_of(self.invariant):
            return self.invariant
        raise ValueError(
            f"'{self.name}' has shape {tensor.shape} before the loop, which does not conform with "
            f"the shape invariant {self.invariant}."
        )


class LoopVariable:
    """A variable of the user's function, as a loop changes it."""

    def __init__(
        self, name: str, before: Any, state: LoopState, *, is_elsewhere: bool = False
    ) -> None:
        """`is_elsewhere`: it is an item or attribute, which code may look for before it is made."""
        self.name, self.before, self.state = name, before, state
        self.is_elsewhere = is_elsewhere
        self._structure = TakenApart(name, before)
        self.has_value = not self._structure.is_absent
        self.leaves = self._leaves()
        for leaf in self.leaves:
            leaf.dtype = state.dtypes.get(leaf.name)
            leaf.is_strict = leaf.name in state.strict

    def _leaves(self) -> list[Leaf]:
        made = self._structure
        return [
            Leaf(name, part, tensors.may_be_tensor(part), shape=shape)
            for name, part, shape in zip(made.names, made.parts, made.shapes, strict=True)
        ]

    def recall(self, *, is_late: bool = False) -> None:
        """Be what earlier rounds have shown; `is_late`: after an iteration."""
        is_absent = self.name in self.state.counted and not is_late
        if not self.has_value and not is_absent and self.name in self.state.firsts:
            self._stand_in(self.state.firsts[self.name])
        for leaf in self.leaves:
            shape = self.state.wider.get(leaf.name)
            leaf.wider = shape if isinstance(shape, TensorShape) else None
        if isinstance(spec := self.state.wider.get(self.name), TypeSpec):
            self.keep(spec)

    def keep(self, spec: TypeSpec) -> None:
        """Be a composite of this spec in all iterations.

        Raises:
            ValueError: it is none before the loop.
        """
        if not self._structure.keep(spec):
            raise ValueError(
                f"'{self.name}' is {self.before!r} before the loop, which does not conform with "
                f"the shape invariant {spec!r}."
            )
        for leaf, shape in zip(self.leaves, self._structure.shapes, strict=True):
            leaf.shape = shape

    def _stand_in(self, first: Any) -> None:
        """Start with something that looks like what an iteration has left behind.

        A constant is taken to be the same after each iteration, unless it is known to vary: then
        it looks like the tensor that took its place.
        """
        like = containers.with_staged_lists(self.name, first, self.state.elements, empty=True)
        self._structure = TakenApart(self.name, like)
        self.leaves = self._leaves()
        for leaf in self.leaves:
            leaf.is_stand_in = True
            leaf.start = self.state.varying.get(leaf.name, leaf.start)
            leaf.is_carried = tensors.is_tensor(leaf.start)

    @property
    def must_be_set(self) -> bool:
        """Whether the loop has to run once for the variable to have its value."""
        return bool(self.leaves) and not self.has_value and self.before is not NO_VALUE

    @property
    def carried(self) -> list[Leaf]:
        return [leaf for leaf in self.leaves if leaf.is_carried]

    def built(self, carried: Sequence[Any]) -> Any:
        """The variable's value, around what its carried leaves are now."""
        if not self.leaves:
            return self.before
        rest = iter(carried)
        parts = [next(rest) if leaf.is_carried else leaf.start for leaf in self.leaves]
        return self._structure.rebuilt(parts)

    def join(self, left: TakenApart) -> list[Any] | None:
        """What an iteration that left this behind makes of the carried leaves; None where it shows
        that the variable is something more than it was known to be.

        Raises:
            ValueError: the variable lost its value.
            TypeError: it has another structure, or holds what no tensor can.
        """
        if not self.leaves and not self.has_value:
            return self._given(left)
        if left.is_absent:
            state = "has no value" if left.value is UNSET else "is None"
            text = f"{called(self.name)} {state} after one iteration, but had one before"
            raise about_variable(self.name, ValueError(text))
        if elements := containers.lists_to_stage(self.name, self._structure.value, left.value):
            return self.state.let_grow(elements)
        if self._structure.difference(left) is not None:
            raise _other_structure(self.name, self._structure.value, left.value)
        if (wider := self._structure.common_spec(left)) is not None:
            return self.state.widen(self.name, wider)
        if (violation := self._structure.violation(left)) is not None:
            text = (
                f"{called(self.name)} does not keep its spec after one iteration: {violation}. Use "
                "tf.autograph.experimental.set_loop_options to set shape invariants."
            )
            raise about_variable(self.name, ValueError(text))
        return self._carried_of(left.parts)

    def _given(self, left: TakenApart) -> list[Any] | None:
        if left.is_absent:
            return []
        # Nothing can have read what had no value, but None may have been looked at.
        is_known = self.before is not None and self.name not in self.state.needed
        return self.state.give(self.name, left.value, is_known)

    def _carried_of(self, values: Sequence[Any]) -> list[Any]:
        found: list[Any] = []
        for leaf, value in zip(self.leaves, values, strict=True):
            if leaf.is_carried:
                found.append(value)
            elif _is_same(value, leaf.start):
                continue
            elif self._is_counted(leaf):
                self.state.count_in_python(self.name)
            else:
                self.state.vary(leaf.name, self._tensor_instead(leaf, value))
        return found

    def _is_counted(self, leaf: Leaf) -> bool:
        """Whether the body made a number for Python, of which it makes another one."""
        is_made = leaf.is_stand_in and self.is_elsewhere and self.before is UNSET
        return is_made and isinstance(leaf.start, _NUMBERS) and self.name not in self.state.counted

    def _tensor_instead(self, leaf: Leaf, value: Any) -> Any:
        """A tensor like those that take the place of what looked like a constant.

        Raises:
            TypeError: nothing says that there is one.
        """
        if leaf.is_stand_in and tensors.is_tensor(value):
            return value
        # `k = 1 if k is None else k + 1`: Python adds to what the first iteration has left.
        if leaf.is_stand_in and self.before is None and isinstance(value, _NUMBERS):
            return tensors.as_tensor(value)
        raise _not_a_tensor(leaf.name, value)


def called(name: str) -> str:
    """What messages call a variable."""
    from ..wording import subject  # not before there is an error

    return subject(name)


def _is_same(value: Any, start: Any) -> bool:
    """Whether a value is the one that it was, or an equal constant."""
    if value is start:
        return True
    is_constant = type(value) is type(start) and type(value) in (bool, int, float, complex, str)
    return is_constant and repr(value) == repr(start)  # 0.0 is no -0.0


def _not_a_tensor(name: str, value: Any) -> TypeError:
    text = (
        f"{called(name)} changes in a loop that the graph runs, so it has to be a tensor. "
        f"Failed to convert elements of {value!r} to Tensor{instead_of_object(value)}"
    )
    return about_variable(name, TypeError(text))


def _other_structure(name: str, before: Any, after: Any) -> TypeError:
    from ..wording import described  # not before there is an error

    text = (
        f"{called(name)} does not have the same nested structure after one iteration: it was "
        f"{described(before)}, and is {described(after)}{_what_grows(before)}"
    )
    return about_variable(name, TypeError(text))


def next_tensor(
    state: LoopState, leaf: Leaf, now: Any, number: LoopNumber | None, new: Any
) -> Any | None:
    """The loop variable after an iteration; `now` is its tensor at the start of the iteration.

    None where that shows more of the variable than was known.

    Raises:
        TypeError: it is no tensor, or not of the dtype that it had.
        ValueError: its shape is not one of those allowed.
    """
    if not tensors.may_be_tensor(new):
        raise _not_a_tensor(leaf.name, new)
    if number is not None and _takes_dtype(state, leaf, now, new, number):
        return None
    if not leaf.is_stand_in and (new is now or _is_same(new, leaf.start)):
        state.unchanged.add(leaf)
    is_weak = tensors.is_weak(new) and tensors.fits(new, now.dtype)
    tensor = tensors.as_tensor(new, now.dtype if is_weak else None)
    if tensor.dtype is not now.dtype:
        if leaf.dtype is not None and fits(now.dtype, tensor.dtype):
            return state.promote(leaf.name, now.dtype, tensor.dtype)
        text = (
            f"{called(leaf.name)} has dtype {now.dtype.name} before the loop, but dtype "
            f"{tensor.dtype.name} after one iteration; use tf.cast to keep one dtype"
        )
        error = about_variable(leaf.name, TypeError(text))
        if numbers_in(new):
            return state.doubt(error)  # one of these may be promoted yet
        raise error
    allowed = now.shape
    if tensor.shape.is_subtype_of(allowed):
        return tensor
    may_keep_rank = tensor.shape.rank in (None, allowed.rank)
    if leaf.invariant is None and leaf.shape is None and may_keep_rank:
        return state.widen(leaf.name, allowed.relax(tensor.shape))
    raise about_variable(leaf.name, ValueError(_shape_message(leaf, allowed, tensor.shape)))


def _takes_dtype(state: LoopState, leaf: Leaf, now: Any, new: Any, number: LoopNumber) -> bool:
    """Whether a Python number has to be another one: of the dtype that it has after an iteration,
    or of one that was wished for.
    """
    dtype = python_dtype(new)
    if dtype is not now.dtype and fits(now.dtype, dtype):
        state.promote(leaf.name, now.dtype, dtype)
        return True
    if not number.wishes or dtype is not now.dtype:
        return False
    grant(state, leaf, now, number)
    return True


def grant(state: LoopState, leaf: Leaf, now: Any, number: LoopNumber) -> None:
    """Let a counter that is compared with int64 be one; what else was wished for is refused."""
    if number.wishes == {dtypes.int64} and now.dtype.is_integer:
        state.promote(leaf.name, now.dtype, dtypes.int64)
    else:
        state.be_strict(leaf.name)


def _shape_message(leaf: Leaf, allowed: TensorShape, shape: TensorShape) -> str:
    if leaf.invariant is not None:
        return (
            f"'{leaf.name}' has shape {shape} after one iteration, which does not conform with "
            f"the shape invariant {allowed}."
        )
    return (
        f"'{leaf.name}' has shape {allowed} before the loop, but shape {shape} after one "
        "iteration. Use tf.autograph.experimental.set_loop_options to set shape invariants: as the "
        "first line in the loop, tf.autograph.experimental.set_loop_options("
        f"shape_invariants=[({leaf.name}, tf.TensorShape(None))]) allows any shape"
    )


def set_invariants(variables: Sequence[LoopVariable], pairs: Any) -> None:
    """Note `shape_invariants=[(value, shape), …]`: a variable is known by its value."""
    for value, shape in pairs or ():
        for variable in variables:
            if variable.has_value and variable.before is value:
                _set_invariant(variable, shape)


def _set_invariant(variable: LoopVariable, shape: Any) -> None:
    if isinstance(shape, TypeSpec) and shape.is_composite:
        variable.keep(shape)
        return
    shapes = [shape] if isinstance(shape, TensorShape) else tree.flatten(shape)
    if len(shapes) != len(variable.leaves):  # one shape, as a list of sizes
        shapes = [shape] * len(variable.leaves)
    for leaf, one in zip(variable.leaves, shapes, strict=True):
        leaf.invariant = as_shape(one)


def _what_grows(value: Any) -> str:
    """What to write instead of a tuple or dict that an iteration makes longer."""
    if type(value) is dict:
        return "; give the dict all its keys in front of the loop"
    return "; start with a list and append to it, which may grow" if type(value) is tuple else ""
