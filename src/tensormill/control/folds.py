"""`tf.foldl`, `tf.foldr`, `tf.scan`: a function applied to a running value and each slice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import context, tree
from ..core.process.named_tuples import NamedTuple
from ..errors import ElementIndexError
from ..ops.control.flow import stop_gradient
from ..ops.conversion import as_tensor
from ..ops.dispatch.meanings import dispatchable
from ..ops.lists.list_value import TOO_FAR_TO_READ
from .slices import Reader, StructureSlices, slices_of
from .structure import pack
from .tensor_array import TensorArray
from .while_loop import while_loop

Function = Callable[[Any, Any], Any]


class FoldedSlices(NamedTuple):
    """Slices that a fold takes one by one."""

    slices: StructureSlices
    count: Any  # an int where it is known
    read: Reader

    def at(self, place: Any) -> Any:
        return self.slices.packed(self.read(place))


def rows_of(elems: Any, what: str) -> FoldedSlices:
    """Raises:
    ValueError: there is no tensor, one is a scalar, or first axes differ in size.
    """
    slices = slices_of(elems, what)
    count = slices.size()
    return FoldedSlices(slices, count, slices.reader(count))


@dispatchable
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

    elems: a tensor [n, ...] or a structure of such tensors, of which `fn` takes slices. Without an
    initializer the fold starts with `elems[0]`.

    Dtypes are any; the result is what `fn` returns, of the structure, dtypes and shapes of the
    initializer.

    >>> int(tf.foldl(lambda total, digit: total * 10 + digit, tf.constant([1, 2, 3])))
    123

    Raises:
        TypeError: `fn` is not callable.
        ValueError: a tensor is a scalar, or first axes differ in size.
        ElementIndexError (an OutOfRangeError): there are no slices and no initializer.
    """
    return _fold(fn, elems, initializer, back_prop, False, "foldl")


@dispatchable
def foldr(
    fn: Function,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Like `foldl`, from the last slice to the first.

    elems: a tensor [n, ...] of any dtype or a structure of such; the result is what `fn` returns.

    >>> int(tf.foldr(lambda total, digit: total * 10 + digit, tf.constant([1, 2, 3])))
    321

    Raises: as `foldl`.
    """
    return _fold(fn, elems, initializer, back_prop, True, "foldr")


def _fold(
    fn: Function, elems: Any, initializer: Any, back_prop: bool, reverse: bool, name: str
) -> Any:
    _check_callable(fn)
    rows = rows_of(elems, name)
    done, value = _start(rows, initializer, reverse)
    if initializer is not None and not context.building_graph():
        value = initializer  # a number of Python's takes the dtype of what it meets
    _, value = while_loop(
        lambda done, _: done < rows.count,
        lambda done, value: (done + 1, _applied(fn, value, rows, _place(rows, done, reverse))),
        [done, value],
        name=f"{name}/while",
    )
    return value if back_prop else tree.map_structure(stop_gradient, value)


@dispatchable
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

    elems: as `foldl` takes them. With `reverse` the slices are taken from the last to the first;
    the values stand where their slices do. Without an initializer the first value is the first
    slice that is taken.

    >>> tf.scan(lambda total, one: total + one, tf.constant([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)

    Raises: as `foldl`.
    """
    _check_callable(fn)
    rows = rows_of(elems, "scan")
    done, value = _start(rows, initializer, reverse)
    results = [_results(one, rows.count, infer_shape) for one in tree.flatten(value)]
    if initializer is None:
        results = _written(results, _place(rows, 0, reverse), value)

    def step(done: Any, value: Any, results: Sequence[TensorArray]) -> Any:
        place = _place(rows, done, reverse)
        later = _applied(fn, value, rows, place)
        return done + 1, later, _written(results, place, later)

    _, value, results = while_loop(
        lambda done, *_: done < rows.count, step, [done, value, results], name="scan/while"
    )
    stacked = pack(value, [array.stack() for array in results])
    return stacked if back_prop else tree.map_structure(stop_gradient, stacked)


def _check_callable(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(f"{fn!r} is not callable.")


def _start(rows: FoldedSlices, initializer: Any, reverse: bool) -> tuple[int, Any]:
    """How many slices are used up at the start, and the value then."""
    if initializer is None:
        if not context.building_graph() and int(rows.count) == 0:
            raise ElementIndexError(TOO_FAR_TO_READ.format(0, 0))
        return 1, rows.at(_place(rows, 0, reverse))
    return 0, tree.map_structure(as_tensor, initializer)


def _place(rows: FoldedSlices, done: Any, reverse: bool) -> Any:
    return rows.count - 1 - done if reverse else done


def _applied(fn: Function, value: Any, rows: FoldedSlices, place: Any) -> Any:
    result = fn(value, rows.at(place))
    tree.assert_same_structure(value, result, check_types=False)
    return tree.pack_sequence_as(value, [as_tensor(one) for one in tree.flatten(result)])


def _results(start: Any, count: Any, like_the_start: bool) -> TensorArray:
    shape = start.shape if like_the_start else None
    return TensorArray(start.dtype, size=count, element_shape=shape, infer_shape=like_the_start)


def _written(results: Sequence[TensorArray], place: Any, value: Any) -> list[TensorArray]:
    pairs = zip(results, tree.flatten(value), strict=True)
    return [array.write(place, one) for array, one in pairs]
