"""The language of `demands`: what an operation asks of its operands, said once.

`demands(self, sizes)` is run by every reader before its own rule, which then trusts the operands:
tracing (`TRACED`) decides what is known by then and leaves the rest, eager execution (`EAGER`)
knows everything, and compiled code (`Compiled`) checks when it runs what nobody knew before. So a
message is written in one place, and no rule can forget to look.

    class Unpack(Op):
        def demands(self, sizes):
            shape = sizes.shape(self.value)
            axis = normal_axis(sizes, "Unpack", self.axis, len(shape))
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

Places in messages, `{}`, are filled with numbers, words, and tuples of them (shapes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from string import Formatter
from typing import Any, Final, Protocol, cast

import numpy as np

from ..core import dtypes
from ..core.specs import Known
from ..errors import InvalidArgumentError
from .lowering import NotStatic
from .sizes import require_countable, same, scalar

Size = Any  # int | Unknown | Scalar of int64
Condition = Any  # bool | Unknown | Scalar of bool


class Deferred(Exception):
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

    def shape(self, x: Any, rank: int | None = None) -> tuple[Size, ...]:
        """The sizes of an operand; `rank` says how many tracing shall take for unknown."""
        ...

    def numbers(self, x: Any) -> tuple[Size, ...]:
        """The elements of an integer scalar or vector."""
        ...

    def static(self, x: Any) -> Any:
        """The value of an operand that compiled code has to know as well: an int, or a list."""
        ...

    def fixed(self, size: Size, what: str) -> int:
        """A size that compiled code has to know as well; `what` says what it is."""
        ...

    def state(self, handle: Any) -> Any:
        """The value of a variable, of which `shape` tells the sizes."""
        ...

    def require(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        """Refuse the operands where `condition` does not hold."""
        ...

    def each(
        self,
        x: Any,
        holds: Callable[[Any], Condition],
        error: type[Exception],
        message: str,
        *values: Any,
        over: Sequence[Size] | None = None,
        placed: bool = False,
    ) -> None:
        """Refuse the operands where an element of `x` is not as it should be.

        Tracing leaves it. `{at}` in the message is the place of the first such element, `[1,2]` or
        nothing for a scalar, `{it}` the element; they come in this order, before other places.
        `over`: the shape to which `x` broadcasts where it is used; nothing is refused if that
        has no elements. `placed`: `holds` is given the index of the element, too.
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

    def each_pair(
        self, x: Any, holds: Callable[[Any, Any], Condition], error: type[Exception], message: str
    ) -> None:
        """The same for neighbours in a vector; an element goes with itself."""
        ...

    def bound(self, x: Any) -> Size:
        """What all integers in `x` are below: 1 + the largest, or 0."""
        ...

    def equal(self, one: Size, other: Size) -> Condition: ...
    def choose(self, condition: Condition, one: Size, other: Size) -> Size: ...
    def count(self, shape: Sequence[Size]) -> Size: ...

    def alike(
        self, have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        """Refuse shapes that differ; the last two places of the message are for them."""
        ...

    def possible(self, shape: Sequence[Size]) -> None:
        """Refuse sizes that no tensor can have."""
        ...


NEGATIVE_SIZE: Final = "Dimension {} must be >= 0"
TOO_MANY: Final = "More than 2**63 - 1 elements: {}"


class _Immediate:
    """What the two readers share that decide at once."""

    @staticmethod
    def require(condition: Condition, error: type[Exception], message: str, *values: Any) -> None:
        if condition is UNKNOWN or condition:
            return
        raise error(worded(message, values))

    @staticmethod
    def equal(one: Size, other: Size) -> Condition:
        return one == other

    @staticmethod
    def choose(condition: Condition, one: Size, other: Size) -> Size:
        return UNKNOWN if condition is UNKNOWN else (one if condition else other)

    @staticmethod
    def count(shape: Sequence[Size]) -> Size:
        return math.prod(shape)

    @staticmethod
    def possible(shape: Sequence[Size]) -> None:
        product: Any = 1
        for size in shape:
            if size is UNKNOWN:
                continue
            if size < 0:
                raise InvalidArgumentError(NEGATIVE_SIZE.format(size))
            product *= size
        if product >= 2**63:
            raise InvalidArgumentError(worded(TOO_MANY, (tuple(shape),)))


class Eager(_Immediate):
    """Reads demands on arrays."""

    @staticmethod
    def shape(x: Any, rank: int | None = None) -> tuple[int, ...]:
        return x.shape

    @staticmethod
    def numbers(x: Any) -> tuple[int, ...]:
        return tuple(x.reshape(-1).tolist())

    @staticmethod
    def static(x: Any) -> Any:
        return x.tolist()

    @staticmethod
    def fixed(size: int, what: str) -> int:
        return size

    @staticmethod
    def alike(
        have: Sequence[int], want: Sequence[int], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        if tuple(have) != tuple(want):
            raise error(worded(message, (*values, tuple(have), tuple(want))))

    @staticmethod
    def state(handle: Any) -> Any:
        return handle.read()

    @staticmethod
    def each(
        x: Any, holds: Any, error: type[Exception], message: str, *values: Any, over: Any = None,
        placed: bool = False,
    ) -> None:  # fmt: skip
        if over is not None and 0 in over:
            return
        good = holds(x, *np.ogrid[tuple(map(slice, x.shape))]) if placed else holds(x)
        if np.count_nonzero(good) != x.size:  # a third of what `all` takes
            place = np.argwhere(np.logical_not(good))[0].tolist()
            raise error(worded(message, values, place, x[tuple(place)]))

    @staticmethod
    def each_row(x: Any, holds: Any, error: type[Exception], message: str, *values: Any) -> None:
        if not x.shape[-1]:
            return
        good = holds([x[..., k] for k in range(x.shape[-1])])
        if np.count_nonzero(good) != good.size:
            place = np.argwhere(np.logical_not(good))[0].tolist()
            raise error(worded(message, values, place, x[tuple(place)].tolist()))

    @staticmethod
    def each_pair(x: Any, holds: Any, error: type[Exception], message: str) -> None:
        if not holds(x[:-1], x[1:]).all():
            raise error(message)

    @staticmethod
    def bound(x: Any) -> int:
        return max(int(x.max()) + 1, 0) if x.size else 0


class Traced(_Immediate):
    """Reads demands on what is known while a function is traced."""

    @staticmethod
    def alike(
        have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        differ = ((one == other) is False for one, other in zip(have, want, strict=False))
        if len(have) != len(want) or any(differ):
            raise error(worded(message, (*values, tuple(have), tuple(want))))

    @staticmethod
    def shape(x: Known, rank: int | None = None) -> tuple[Size, ...]:
        dims = x.shape.dims
        if dims is None:
            if rank is None:
                raise Deferred
            return (UNKNOWN,) * rank
        return tuple([UNKNOWN if size is None else size for size in dims])

    @staticmethod
    def numbers(x: Known) -> tuple[Size, ...]:
        numbers = x.sizes
        if numbers is None:
            length = x.shape.num_elements()
            if length is None:
                raise Deferred
            return (UNKNOWN,) * length
        return tuple([UNKNOWN if one is None else one for one in numbers])

    @staticmethod
    def static(x: Known) -> Any:
        if x.value is not None:
            return x.value.tolist()
        numbers = x.sizes
        if numbers is None or None in numbers:
            raise Deferred
        return list(numbers) if x.rank else numbers[0]

    @staticmethod
    def fixed(size: Size, what: str) -> int:
        if size is UNKNOWN:
            raise Deferred
        return size

    @staticmethod
    def state(handle: Any) -> Any:
        return Known(handle.spec.state)

    @staticmethod
    def each(*_: Any, over: Any = None, placed: bool = False) -> None:
        return None

    each_row = each_pair = each

    @staticmethod
    def bound(x: Known) -> Size:
        return UNKNOWN


class Compiled:
    """Reads demands on loop arrays: what is not known becomes a check in the program."""

    def __init__(self, loops: Any) -> None:
        self.loops = loops

    def shape(self, x: Any, rank: int | None = None) -> tuple[Size, ...]:
        return tuple(x.shape)

    def numbers(self, x: Any) -> tuple[Size, ...]:
        return tuple(self.loops.sizes(x))

    def static(self, x: Any) -> Any:
        return self.loops.static(x)

    def fixed(self, size: Size, what: str) -> int:
        if not isinstance(size, int):
            raise NotStatic(what)
        return size

    def state(self, handle: Any) -> Any:
        return self.loops.read(handle)

    def require(
        self, condition: Condition, error: type[Exception], message: str, *values: Any
    ) -> None:
        if isinstance(condition, bool):
            if not condition:  # it fails if it runs: its kernel then says so
                raise error(worded(message, values))
            return
        template, shown = spelled(message, values)
        self.loops.check(condition, error, template, *shown)

    def each(
        self, x: Any, holds: Any, error: type[Exception], message: str, *values: Any,
        over: Sequence[Size] | None = None, placed: bool = False,
    ) -> None:  # fmt: skip
        if over is not None and x.rank == 0:
            fits = holds(self._wide(x[()])) | (self.loops.count(over) == 0)
            self.require(fits, error, message, *values)
            return
        fitted = x if over is None else self.loops.broadcast(x, over)

        def fits_at(*index: Any) -> Condition:
            return holds(self._wide(fitted[index]), *(index if placed else ()))

        self._check_all(fitted.shape, fits_at, lambda *index: fitted[index], error, message, values)

    def each_row(
        self, x: Any, holds: Any, error: type[Exception], message: str, *values: Any
    ) -> None:
        *outer, width = x.shape
        if width:

            def row(*index: Any) -> Any:
                return [x[[*index, k]] for k in range(width)]

            def fits_at(*index: Any) -> Condition:
                return holds([self._wide(one) for one in row(*index)])

            self._check_all(outer, fits_at, row, error, message, values, width)

    def each_pair(self, x: Any, holds: Any, error: type[Exception], message: str) -> None:
        zero = self.loops.constant(0, dtypes.int64)

        def fits_at(k: Any) -> Condition:
            return holds(x[(self.loops.scalars.maximum(k - 1, zero),)], x[(k,)])

        self._check_all(x.shape, fits_at, lambda k: x[(k,)], error, message, ())

    def bound(self, x: Any) -> Size:
        above = self.loops.reduce(
            "max", (), x.shape, dtypes.int64, lambda _, index: self._wide(x[index]) + 1
        )[()]
        return self.loops.scalars.maximum(above, self.loops.constant(0, dtypes.int64))

    def _check_all(
        self, shape: Any, fits_at: Any, element: Any, error: type[Exception], message: str,
        values: tuple[Any, ...], width: int | None = None,
    ) -> None:  # fmt: skip
        template, shown = spelled(message, values, len(shape), width)
        shows_place, shows_element = "{at}" in message, "{it}" in message

        def facts(*index: Any) -> Any:
            found = element(*index) if shows_element else ()
            elements = found if isinstance(found, (list, tuple)) else (found,)
            return (*(index if shows_place else ()), *elements, *shown)

        self.loops.check_all(shape, fits_at, error, template, facts)

    def _wide(self, element: Any) -> Any:
        """An integer is as wide as sizes are."""
        is_narrow = element.dtype.is_integer and element.dtype is not dtypes.int64
        return self.loops.scalars.cast(element, dtypes.int64) if is_narrow else element

    def equal(self, one: Size, other: Size) -> Condition:
        return same(one, other) or one == other

    def choose(self, condition: Condition, one: Size, other: Size) -> Size:
        if isinstance(condition, bool):
            return one if condition else other
        where = self.loops.scalars.where
        return where(condition, scalar(self.loops, one), scalar(self.loops, other))

    def count(self, shape: Sequence[Size]) -> Size:
        return self.loops.count(shape)

    def alike(
        self, have: Sequence[Size], want: Sequence[Size], error: type[Exception], message: str,
        *values: Any,
    ) -> None:  # fmt: skip
        shapes = (*values, tuple(have), tuple(want))
        self.require(len(have) == len(want), error, message, *shapes)
        for one, other in zip(have, want, strict=True):
            self.require(self.equal(one, other), error, message, *shapes)

    def possible(self, shape: Sequence[Size]) -> None:
        for size in shape:
            if not self.loops.is_count(size):
                self.require(size >= 0, InvalidArgumentError, NEGATIVE_SIZE, size)
        require_countable(self.loops, shape)


def as_traced(application: Any) -> Any:
    """What `demands` returns for operands that are `Known`; None where not enough is known.

    Raises:
        OpError: the operands can not be these.
    """
    try:
        return application.demands(TRACED)
    except Deferred:
        return None


def dims(sizes: Sequence[Size]) -> tuple[int | None, ...]:
    """Sizes that `TRACED` gave, as shapes have them."""
    return tuple([None if size is UNKNOWN else size for size in sizes])


TRACED: Final = Traced()
EAGER: Final = Eager()


def worded(
    message: str, values: tuple[Any, ...], place: Sequence[int] = (), element: Any = None
) -> str:
    """A message about numbers that are known, or shown as None."""
    at = f"[{','.join(map(str, place))}]" if place else ""
    shown = [list(value) if isinstance(value, tuple) else value for value in values]
    return message.format(*shown, at=at, it=element)


def spelled(
    message: str, values: tuple[Any, ...], rank: int = 0, width: int | None = None
) -> tuple[str, list[Any]]:
    """The same for compiled code: a text with places for those numbers that only run time knows,
    and those of `values`. A place has `rank` numbers, an element is one or a row of `width`.
    """
    text, shown, following = "", list[Any](), iter(values)
    for before, field, *_ in Formatter().parse(message):
        text += before.replace("{", "{{").replace("}", "}}")
        if field == "at":
            text += f"[{','.join(['{}'] * rank)}]" if rank else ""
        elif field == "it":
            text += "{}" if width is None else f"[{', '.join(['{}'] * width)}]"
        elif field is not None:
            text += _place(values[int(field)] if field else next(following), shown)
    return text, shown


def _place(value: Any, shown: list[Any]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join([_place(one, shown) for one in cast('Sequence[Any]', value)])}]"
    if isinstance(value, (int, str)):
        return str(value).replace("{", "{{").replace("}", "}}")
    shown.append(value)
    return "{}"
