"""Arrays with something around them: constants, or their own mirror image."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, Attr, In, Op, Out
from ..sizes import demand


class Padding(Op, abstract=True):
    """`paddings` [rank, 2]: how much is added before and after each axis."""

    input = In("T ...")
    paddings = In("Tpaddings r 2")
    output = Out("T ...")
    T = ANY
    Tpaddings = INDEX

    def infer(self) -> TensorSpec:
        dims, margins = self.input.shape.dims, self.paddings.value
        if dims is None:
            length = self.paddings.shape.dims[0] if self.paddings.shape.dims else None
            return TensorSpec(None if length is None else (None,) * length, self.input.dtype)
        if margins is None:
            return TensorSpec((None,) * len(dims), self.input.dtype)
        self.check(margins.tolist(), dims)
        pairs = zip(dims, margins.sum(1).tolist(), strict=True)
        sizes = (None if size is None else size + added for size, added in pairs)
        return TensorSpec(tuple(sizes), self.input.dtype)

    def check(self, margins: Any, dims: Any) -> None:
        if any(not isinstance(pair, list) or len(pair) != 2 for pair in margins):
            raise InvalidArgumentError(f"{self.name}: paddings must be a matrix with 2 columns")
        if len(margins) != len(dims):
            raise InvalidArgumentError(
                f"{self.name}: The first dimension of paddings must be the rank of inputs, "
                f"{len(dims)}, not {len(margins)}"
            )
        for before, after in margins:
            if before < 0 or after < 0:
                raise InvalidArgumentError(
                    f"{self.name}: Paddings must be non-negative: {before} {after}"
                )

    def margins(self) -> list[list[int]]:
        """The paddings of an eager application, checked."""
        if self.paddings.ndim != 2:
            raise InvalidArgumentError(f"{self.name}: paddings must be a matrix with 2 columns")
        margins = self.paddings.tolist()
        self.check(margins, self.input.shape)
        return margins


class ConstantPadding(Padding, abstract=True):
    """Padding with one value."""

    def filled(self, np: Any, value: Any) -> Any:
        """The input within an array of `value`.

        `np.pad` makes strings of NumPy's of bytes, which end before their last zero bytes; so
        does `np.full`, unless they are in an array.
        """
        x, margins = self.input, self.margins()
        if x.ndim == 0:
            return x
        pairs = list(zip(margins, x.shape, strict=True))
        sizes = [before + size + after for (before, after), size in pairs]
        result = np.full(sizes, value, x.dtype)
        result[tuple(slice(before, before + size) for (before, _), size in pairs)] = x
        return result

    def padded(self, loops: Any, value: Any) -> Any:
        x, margins = self.input, loops.static(self.paddings)
        self.check(margins, x.shape)
        s, zero = loops.scalars, loops.constant(0, dtypes.int64)
        shape = [before + d + after for (before, after), d in zip(margins, x.shape, strict=True)]

        def element(*index: Any) -> Any:
            inside, own = None, []
            for i, (before, after), size in zip(index, margins, x.shape, strict=True):
                place = i - before if before else i
                own.append(place)
                if not before and not after:
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


class Pad(ConstantPadding):
    """The input with zeros around."""

    def eager(self, np: Any) -> Any:
        return self.filled(np, b"" if self.input.dtype.kind == "O" else 0)

    def lower(self, loops: Any) -> Any:
        return self.padded(loops, loops.constant(0, self.input.dtype))

    def vjp(self, doutput: Any) -> Any:
        return self.inner_gradient(doutput), None


class PadV2(ConstantPadding):
    """The input with `constant_values` around."""

    input = In("T ...")
    paddings = In("Tpaddings r 2")
    constant_values = In("T")

    def eager(self, np: Any) -> Any:
        return self.filled(np, self.constant_values)

    def lower(self, loops: Any) -> Any:
        return self.padded(loops, self.constant_values[()])

    def vjp(self, doutput: Any) -> Any:
        from ..math.reduce import reduce_sum

        inner = self.inner_gradient(doutput)
        return inner, None, reduce_sum(doutput) - reduce_sum(inner)


class MirrorPad(Padding):
    """The input with its own mirror image around; the border is repeated if mode is SYMMETRIC,
    and not if it is REFLECT.
    """

    mode = Attr(allowed="REFLECT SYMMETRIC")

    def check(self, margins: Any, dims: Any) -> None:
        super().check(margins, dims)
        spare = 0 if self.mode == "SYMMETRIC" else 1
        for (before, after), size in zip(margins, dims, strict=True):
            if isinstance(size, int) and max(before, after) > size - spare:
                relation = "no greater than" if spare == 0 else "less than"
                raise InvalidArgumentError(
                    f"MirrorPad: paddings must be {relation} the dimension size: {before}, "
                    f"{after} not {relation} {size}"
                )

    def eager(self, np: Any) -> Any:
        return np.pad(self.input, self.margins(), self.mode.lower())

    def lower(self, loops: Any) -> Any:
        x, margins = self.input, loops.static(self.paddings)
        self.check(margins, x.shape)
        spare = 0 if self.mode == "SYMMETRIC" else 1
        for k, (pair, size) in enumerate(zip(margins, x.shape, strict=True)):
            if not isinstance(size, int) and max(pair) + spare:
                loops.check(
                    size - spare >= max(pair), InvalidArgumentError,
                    f"MirrorPad: paddings of axis {k} must fit its dimension size, {{}}", size,
                )  # fmt: skip
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


NO_MIRROR = "MirrorPadGrad: an axis of {} elements has no mirror image of {} and {} elements"


class MirrorPadGrad(Padding):
    """What is in the margins of the input added to what it mirrors: the transpose of MirrorPad."""

    mode = Attr(allowed="REFLECT SYMMETRIC")

    def infer(self) -> TensorSpec:
        dims, margins = self.input.shape.dims, self.paddings.value
        if dims is None or margins is None:
            return TensorSpec(None if dims is None else (None,) * len(dims), self.input.dtype)
        self.check(margins.tolist(), dims)
        pairs = zip(dims, margins.sum(1).tolist(), strict=True)
        sizes = (None if size is None else size - added for size, added in pairs)
        return TensorSpec(tuple(sizes), self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, spare = self.input, 0 if self.mode == "SYMMETRIC" else 1
        for k, (before, after) in enumerate(self.margins()):
            x = np.moveaxis(x, k, 0)
            size = x.shape[0] - before - after
            if max(before, after) > size - spare:
                raise InvalidArgumentError(NO_MIRROR.format(size, before, after))
            inner = x[before : before + size].copy()
            inner[spare : before + spare] += x[:before][::-1]
            inner[size - spare - after : size - spare] += x[before + size :][::-1]
            x = np.moveaxis(inner, 0, k)
        return x

    def lower(self, loops: Any) -> Any:
        x, margins = self.input, loops.static(self.paddings)
        spare = 0 if self.mode == "SYMMETRIC" else 1
        shape = [d - before - after for (before, after), d in zip(margins, x.shape, strict=True)]
        for size, (before, after) in zip(shape, margins, strict=True):
            fits = size - spare >= max(before, after)
            demand(loops, fits, InvalidArgumentError, NO_MIRROR, size, before, after)
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
) -> Any:
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
    if kind in ("REFLECT", "SYMMETRIC"):
        return bind(MirrorPad, tensor, paddings, mode=kind, name=name)
    if kind != "CONSTANT":
        raise ValueError(
            f'Value of argument `mode`: {mode!r} is not "CONSTANT", "REFLECT" or "SYMMETRIC"'
        )
    if not isinstance(constant_values, TensorLike) and constant_values == 0:
        return bind(Pad, tensor, paddings, name=name)
    return bind(PadV2, tensor, paddings, constant_values, name=name)
