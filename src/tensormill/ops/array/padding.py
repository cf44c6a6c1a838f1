"""Arrays with something around them: constants, or their own mirror image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor, known_of, static_int
from ..demands import UNKNOWN, dims
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, Attr, In, Moves, Op, Out, as_eager, usually
from ..sizes import statically_equal

if TYPE_CHECKING:
    from ..results import Tensor


class Padding(Op, abstract=True):
    """`paddings` [rank, 2]: how much is added before and after each axis."""

    input = In("T ...")
    paddings = In("Tpaddings r 2")
    output = Out("T ...")
    T = ANY
    Tpaddings = INDEX
    usual = usually(Tpaddings="i32")

    def demands(self, sizes: Any) -> Any:
        """The paddings, pairs of sizes, of an input of this shape."""
        matrix = sizes.shape(self.paddings, 2)
        fits = sizes.equal(matrix[1], 2) if len(matrix) == 2 else False
        if fits is not True:
            sizes.require(fits, InvalidArgumentError, NO_PAIRS, self.name)
        shape = sizes.shape(self.input)
        fits, rank = sizes.equal(matrix[0], len(shape)), len(shape)
        if fits is not True:
            sizes.require(fits, InvalidArgumentError, NOT_EACH, self.name, rank, matrix[0])
        margins = self.margins(sizes, len(shape))
        for before, after in margins:
            fits = (before >= 0) & (after >= 0)
            if fits is not True:
                sizes.require(fits, InvalidArgumentError, NEGATIVE, self.name, before, after)
        self.demand_room(sizes, margins, shape)
        return margins

    def margins(self, sizes: Any, rank: int) -> Any:
        """How much is before and after each axis."""
        return sizes.static(self.paddings)

    def demand_room(self, sizes: Any, margins: Any, shape: Any) -> None:
        """What there must be to fill the paddings."""

    def infer(self) -> TensorSpec:
        own, margins = self.input.shape.entries, self.found
        if own is None:
            length = self.paddings.shape.entries[0] if self.paddings.shape.entries else None
            return TensorSpec(None if length is None else (None,) * length, self.input.dtype)
        if margins is None:
            return TensorSpec((None,) * len(own), self.input.dtype)
        pairs = zip(own, map(self.added, margins), strict=True)
        sizes = [UNKNOWN if size is None else size + by for size, by in pairs]
        return TensorSpec(dims(sizes), self.input.dtype)

    def added(self, margin: Any) -> int:
        """By how much an axis grows."""
        return sum(margin)


NOT_EACH = "{}: The first dimension of paddings must be the rank of inputs, {}, not {}"
NO_PAIRS = "{}: paddings must be a matrix with 2 columns"
NEGATIVE = "{}: Paddings must be non-negative: {} {}"


class ConstantPadding(Padding, abstract=True):
    """Padding with one value. How much of it may be known to nobody before a run."""

    def margins(self, sizes: Any, rank: int) -> Any:
        flat = sizes.numbers(self.paddings, 2 * rank)
        return list(zip(flat[::2], flat[1::2], strict=True))

    def filled(self, np: Any, value: Any) -> Any:
        """The input within an array of `value`.

        `np.pad` makes strings of NumPy's of bytes, which end before their last zero bytes; so
        does `np.full`, unless they are in an array.
        """
        x, margins = self.input, self.found
        if x.ndim == 0:
            return x
        pairs = list(zip(margins, x.shape, strict=True))
        sizes = [before + size + after for (before, after), size in pairs]
        result = np.full(sizes, value, x.dtype)
        result[tuple(slice(before, before + size) for (before, _), size in pairs)] = x
        return result

    def padded(self, loops: Any, value: Any) -> Any:
        x, margins = self.input, self.found
        s, zero = loops.scalars, loops.constant(0, dtypes.int64)
        shape = [before + d + after for (before, after), d in zip(margins, x.shape, strict=True)]

        def element(*index: Any) -> Any:
            inside, own = None, []
            for i, (before, after), size in zip(index, margins, x.shape, strict=True):
                place = i if statically_equal(before, 0) else i - before
                own.append(place)
                if statically_equal(before, 0) and statically_equal(after, 0):
                    continue
                fits = (place >= 0) & (place < size)
                inside = fits if inside is None else inside & fits
                own[-1] = s.maximum(s.minimum(place, size - 1), zero)
            return x[own] if inside is None else s.where(inside, x[own], value)

        return loops.view(shape, x.dtype, element)

    def inner_gradient(self, doutput: Any) -> Any:
        """The gradient of what lies inside of the margins."""
        from .shapes import shape
        from .slicing import slice

        begin = self.paddings[:, 0]
        return slice(doutput, begin, shape(self.input, begin.dtype))

    def padded_in_xla(self, xla: Any, value: Any) -> Any:
        margins = [
            (*(xla.fixed(one, "how much is added to an axis") for one in pair), 0)
            for pair in self.found
        ]
        return xla.lax.pad(self.input, value, margins)


class Pad(ConstantPadding):
    """The input with zeros around."""

    def eager(self, np: Any) -> Any:
        return self.filled(np, b"" if self.input.dtype.kind == "O" else 0)

    def xla(self, xla: Any) -> Any:
        return self.padded_in_xla(xla, xla.np.zeros((), self.input.dtype))

    def lower(self, loops: Any) -> Any:
        return self.padded(loops, loops.constant(0, self.input.dtype))

    def vjp(self, doutput: Any) -> Any:
        return self.inner_gradient(doutput), None


class PadV2(ConstantPadding):
    """The input with `constant_values` around."""

    moves = Moves.ELEMENTS
    input = In("T ...")
    paddings = In("Tpaddings r 2")
    constant_values = In("T")

    def eager(self, np: Any) -> Any:
        return self.filled(np, self.constant_values)

    def xla(self, xla: Any) -> Any:
        return self.padded_in_xla(xla, self.constant_values)

    def lower(self, loops: Any) -> Any:
        return self.padded(loops, self.constant_values[()])

    def vjp(self, doutput: Any) -> Any:
        from ..math.reduce import reduce_sum

        inner = self.inner_gradient(doutput)
        return inner, None, reduce_sum(doutput) - reduce_sum(inner)


class Mirroring(Padding, abstract=True):
    """The border is repeated if mode is SYMMETRIC, and not if it is REFLECT."""

    mode = Attr(allowed="REFLECT SYMMETRIC")

    @property
    def spare(self) -> int:
        """How many elements at the border are not repeated."""
        return 0 if self.mode == "SYMMETRIC" else 1


class MirrorPad(Mirroring):
    """The input with its own mirror image around."""

    xla = as_eager

    def demand_room(self, sizes: Any, margins: Any, shape: Any) -> None:
        spare = self.spare
        relation = "less than" if spare else "no greater than"
        for (before, after), size in zip(margins, shape, strict=True):
            if before or after:
                fits, shown = size - spare >= max(before, after), (before, after)
                sizes.require_late(
                    fits, InvalidArgumentError, TOO_MUCH, relation, *shown, relation, size
                )

    def eager(self, np: Any) -> Any:
        return np.pad(self.input, self.found, self.mode.lower())

    def lower(self, loops: Any) -> Any:
        x, margins, spare = self.input, self.found, self.spare
        shape = [before + d + after for (before, after), d in zip(margins, x.shape, strict=True)]

        def element(*index: Any) -> Any:
            return x[mirrored(loops, index, margins, x.shape, spare)]

        return loops.view(shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return bind(MirrorPadGrad, doutput, self.paddings, mode=self.mode), None


def mirrored(loops: Any, index: Any, margins: Any, shape: Any, spare: int) -> list[Any]:
    """Which element of an array of `shape` an index of the padded array shows."""
    s, own = loops.scalars, []
    for i, (before, after), size in zip(index, margins, shape, strict=True):
        place = i - before if before else i
        if before:
            place = s.where(place < 0, -place - (1 - spare), place)
        if after:
            place = s.where(place >= size, 2 * size - (1 + spare) - place, place)
        own.append(place)
    return own


TOO_MUCH = "MirrorPad: paddings must be {} the dimension size: {}, {} not {} {}"
NO_MIRROR = "MirrorPadGrad: an axis of {} elements has no mirror image of {} and {} elements"


class MirrorPadGrad(Mirroring):
    """What is in the margins of the input added to what it mirrors: the transpose of MirrorPad."""

    def demand_room(self, sizes: Any, margins: Any, shape: Any) -> None:
        for (before, after), size in zip(margins, shape, strict=True):
            inner = size - before - after
            fits = inner - self.spare >= max(before, after)
            sizes.require(fits, InvalidArgumentError, NO_MIRROR, inner, before, after)

    def added(self, margin: Any) -> int:
        return -sum(margin)

    def eager(self, np: Any) -> Any:
        x, spare = self.input, self.spare
        for k, (before, after) in enumerate(self.found):
            x = np.moveaxis(x, k, 0)
            size = x.shape[0] - before - after
            inner = x[before : before + size].copy()
            inner[spare : before + spare] += x[:before][::-1]
            inner[size - spare - after : size - spare] += x[before + size :][::-1]
            x = np.moveaxis(inner, 0, k)
        return x

    def xla(self, xla: Any) -> Any:
        x, spare = self.input, self.spare
        for k, (before, after) in enumerate(self.found):
            x = xla.np.moveaxis(x, k, 0)
            size = x.shape[0] - before - after
            inner = x[before : before + size]
            inner = inner.at[spare : before + spare].add(x[:before][::-1])
            inner = inner.at[size - spare - after : size - spare].add(x[before + size :][::-1])
            x = xla.np.moveaxis(inner, 0, k)
        return x

    def lower(self, loops: Any) -> Any:
        x, margins, spare = self.input, self.found, self.spare
        shape = [d - before - after for (before, after), d in zip(margins, x.shape, strict=True)]
        zero = loops.constant(0, x.dtype)
        target = loops.map(shape, x.dtype, lambda *index: zero)

        def position(*index: Any) -> Any:
            return mirrored(loops, index, margins, shape, spare)

        return loops.scatter("add", target, x.shape, position, lambda *index: x[index])

    def vjp(self, doutput: Any) -> Any:
        return bind(MirrorPad, doutput, self.paddings, mode=self.mode), None


@dispatchable
def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """`tensor` with `paddings[k]` = [before, after] more elements along axis k.

    tensor: any dtype and shape. paddings: int32 or int64 [rank, 2]. mode: CONSTANT puts in
    `constant_values`, one element; REFLECT mirrors the tensor without its first and last elements,
    SYMMETRIC with them.

    >>> tf.pad([1, 2, 3], [[2, 1]], "REFLECT").numpy()
    array([3, 2, 1, 2, 3, 2], dtype=int32)

    Raises:
        ValueError: `mode` is not CONSTANT, REFLECT or SYMMETRIC (in any case).
        InvalidArgumentError: paddings of another shape; negative ones; more than a mirror shows.
    """
    kind = mode.upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            f'Value of argument `mode`: {mode!r} is not "CONSTANT", "REFLECT" or "SYMMETRIC"'
        )
    tensor = as_tensor(tensor)
    padded = _padded(tensor, paddings, kind, constant_values, name)
    return _with_known_axes(padded, tensor, paddings)


def _padded(tensor: Any, paddings: Any, kind: str, constant_values: Any, name: str | None) -> Any:
    if kind != "CONSTANT":
        return bind(MirrorPad, tensor, paddings, mode=kind, name=name)
    if not isinstance(constant_values, TensorLike) and constant_values == 0:
        return bind(Pad, tensor, paddings, name=name)
    return bind(PadV2, tensor, paddings, constant_values, name=name)


def _with_known_axes(padded: Any, tensor: Any, paddings: Any) -> Any:
    """`padded` with the sizes of the axes whose own margins are known."""
    from ..control.flow import ensure_shape

    dims = tensor.shape.entries
    if padded.shape.is_fully_defined() or dims is None or not isinstance(paddings, (list, tuple)):
        return padded
    sizes = [_grown(own, pair) for own, pair in zip(dims, paddings, strict=True)]
    return padded if sizes.count(None) == len(sizes) else ensure_shape(padded, sizes)


def _grown(own: int | None, pair: Any) -> int | None:
    sizes = known_of(pair).sizes if isinstance(pair, TensorLike) else map(static_int, pair)
    known = [size for size in (own, *(sizes or [None])) if size is not None]
    return sum(known) if len(known) == 3 else None
