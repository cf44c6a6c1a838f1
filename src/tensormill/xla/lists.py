"""Lists of tensors (TensorArrays) in a program: one array that is as long as the list may become.

Elements have one shape, which the first one that is written tells; places that were never written
are zeros. A list of static length stays one as long as it does in all turns of a loop. One that
grows there gets room for a guess; where that is too little the program says how much there has to
be (`ProgramState.needed`), changes nothing, and is made and called again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.process.named_tuples import NamedTuple
from ..core.specs import ListSpec, TensorSpec, ValueSpec
from ..errors import ShapeMismatchError
from ..ops.lists.list_value import ListValue
from .language import NotInXla
from .values import dtype_is_usual

OTHER_SHAPES: Final = "the elements of its list have different shapes"
NO_SHAPE: Final = "nothing tells the shape of the elements of its list"
GUESSED: Final = 16  # elements for which a list that grows in a loop has room at first


@final
class _Aside:
    """A spec beside a list: no two kinds of lists differ by it."""

    def __init__(self, spec: ListSpec) -> None:
        self.spec: Final = spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Aside)

    def __hash__(self) -> int:
        return 0


class ListKind(NamedTuple):
    """What a list is before a loop: of elements of this shape (None: not known), growing, with room
    for so many at least.
    """

    shape: tuple[int, ...] | None
    grows: bool
    room: int


def joined(one: ListKind | None, other: ListKind | None) -> ListKind | None:
    """The least kind that has what either has."""
    if one is None or other is None:
        return one or other
    shape = one.shape if other.shape is None else other.shape
    return ListKind(shape, one.grows or other.grows, max(one.room, other.room))


@final
@jax.tree_util.register_pytree_node_class
class HeldList:
    """A list: its elements in an array (None: no element has told their shape), and its length.

    `length` is an int where it is static. `site` is the place in the state where a program says
    that the list has to be longer; None: there it has static length, and takes what room it needs.
    """

    __slots__ = ("buffer", "length", "room", "site", "spec")

    def __init__(
        self, spec: ListSpec, buffer: Any, length: Any, room: int, site: int | None = None
    ) -> None:
        self.spec: Final = spec
        self.buffer = buffer
        self.length = length
        self.room: Final = room
        self.site = site

    @property
    def is_static(self) -> bool:
        return isinstance(self.length, int)

    def replaced(self, buffer: Any, length: Any, room: int | None = None) -> HeldList:
        return HeldList(self.spec, buffer, length, self.room if room is None else room, self.site)

    def replaced_length(self, length: Any) -> HeldList:
        return self.replaced(self.buffer, length)

    def of(self, spec: ValueSpec) -> HeldList:
        """The list, of whose elements inference knows this."""
        if not isinstance(spec, ListSpec) or spec == self.spec:
            return self
        return HeldList(spec, self.buffer, self.length, self.room, self.site)

    def tree_flatten(self) -> tuple[Any, Any]:
        shape = None if self.buffer is None else self.buffer.shape
        if self.is_static:
            return (self.buffer,), (_Aside(self.spec), self.length, self.room, self.site, shape)
        return (self.buffer, self.length), (_Aside(self.spec), None, self.room, self.site, shape)

    @classmethod
    def tree_unflatten(cls, facts: Any, leaves: Any) -> HeldList:
        aside, length, room, site, _ = facts
        return cls(aside.spec, leaves[0], leaves[1] if length is None else length, room, site)

    def leaving(self) -> HeldList:
        """The list outside of its program."""
        return HeldList(self.spec, self.buffer, self.length, self.room)

    # ---- room
    def shaped(self, shape: Sequence[int]) -> HeldList:
        """The list, with elements of this shape.

        Raises:
            NotInXla: they have another one.
        """
        if self.buffer is None:
            whole = (self.room, *shape)
            return self.replaced(jnp.zeros(whole, self.spec.element.dtype.storage), self.length)
        if tuple(self.buffer.shape[1:]) != tuple(shape):
            raise NotInXla(OTHER_SHAPES)
        return self

    def with_room(self, room: int) -> HeldList:
        """The list, with room for so many elements."""
        if room <= self.room:
            return self
        buffer = self.buffer
        if buffer is not None:
            more = jnp.zeros((room - self.room, *buffer.shape[1:]), buffer.dtype)
            buffer = jnp.concatenate([buffer, more])
        return self.replaced(buffer, self.length, room)

    def growing(self, site: int, room: int) -> HeldList:
        """The list as one that may grow in a loop, which has room for so many elements."""
        grown = self.with_room(room)
        length = jnp.asarray(grown.length, np.int64)
        return HeldList(grown.spec, grown.buffer, length, grown.room, site)

    # ---- elements
    def element_shape(self, stated: Sequence[Any]) -> tuple[int, ...]:
        """The shape of elements: theirs, or what is known of it."""
        if self.buffer is not None:
            return tuple(self.buffer.shape[1:])
        known = TensorSpec([None if size < 0 else size for size in stated]).shape
        known = known.merge_with(self.spec.element.shape)
        if not known.is_fully_defined():
            raise NotInXla(NO_SHAPE)
        return tuple(int(size or 0) for size in known.entries or ())

    def rows(self, stated: Sequence[Any]) -> Any:
        """All elements, and what there is room for: an array."""
        shape = self.element_shape(stated)
        for have, want in zip(shape, stated, strict=True):
            if 0 <= want != have:
                raise ShapeMismatchError(f"Incompatible shapes: {list(shape)}, not {list(stated)}")
        return self.shaped(shape).buffer

    def get(self, index: Any, stated: Sequence[Any]) -> Any:
        rows = self.rows(stated)
        if not rows.shape[0]:
            return jnp.zeros(rows.shape[1:], rows.dtype)
        return lax.dynamic_index_in_dim(rows, index, keepdims=False)

    def set(self, index: Any, value: Any) -> HeldList:
        """A list with another element, for which there is room."""
        shaped = self.shaped(value.shape)
        if not shaped.room:
            return shaped
        buffer = lax.dynamic_update_index_in_dim(shaped.buffer, value, index, 0)
        return shaped.replaced(buffer, shaped.length)

    def exact(self) -> int:
        """The length, which has to be static."""
        if not self.is_static:
            raise NotInXla("how long its list is is only known when it runs")
        return self.length

    # ---- loops
    def kind_for(self, after: Any) -> ListKind:
        """What a loop has to begin with so that its body, which made `after` of it, keeps that."""
        if not isinstance(after, HeldList):
            raise NotInXla("a loop changes what its list is")
        shape = None if after.buffer is None else tuple(after.buffer.shape[1:])
        grows = self.is_static and self.length != _static(after)
        return ListKind(shape, grows, 0 if grows else after.room)

    def in_form(self, others: Sequence[HeldList]) -> HeldList:
        """The list in the form that it has in common with others."""
        shapes = {one.buffer.shape[1:] for one in others if one.buffer is not None}
        if len(shapes) > 1:
            raise NotInXla(OTHER_SHAPES)
        found = self.with_room(max(one.room for one in others))
        found = found.shaped(next(iter(shapes))) if shapes else found
        if len({_static(one) for one in others}) == 1 and found.is_static:
            return found
        site = next((one.site for one in others if one.site is not None), None)
        length = jnp.asarray(found.length, np.int64)
        return HeldList(found.spec, found.buffer, length, found.room, site)


def _static(items: HeldList) -> int | None:
    """The length, where it is static."""
    return items.length if items.is_static else None


# ---------------------------------------------------------------- outside of programs


def held(items: ListValue) -> HeldList | None:
    """A list of eager execution for a program; None where its elements differ in shape."""
    length, written = len(items), [one for one in items.items if one is not None]
    if not dtype_is_usual(items.dtype) or len({one.shape for one in written}) > 1:
        return None
    if not written:
        return HeldList(items.spec, None, length, length)
    zeros = np.zeros(written[0].shape, items.dtype.storage)
    buffer = np.stack([zeros if one is None else one for one in items.items])
    return HeldList(items.spec, buffer, length, length)


def released(items: HeldList) -> ListValue:
    """The list as eager execution has it."""
    element, length = items.spec.element, int(items.length)
    if items.buffer is None:
        return ListValue(element.dtype, element.shape, (None,) * length)
    return ListValue(element.dtype, element.shape, list(np.asarray(items.buffer)[:length]))
