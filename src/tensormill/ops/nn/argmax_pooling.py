"""Maximum pooling that says where the largest elements are, and its gradients."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..in_xla.windows import first_largest_in_xla, largest_in_xla
from ..op import INDEX, REALS, Attr, In, Out, as_eager
from .pooling import Pooling, demand_like_input
from .window_values import Look, first_largest, largest, lowered_winners


class ArgmaxPooling(Pooling, abstract=True):
    """Indices count the elements of an image, or of all images with `include_batch_in_index`."""

    include_batch_in_index = Attr(False)
    T = REALS
    data_format = "NHWC"


class ArgmaxGradient(ArgmaxPooling, abstract=True):
    """What its gradients take."""

    input = In("T ...")
    grad = In("T ...")
    argmax = In("Targmax ...")
    output = Out("T ...")
    Targmax = INDEX


class MaxPoolWithArgmax(ArgmaxPooling):
    """The largest element of every window, and where it is."""

    input = In("T ...")
    output = Out("T ...")
    argmax = Out("Targmax ...")
    Targmax = Attr(dtypes.int64, INDEX)

    def demands(self, sizes: Any) -> Any:
        shape = sizes.shape(self.input, self.spatial + 2)
        found = self.fitting(sizes, shape)
        sizes.require_late(sizes.count(shape) > 0, InvalidArgumentError, NO_IMAGES, self.name)
        return found

    def infer(self) -> tuple[TensorSpec, ...]:
        spec = self.pooled_spec(self.input.dtype)
        return spec, TensorSpec(spec.shape, self.Targmax)

    def eager(self, np: Any) -> Any:
        x, (windows, _) = self.input, self.found
        y = largest(np, x, windows)
        winners = first_largest(np, x, y, windows)
        return y, self.places_of(np, x.shape, winners).astype(self.Targmax.storage)

    def xla(self, xla: Any) -> Any:
        x, (windows, _) = self.input, self.found
        y = largest_in_xla(xla, x, windows)
        winners = first_largest_in_xla(xla, x, y, windows)
        return y, self.places_of(xla.np, x.shape, winners).astype(self.Targmax.storage)

    def places_of(self, np: Any, shape: Any, winners: Any) -> Any:
        """The numbers of elements of the input, of `shape`: at these places of windows."""
        windows, (_, *counts, _) = self.found
        tap = np.unravel_index(np.maximum(winners, 0), windows.kernel)
        place = np.zeros((), np.int64)
        for axis, (size, count) in enumerate(zip(shape[1:-1], counts, strict=True)):
            first = np.arange(count) * windows.strides[axis] - windows.before(np, axis, size)
            shaped = first.reshape(*(-1 if k == axis else 1 for k in range(len(counts))), 1)
            place = place * size + shaped + tap[axis]
        place = place * shape[-1] + np.arange(shape[-1])
        if self.include_batch_in_index:
            images = np.arange(shape[0]) * math.prod(shape[1:])
            place = place + images.reshape(-1, *(1,) * (len(shape) - 1))
        return place

    def lower(self, loops: Any) -> Any:
        x, s = loops.kept(self.input), loops.scalars
        windows, shape = self.found
        look = Look(loops, x, windows)
        y = loops.reduce("max", shape, windows.kernel, x.dtype, look.nearest)
        winners = loops.kept(lowered_winners(loops, x, y, windows))

        def index(*window: Any) -> Any:
            number = s.cast(winners[window], dtypes.int64)
            tap = (number // windows.kernel[1], number % windows.kernel[1])
            place: Any = window[0] if self.include_batch_in_index else 0
            for size, one in zip(x.shape[1:-1], look.places(window, tap), strict=True):
                place = place * size + one
            return s.cast(place * x.shape[-1] + window[-1], self.Targmax)

        return y, loops.map(shape, self.Targmax, index)

    def vjp(self, doutput: Any, dargmax: Any) -> Any:
        attrs = self.attr_values()
        del attrs["Targmax"]
        return bind(MaxPoolGradWithArgmax, self.input, doutput, self.argmax, **attrs)


NO_IMAGES = "{}: tensor_in must not be empty"


class MaxPoolGradWithArgmax(ArgmaxGradient):
    """The gradient of MaxPoolWithArgmax: each gradient added where the largest element was."""

    def demands(self, sizes: Any) -> Any:
        shape = sizes.shape(self.input, self.spatial + 2)
        self.fitting(sizes, shape, self.grad, self.argmax)
        demand_inside(sizes, self, shape)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, dy = self.input, self.grad
        dx = np.zeros(x.size, dy.dtype)
        np.add.at(dx, flat_places(np, self).reshape(-1), dy.reshape(-1))
        return dx.reshape(x.shape)

    def xla(self, xla: Any) -> Any:
        x, dy = self.input, self.grad
        dx, places = xla.np.zeros(x.size, dy.dtype), flat_places(xla.np, self).reshape(-1)
        return dx.at[places].add(dy.reshape(-1)).reshape(x.shape)

    def lower(self, loops: Any) -> Any:
        x, dy, argmax = self.input, loops.kept(self.grad), loops.kept(self.argmax)
        zero = loops.constant(0, dy.dtype)
        target = loops.map(x.shape, dy.dtype, lambda *index: zero)

        def position(*index: Any) -> Any:
            place, found = lowered_place(loops, self, x.shape, argmax, index), []
            for size in reversed(x.shape):
                found.append(place % size)
                place = place // size
            return found[::-1]

        return loops.scatter("add", target, dy.shape, position, lambda *index: dy[index])

    def vjp(self, doutput: Any) -> Any:
        attrs = self.attr_values()
        again = bind(MaxPoolGradGradWithArgmax, self.input, doutput, self.argmax, **attrs)
        return None, again, None


class MaxPoolGradGradWithArgmax(ArgmaxGradient):
    """The gradient of MaxPoolGradWithArgmax: what is where the largest elements were."""

    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        shape = sizes.shape(self.input, self.spatial + 2)
        found = self.fitting(sizes, shape, self.argmax)
        demand_like_input(sizes, shape, sizes.shape(self.grad, self.spatial + 2))
        demand_inside(sizes, self, shape)
        return found

    def infer(self) -> TensorSpec:
        return self.pooled_spec(self.input.dtype)

    def eager(self, np: Any) -> Any:
        return self.grad.reshape(-1)[flat_places(np, self)]

    def lower(self, loops: Any) -> Any:
        x, argmax = self.input, loops.kept(self.argmax)
        flat = loops.reshape(loops.kept(self.grad), (loops.count(x.shape),))

        def element(*index: Any) -> Any:
            return flat[(lowered_place(loops, self, x.shape, argmax, index),)]

        return loops.map(argmax.shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        attrs = self.attr_values()
        back = bind(MaxPoolGradWithArgmax, self.input, doutput, self.argmax, **attrs)
        return None, back, None


def flat_places(np: Any, op: Any) -> Any:
    """Places counted over all images."""
    places, shape = op.argmax.astype(np.int64), op.input.shape
    if not op.include_batch_in_index:
        images = np.arange(shape[0]) * math.prod(shape[1:])
        places = places + images.reshape(-1, *(1,) * (len(shape) - 1))
    return places


def lowered_place(loops: Any, op: Any, shape: Any, argmax: Any, index: Any) -> Any:
    """The same of one element of a loop array."""
    place = loops.scalars.cast(argmax[index], dtypes.int64)
    if not op.include_batch_in_index:
        place = place + index[0] * loops.count(shape[1:])
    return place


def demand_inside(sizes: Any, op: Any, shape: Any) -> None:
    """There are elements where the largest ones are said to be."""
    image, count = sizes.count(shape[1:]), sizes.count(shape)

    def is_inside(place: Any, batch: Any, *_: Any) -> Any:
        place = place if op.include_batch_in_index else place + batch * image
        return (place >= 0) & (place < count)

    message = "argmax {it} is outside of the input"
    sizes.each(op.argmax, is_inside, InvalidArgumentError, message, placed=True)
