"""`tf.foldl`, `tf.foldr`, `tf.scan`: a function applied to a running value and each slice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core import tree
from ..ops.conversion import as_tensor
from ..ops.flow import stop_gradient
from ..ops.shapes import shape_of
from .map import array_of
from .structure import leading_size, pack, tensors_of
from .tensor_array import TensorArray
from .while_loop import while_loop

Function = Callable[[Any, Any], Any]


class Slices(NamedTuple):
    """Structures of slices along the first axes of tensors."""

    elems: Any
    arrays: Sequence[TensorArray]
    count: Any  # an int where it is known

    def at(self, place: Any) -> Any:
        return pack(self.elems, [array.read(place) for array in self.arrays])


def slices_of(elems: Any, what: str) -> Slices:
    """Raises:
    ValueError: there is no tensor, one is a scalar, or first axes differ in size.
    """
    tensors = tensors_of(elems)
    known = leading_size(tensors, what)
    count = shape_of(tensors[0])[0] if known is None else known
    return Slices(elems, [array_of(tensor, count) for tensor in tensors], count)


def foldl(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """`fn(...fn(fn(initializer, elems[0]), elems[1])..., elems[-1])`.

    Without an initializer the fold starts with `elems[0]`.

    Raises:
        TypeError: `fn` is not callable.
        ValueError: a tensor is a scalar, or first axes differ in size.
        ElementIndexError (an OutOfRangeError): there are no slices and no initializer.
    """
    return _fold(fn, elems, initializer, back_prop, False, "foldl")


def foldr(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Like `foldl`, from the last slice to the first."""
    return _fold(fn, elems, initializer, back_prop, True, "foldr")


def _fold(
    fn: Function, elems: Any, initializer: Any, back_prop: bool, reverse: bool, name: str
) -> Any:
    _check_callable(fn)
    slices = slices_of(elems, name)
    done, value = _start(slices, initializer, reverse)
    _, value = while_loop(
        lambda done, _: done < slices.count,
        lambda done, value: (done + 1, _applied(fn, value, slices, _place(slices, done, reverse))),
        [done, value],
        name=f"{name}/while",
    )
    return value if back_prop else tree.map_structure(stop_gradient, value)


def scan(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All the running values of a fold, stacked along a new first axis.

    With `reverse` the slices are taken from the last to the first; the values stand where their
    slices do. Without an initializer the first value is the first slice that is taken.

    Raises: as `foldl`.
    """
    _check_callable(fn)
    slices = slices_of(elems, "scan")
    done, value = _start(slices, initializer, reverse)
    results = [TensorArray(one.dtype, size=slices.count) for one in tree.flatten(value)]
    if initializer is None:
        results = _written(results, _place(slices, 0, reverse), value)

    def step(done: Any, value: Any, results: Sequence[TensorArray]) -> Any:
        place = _place(slices, done, reverse)
        later = _applied(fn, value, slices, place)
        return done + 1, later, _written(results, place, later)

    _, value, results = while_loop(
        lambda done, *_: done < slices.count, step, [done, value, results], name="scan/while"
    )
    stacked = pack(value, [array.stack() for array in results])
    return stacked if back_prop else tree.map_structure(stop_gradient, stacked)


def _check_callable(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(f"{fn!r} is not callable.")


def _start(slices: Slices, initializer: Any, reverse: bool) -> tuple[int, Any]:
    """How many slices are used up at the start, and the value then."""
    if initializer is None:
        return 1, slices.at(_place(slices, 0, reverse))
    return 0, tree.map_structure(as_tensor, initializer)


def _place(slices: Slices, done: Any, reverse: bool) -> Any:
    return slices.count - 1 - done if reverse else done


def _applied(fn: Function, value: Any, slices: Slices, place: Any) -> Any:
    result = fn(value, slices.at(place))
    tree.assert_same_structure(value, result, check_types=False)
    return tree.pack_sequence_as(value, [as_tensor(one) for one in tree.flatten(result)])


def _written(results: Sequence[TensorArray], place: Any, value: Any) -> list[TensorArray]:
    pairs = zip(results, tree.flatten(value), strict=True)
    return [array.write(place, one) for array, one in pairs]
