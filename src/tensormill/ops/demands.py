"""The language of `demands`: what an operation asks of its operands, said once.

`demands(self, sizes)` is run by every reader (`demand_readers.py`, `compiled_demands.py`) before
its own rule, which then trusts the operands: tracing decides what is known by then and leaves the
rest, eager execution knows everything, and compiled code checks when it runs what nobody knew
before. So a message is written in one place, and no rule can forget to look.

    class Unpack(Op):
        def demands(self, sizes):
            shape = sizes.shape(self.value)
            axis = from_the_front("Unpack", self.axis, len(shape))
            sizes.require(
                sizes.equal(shape[axis], self.num), ShapeMismatchError,
                "Unpack: Input shape axis {} must equal {}, got shape {}", axis, self.num, shape,
            )
            return axis

What it returns is `self.found` for the other rules of the same application (None where tracing
could not get to the end). Numbers are ints, `UNKNOWN` while tracing, or scalars of the loop
language, which all take `+ - * // %` and comparisons. What these give is a *condition*: it takes
`&` and `|`, never `and`, `or`, `not` or `if`. An operand whose rank tracing does not know, or a
value that it does not, ends the rule there: what can be told without comes first.

Places in messages, `{}`, are filled with numbers, words, and tuples of them (shapes): `[2, 3]`.
Numbers and words that are to stand there otherwise are `Pieces`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from ..errors import ShapeMismatchError

if TYPE_CHECKING:
    from ..core.dtypes import DType

Size = Any  # int | Unknown | Scalar of int64
Condition = Any  # bool | Unknown | Scalar of bool


class Undecided(Exception):
    """Tracing does not know enough for what comes next in a `demands` rule."""


class Unknown:
    """A number, or an answer, that only run time knows: so is what is reckoned from it."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _stays(self, *_: Any) -> Unknown:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _stays
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = _stays
    __lt__ = __le__ = __gt__ = __ge__ = _stays
    __eq__ = __ne__ = _stays  # type: ignore[assignment]

    def __and__(self, other: Any) -> Any:
        return False if other is False else self

    def __or__(self, other: Any) -> Any:
        return True if other is True else self

    __rand__, __ror__ = __and__, __or__

    def __bool__(self) -> bool:
        raise TypeError("whether it is so is not known while a function is traced")

    def __repr__(self) -> str:
        return "None"  # as in shapes


UNKNOWN: Final = Unknown()


class Sizes(Protocol):
    """What `demands` rules may say."""

    scalars: Any  # the scalar language (ops/scalar.py)

    # Whether NumPy's kernels look themselves. What one refuses is told by the rule, which is then
    # read by `TRACED` with all values known: it may leave out here what costs eager calls much.
    numpy_looks: bool

    def shape(self, x: Any, rank: int | None = None) -> tuple[Size, ...]:
        """The sizes of an operand; `rank` says how many tracing shall take for unknown."""
        ...

    def shapes(self, operands: Sequence[Any], message: str) -> Sequence[tuple[Size, ...]]:
        """The shapes of operands that have as many axes each; `message` is as that of `common`."""
        ...

    def rank(self, x: Any) -> Size:
        """How many axes an operand has: an int, or `UNKNOWN`."""
        ...

    def dtype(self, x: Any) -> DType: ...
    def is_integer(self, x: Any) -> bool: ...
    def is_text(self, x: Any) -> bool: ...

    def numbers(self, x: Any, count: int | None = None) -> tuple[Size, ...]:
        """The elements of integers, of a matrix row by row; `count`: it was demanded that there
        are so many (of a matrix: in rows of a known length), which nobody has to know before a run.
        """
        ...

    def values(self, *operands: Any) -> tuple[Any, ...]:
        """Scalars of any dtype, of which tracing has to know all."""
        ...

    def static(self, x: Any) -> Any:
        """The value of an operand that compiled code has to know as well: an int, or a list."""
        ...

    def fixed(self, size: Size, what: str) -> int:
        """A size that compiled code has to know as well; `what` says what it is."""
        ...

    def length(self, items: Any) -> Size:
        """How many elements a list has."""
        ...

    def state(self, handle: Any) -> Any:
        """The value of a variable, of which `shape` tells the sizes."""
        ...

    def declared(self, handle: Any) -> Sequence[Size | None] | None:
        """The sizes that any value of a variable has, as far as they are fixed."""
        ...

    def require(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        """Refuse the operands where `condition` does not hold."""
        ...

    def require_early(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        """Refuse what only TensorFlow's tracing minds, of sizes that it knows: its kernels do
        without.
        """
        ...

    def require_late(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        """The same for what TensorFlow's tracing leaves, even if it knows: a function may have a
        wrong call in a branch that never runs. What comes next in the rule must go with all.
        """
        ...

    def each(
        self,
        x: Any,
        holds: Callable[[Any], Condition],
        error: type[Exception],
        message: str,
        *values: Any,
        among: Sequence[Any] = (),
        placed: bool = False,
    ) -> None:
        """Refuse the operands where an element of `x` is not as it should be.

        Tracing leaves it. `{at}` in the message is the place of the first such element, `[1,2]` or
        nothing for a scalar, `{it}` the element.
        `among`: operands with which `x` broadcasts; nothing is refused where these have no element
        together. `placed`: `holds` is given the index of the element, too.
        """
        ...

    def each_row(
        self,
        x: Any,
        holds: Callable[[Sequence[Any]], Condition],
        error: type[Exception],
        message: str,
        *values: Any,
    ) -> None:
        """The same for the rows of `x` along its last axis, whose size compiled code must know;
        rows of nothing are as they should be.
        """
        ...

    def every(self, x: Any, holds: Callable[[Any], Any]) -> Condition:
        """Whether all elements of `x` are as they should be; tracing does not know."""
        ...

    def each_pair(
        self, x: Any, holds: Callable[[Any, Any], Condition], error: type[Exception], message: str
    ) -> None:
        """The same for neighbours in a vector; an element goes with itself."""
        ...

    def text(self, arrays: Sequence[Any], most: int, told: Callable[[Any, int], str]) -> Any:
        """The first elements, `most` of each (-1: all), of arrays, for a message: `[1 2...] [3]`.

        `told` gives the text of one array. Compiled code shows whole numbers and constants; with
        others, or too many, the operation becomes a callback step.
        """
        ...

    def bound(self, x: Any) -> Size:
        """What all integers in `x` are below: 1 + the largest, or 0."""
        ...

    def all_known(self, *sizes: Size) -> bool: ...
    def is_count(self, size: Size) -> bool:
        """Whether a number is surely not negative."""
        ...

    def equal(self, one: Size, other: Size) -> Condition: ...
    def steps(self, first: Any, last: Any, stride: Any) -> tuple[Size, Condition]:
        """How often a number goes from `first` by `stride` before it is at `last`, which lies that
        way; and whether 63 bits hold that.
        """
        ...

    def choose(self, condition: Condition, one: Size, other: Size) -> Size: ...
    def minimum(self, one: Size, other: Size) -> Size: ...
    def count(self, shape: Sequence[Size]) -> Size: ...

    def extent(self, width: Size, first: Size | None, last: Size | None, step: Size) -> Size:
        """How many places `first:last:step` has on an axis of `width`, as in Python (None: from
        its beginning, to its end). Compiled code has to know `step`.
        """
        ...

    def are_same(self, one: Sequence[Size], other: Sequence[Size]) -> Condition:
        """Whether two shapes are equal."""
        ...

    def alike(
        self, have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        """Refuse shapes that differ; the last two places of the message are for them."""
        ...

    def compatible(
        self, have: Sequence[Size], want: Sequence[Size | None], error: type[Exception],
        message: str, *values: Any,
    ) -> None:  # fmt: skip
        """Refuse a shape that is not `want`, of which any size may be None; the last two places of
        the message are for them, as Python shows tuples.
        """
        ...

    def common(
        self, shapes: Sequence[Sequence[Size]], error: type[Exception], message: str, *values: Any
    ) -> Sequence[Size]:
        """The shape that several have, of which the best is known; the last three places of the
        message are for the first one and for the number of another and this.
        """
        ...

    def refuse_late(self, error: type[Exception], message: str, *values: Any) -> None:
        """Refuse the operands, for what TensorFlow's tracing leaves: there the rule ends here."""
        ...

    def possible(self, shape: Sequence[Size]) -> None:
        """Refuse sizes that no tensor can have."""
        ...

    def possible_late(self, shape: Sequence[Size]) -> tuple[Size, ...]:
        """The sizes; refuse them as `possible` does, but that tracing takes -1 for unknown, as
        TensorFlow's does: it fails where it runs.
        """
        ...

    def is_countable(self, shape: Sequence[Size]) -> Condition:
        """Whether none of the sizes is negative, and 64 bits hold their product."""
        ...


class Pieces(tuple[Any, ...]):
    """Words and numbers that stand in a message one after the other, with nothing between them."""

    __slots__ = ()

    def __str__(self) -> str:
        return "".join(map(str, self))


class Late:
    """A text that is told when somebody reads it."""

    __slots__ = ("_tell",)

    def __init__(self, tell: Callable[[], str]) -> None:
        self._tell = tell

    def __str__(self) -> str:
        return self._tell()


def in_parentheses(shape: Sequence[Size | None]) -> Pieces:
    """A shape as Python shows a tuple: `(2,)`."""
    separated = [piece for size in shape for piece in (", ", size)][1:]
    return Pieces(("(", *separated, ",)" if len(shape) == 1 else ")"))


def dims(sizes: Sequence[Size]) -> tuple[int | None, ...]:
    """Sizes that `TRACED` gave, as shapes have them."""
    return tuple([None if size is UNKNOWN else size for size in sizes])


def refuse(error: type[Exception], message: str, *values: Any) -> NoReturn:
    """Refuse operands for what every reader knows: numbers of axes, attributes, static values."""
    raise error(worded(message, values))


def require_some(name: str, values: Sequence[Any], least: int) -> None:
    """Refuse a list without any tensor; `least`: how many TensorFlow's operation wants."""
    if not values:
        few = "List argument 'values' to '{}' Op with length 0 shorter than minimum length {}."
        refuse(ShapeMismatchError, few, name, least)


def either(*conditions: Condition) -> Condition:
    """Whether one of them holds."""
    found: Condition = False
    for one in conditions:
        if one is True:
            return True
        if one is not False:
            found = one if found is False else found | one
    return found


def worded(
    message: str, values: tuple[Any, ...], place: Sequence[int] = (), element: Any = None
) -> str:
    """A message about numbers that are known, or shown as None."""
    at = f"[{','.join(map(str, place))}]" if place else ""
    shown = [list(value) if type(value) is tuple else value for value in values]
    return message.format(*shown, at=at, it=element)
