"""`tf.compat.v1.nn.dynamic_rnn` and its like: a cell that is applied step after step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..control.tensor_array import TensorArray
from ..control.while_loop import while_loop
from ..core import dtypes
from ..core.shapes import TensorShape, as_shape
from ..core.tree import flatten, map_structure, pack_sequence_as
from ..eager.convert import convert_to_tensor
from ..eager.scopes import control_dependencies
from ..ops.array.concatenation import concat, stack, unstack
from ..ops.array.fill import fill, zeros, zeros_like
from ..ops.array.fill import range as range_of
from ..ops.array.partitions import reverse_sequence
from ..ops.array.rearrangement import reverse as reversed_along
from ..ops.array.rearrangement import transpose
from ..ops.array.shapes import rank as rank_of
from ..ops.array.shapes import shape as shape_of
from ..ops.control.flow import identity
from ..ops.math.cast import cast
from ..ops.math.comparison import less, logical_not, logical_or
from ..ops.math.reduce import reduce_all
from .functions.arrays import where
from .variable_scopes import variable_scope

Pair = tuple[Any, Any]


# ---------------------------------------------------------------- cells


def _require_cell(name: str, cell: Any) -> None:
    """Refuse what is no cell.

    Raises:
        TypeError: it is none.
    """
    lacks = [one for one in ("output_size", "state_size") if not hasattr(cell, one)]
    if not (hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state")):
        lacks.append("zero_state (or get_initial_state)")
    if not callable(cell):
        lacks.append("__call__")
    if lacks:
        raise TypeError(
            f"The argument {name!r} ({cell}) is not an RNNCell: it has no {', '.join(lacks)}"
        )


def _first_state(cell: Any, batch: Any, dtype: Any) -> Any:
    if not dtype:
        raise ValueError("If no initial_state is provided, argument `dtype` must be specified")
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch, dtype=dtype)
    return cell.zero_state(batch, dtype)


def _tensors(nest: Any) -> Any:
    return map_structure(
        lambda one: one if isinstance(one, TensorArray) else convert_to_tensor(one), nest
    )


def _blank(size: Any, batch: Any, dtype: Any) -> Any:
    """Zeros of a batch of what is of that size."""
    sizes = as_shape([size] if isinstance(size, int) else size).as_list()
    return zeros([batch, *sizes], dtype)


def _is_row(one: Any) -> bool:
    """Whether it has a row for each example, and no TensorArray or number for all."""
    return not isinstance(one, TensorArray) and one.shape.rank != 0


def _where_running(running: Any, new: Any, otherwise: Any) -> Any:
    """What sequences that still run have new, and others have not."""

    def chosen(one: Any, other: Any) -> Any:
        if not _is_row(one):
            return one
        found = where(running, one, other)
        found.set_shape(one.shape)
        return found

    pairs = zip(flatten(new), flatten(otherwise), strict=True)
    return pack_sequence_as(new, [chosen(one, other) for one, other in pairs])


def _lengths(given: Any, batch: Any) -> Any:
    """The lengths of sequences, int32; or None.

    Raises:
        ValueError: they are no vector.
    """
    if given is None:
        return None
    found = cast(convert_to_tensor(given), dtypes.int32)
    if found.shape.rank not in (None, 1):
        raise ValueError(
            f"sequence_length must be a vector of length batch_size, but saw shape: {found.shape}"
        )
    if isinstance(batch, int):
        found.shape.assert_is_compatible_with(TensorShape([batch]))
    return identity(found, name="sequence_length")


def _sizes(tensors: Sequence[Any], axis: int) -> Any:
    """How much of an axis there is, as an int where that is known."""
    for one in tensors:
        if one.shape.rank is not None and one.shape.as_list()[axis] is not None:
            return one.shape.as_list()[axis]
    return shape_of(tensors[0])[axis]


def _with_axes_changed(one: Any) -> Any:
    """Time and batch in the other order."""
    if one.shape.rank is not None:
        return transpose(one, [1, 0, *range(2, one.shape.rank)])
    return transpose(one, concat([[1, 0], range_of(2, rank_of(one))], 0))


# ---------------------------------------------------------------- loops


def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> Pair:
    """Apply a cell to each step of sequences, in a loop: the outputs of all, and the last state.

    cell: called with the inputs of a step and a state, gives an output and the next state; it has
    `output_size`, `state_size`, and `zero_state(batch_size, dtype)`. inputs: a nest of tensors
    [batch, time, ...], or [time, batch, ...] if `time_major`, as the outputs are. sequence_length:
    int vector; outputs after it are zeros, and the state stays. initial_state: zeros of `dtype` if
    it is not given. parallel_iterations and swap_memory mean nothing here.

    >>> class Sum:
    ...     state_size = output_size = 2
    ...     def zero_state(self, batch_size, dtype):
    ...         return tf.zeros([batch_size, 2], dtype)
    ...     def __call__(self, x, state):
    ...         return x + state, x + state
    >>> outputs, state = tf.compat.v1.nn.dynamic_rnn(Sum(), tf.ones([1, 3, 2]), dtype=tf.float32)
    >>> outputs.numpy().tolist(), state.numpy().tolist()
    ([[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]], [[3.0, 3.0]])

    Raises:
        TypeError: it is no cell.
        ValueError: there is neither a state nor a dtype, or inputs have no rank of 2 at least.
    """
    _require_cell("cell", cell)
    with variable_scope(scope or "rnn"):
        listed = [convert_to_tensor(one) for one in flatten(inputs)]
        for one in listed:
            if one.shape.rank is not None and one.shape.rank < 2:
                raise ValueError(f"inputs have axes of batch and time at least, not {one.shape}")
        steps = listed if time_major else [_with_axes_changed(one) for one in listed]
        batch, count = _sizes(steps, 1), _sizes(steps, 0)
        lengths = _lengths(sequence_length, batch)
        if initial_state is None:
            initial_state = _first_state(cell, batch, dtype)
        state = _tensors(initial_state)
        outputs, state = _loop(cell, inputs, steps, batch, count, lengths, state, dtype)
        if not time_major:
            outputs = map_structure(_with_axes_changed, outputs)
        return outputs, state


def _loop(
    cell: Any, inputs: Any, steps: list[Any], batch: Any, count: Any, lengths: Any, state: Any,
    dtype: Any,
) -> Pair:  # fmt: skip
    kinds = [one.dtype for one in flatten(state) if not isinstance(one, TensorArray)]
    kind = dtypes.as_dtype(dtype) if dtype is not None else kinds[0] if kinds else steps[0].dtype
    sizes = flatten(_as_sizes(cell.output_size))
    rows = batch if isinstance(batch, int) else None
    shapes = [TensorShape([rows]).concatenate(as_shape(one)) for one in sizes]
    read = [TensorArray(one.dtype, count).unstack(one) for one in steps]
    write = [
        TensorArray(kind, count, element_shape=None if lengths is None else shape)
        for shape in shapes
    ]
    known: list[Any] = []

    def step(time: Any, written: Any, before: Any) -> Any:
        given = [one.read(time) for one in read]
        for one, whole in zip(given, steps, strict=True):
            one.set_shape(whole.shape[1:])
        output, after = cell(pack_sequence_as(inputs, given), before)
        if lengths is not None:
            running = less(time, lengths)
            output = _where_running(running, output, map_structure(zeros_like, output))
            after = _where_running(running, after, before)
        known[:] = [output]
        pairs = zip(written, flatten(output), strict=True)
        return time + 1, [array.write(time, one) for array, one in pairs], after

    _, written, state = while_loop(
        lambda time, *_: less(time, count), step, (0, write, state), maximum_iterations=count
    )
    found = [one.stack() for one in written]
    time = count if isinstance(count, int) else None
    for one, shape in zip(found, shapes, strict=True):
        one.set_shape(TensorShape([time]).concatenate(shape))
    outer = known[0] if known else cell.output_size
    return pack_sequence_as(outer, found), state


def _as_sizes(sizes: Any) -> Any:
    """A nest of shapes: numbers are those of vectors."""
    if isinstance(sizes, TensorShape):
        return sizes
    return map_structure(lambda one: TensorShape([one]) if isinstance(one, int) else one, sizes)


def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Pair, Pair]:
    """`dynamic_rnn` by two cells, forwards and backwards: the outputs of both, and the states of
    both, each a pair. Of a sequence of a length only that part goes backwards.

    >>> class Sum:
    ...     state_size = output_size = 1
    ...     def zero_state(self, batch_size, dtype):
    ...         return tf.zeros([batch_size, 1], dtype)
    ...     def __call__(self, x, state):
    ...         return x + state, x + state
    >>> x = tf.constant([[[1.0], [2.0]]])
    >>> (_, backwards), _ = tf.compat.v1.nn.bidirectional_dynamic_rnn(
    ...     Sum(), Sum(), x, dtype=tf.float32)
    >>> backwards.numpy().tolist()
    [[[3.0], [2.0]]]

    Raises:
        TypeError: one is no cell.
        ValueError: there is neither a state nor a dtype.
    """
    _require_cell("cell_fw", cell_fw)
    _require_cell("cell_bw", cell_bw)
    time, batch = (0, 1) if time_major else (1, 0)

    def turned(one: Any) -> Any:
        if sequence_length is None:
            return reversed_along(one, [time])
        lengths = convert_to_tensor(sequence_length)
        return reverse_sequence(one, lengths, seq_axis=time, batch_axis=batch)

    told: dict[str, Any] = {"dtype": dtype, "time_major": time_major}
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forwards:
            ahead, state_ahead = dynamic_rnn(
                cell_fw, inputs, sequence_length, initial_state_fw, scope=forwards, **told
            )
        with variable_scope("bw") as backwards:
            turned_inputs = map_structure(lambda one: turned(convert_to_tensor(one)), inputs)
            back, state_back = dynamic_rnn(
                cell_bw, turned_inputs, sequence_length, initial_state_bw, scope=backwards, **told
            )
    return (ahead, map_structure(turned, back)), (state_ahead, state_back)


def raw_rnn(
    cell: Any,
    loop_fn: Callable[..., Any],
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Apply a cell step after step to what a function gives: a TensorArray of what it emits, the
    last state, and the function's own state.

    loop_fn(time, cell_output, cell_state, loop_state) gives (finished, next_input, next_state,
    emit_output, next_loop_state); at the time 0 the last three arguments are None, and it gives the
    first state, and what emitted elements look like (None: as the cell's outputs).

    >>> class Sum:
    ...     state_size = output_size = 1
    ...     def zero_state(self, batch_size, dtype):
    ...         return tf.zeros([batch_size, 1], dtype)
    ...     def __call__(self, x, state):
    ...         return x + state, x + state
    >>> def loop_fn(time, output, state, loop_state):
    ...     state = tf.zeros([1, 1]) if output is None else state
    ...     return tf.reshape(time >= 3, [1]), tf.ones([1, 1]), state, output, None
    >>> emitted, state, _ = tf.compat.v1.nn.raw_rnn(Sum(), loop_fn)
    >>> emitted.stack().numpy().ravel().tolist(), state.numpy().tolist()
    ([1.0, 2.0, 3.0], [[3.0]])

    Raises:
        TypeError: it is no cell, or `loop_fn` no function.
    """
    _require_cell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn"):
        start = convert_to_tensor(0, dtypes.int32)
        finished, first, state, emitted, loop_state = loop_fn(start, None, None, None)
        first, state = _tensors(first), _tensors(state)
        batch = _sizes(flatten(first), 0)
        kind = next(one.dtype for one in flatten(state) if not isinstance(one, TensorArray))
        if emitted is None:
            emitted = cell.output_size
            blanks = [_blank(one, batch, kind) for one in flatten(_as_sizes(emitted))]
        else:
            given = [convert_to_tensor(one) for one in flatten(emitted)]
            blanks = [_unlike(one, batch) for one in given]
        has_state = loop_state is not None
        own = _tensors(loop_state) if has_state else 0

        def step(time: Any, over: Any, current: Any, written: Any, before: Any, kept: Any) -> Any:
            output, after = cell(current, before)
            next_over, following, after, emit, next_kept = loop_fn(
                time + 1, output, after, kept if has_state else None
            )
            running = logical_not(over)
            listed = blanks if emit is None else flatten(emit)
            listed = flatten(_where_running(running, listed, blanks))
            after = _where_running(running, _tensors(after), before)
            pairs = zip(written, listed, strict=True)
            return (
                time + 1, logical_or(over, next_over), _tensors(following),
                [array.write(time, one) for array, one in pairs], after,
                kept if next_kept is None else next_kept,
            )  # fmt: skip

        arrays = [TensorArray(one.dtype, 0, dynamic_size=True) for one in blanks]
        _, _, _, written, last, own = while_loop(
            lambda time, over, *_: logical_not(reduce_all(over)), step,
            (start, convert_to_tensor(finished), first, arrays, state, own),
        )  # fmt: skip
        return pack_sequence_as(emitted, written), last, own if has_state else None


def _unlike(one: Any, batch: Any) -> Any:
    """Zeros for each example of what one looks like."""
    if one.shape.is_fully_defined():
        return zeros([batch, *one.shape.as_list()], one.dtype)
    return fill(concat([[batch], shape_of(one)], 0), zeros([], one.dtype))


# ---------------------------------------------------------------- steps, one after the other


def static_rnn(
    cell: Any,
    inputs: Sequence[Any],
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Apply a cell to a list of inputs, one for each step: the list of outputs, and the last state.

    The other arguments are those of `dynamic_rnn`.

    >>> class Sum:
    ...     state_size = output_size = 1
    ...     def zero_state(self, batch_size, dtype):
    ...         return tf.zeros([batch_size, 1], dtype)
    ...     def __call__(self, x, state):
    ...         return x + state, x + state
    >>> outputs, _ = tf.compat.v1.nn.static_rnn(Sum(), [tf.ones([1, 1])] * 3, dtype=tf.float32)
    >>> [float(one[0, 0]) for one in outputs]
    [1.0, 2.0, 3.0]

    Raises:
        TypeError: it is no cell, or the inputs are no list.
        ValueError: there are no inputs, or neither a state nor a dtype.
    """
    _require_cell("cell", cell)
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with variable_scope(scope or "rnn") as variables:
        steps = [_tensors(one) for one in inputs]
        batch = _sizes(flatten(steps[0]), 0)
        lengths = _lengths(sequence_length, batch)
        state = _first_state(cell, batch, dtype) if initial_state is None else initial_state
        state, outputs = _tensors(state), list[Any]()
        for time, given in enumerate(steps):
            if time:
                variables.reuse_variables()
            output, after = cell(given, state)
            if lengths is not None:
                running = less(time, lengths)
                output = _where_running(running, output, map_structure(zeros_like, output))
                after = _where_running(running, after, state)
            state = after
            outputs.append(output)
        return outputs, state


def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Sequence[Any],
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any, Any]:
    """`static_rnn` by two cells, forwards and backwards: outputs of both side by side, a list, and
    the last state of each.

    >>> class Sum:
    ...     state_size = output_size = 1
    ...     def zero_state(self, batch_size, dtype):
    ...         return tf.zeros([batch_size, 1], dtype)
    ...     def __call__(self, x, state):
    ...         return x + state, x + state
    >>> outputs, _, _ = tf.compat.v1.nn.static_bidirectional_rnn(
    ...     Sum(), Sum(), [tf.ones([1, 1])] * 2, dtype=tf.float32)
    >>> [one.numpy().tolist() for one in outputs]
    [[[1.0, 2.0]], [[2.0, 1.0]]]

    Raises:
        TypeError: one is no cell, or the inputs are no list.
        ValueError: there are no inputs, or neither a state nor a dtype.
    """
    _require_cell("cell_fw", cell_fw)
    _require_cell("cell_bw", cell_bw)
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forwards:
            ahead, state_ahead = static_rnn(
                cell_fw, inputs, initial_state_fw, dtype, sequence_length, forwards
            )
        with variable_scope("bw") as backwards:
            turned = _turned(inputs, sequence_length)
            back, state_back = static_rnn(
                cell_bw, turned, initial_state_bw, dtype, sequence_length, backwards
            )
    pairs = zip(ahead, _turned(back, sequence_length), strict=True)
    both = [
        pack_sequence_as(
            one, [concat(list(two), 1) for two in zip(flatten(one), flatten(other), strict=True)]
        )
        for one, other in pairs
    ]
    return both, state_ahead, state_back


def _turned(steps: Sequence[Any], lengths: Any) -> list[Any]:
    """The steps backwards, of each sequence those that it has."""
    if lengths is None:
        return list(reversed(steps))
    columns = [flatten(one) for one in steps]
    turned: list[list[Any]] = []
    for column in zip(*columns, strict=True):
        whole = stack([convert_to_tensor(one) for one in column])
        found = reverse_sequence(whole, convert_to_tensor(lengths), seq_axis=0, batch_axis=1)
        turned.append(unstack(found, len(steps)))
    rows = zip(*turned, strict=True)
    return [pack_sequence_as(one, list(row)) for one, row in zip(steps, rows, strict=True)]


def static_state_saving_rnn(
    cell: Any,
    inputs: Sequence[Any],
    state_saver: Any,
    state_name: Any,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """`static_rnn` from a state that is kept: `state_saver.state(name)` gives it,
    `state_saver.save_state(name, value)` keeps the last one when outputs are computed.

    state_name: a name, or as many as the state has parts.

    >>> class Sum:
    ...     state_size = output_size = 1
    ...     def zero_state(self, batch_size, dtype):
    ...         return tf.zeros([batch_size, 1], dtype)
    ...     def __call__(self, x, state):
    ...         return x + state, x + state
    >>> class Kept(dict):
    ...     state, save_state = dict.get, lambda self, name, value: self.update({name: value})
    >>> outputs, _ = tf.compat.v1.nn.static_state_saving_rnn(
    ...     Sum(), [tf.ones([1, 1])], Kept(total=tf.ones([1, 1])), "total")
    >>> outputs[0].numpy().tolist()
    [[2.0]]

    Raises:
        TypeError: it is no cell.
        ValueError: there are other names than parts.
    """
    _require_cell("cell", cell)
    names = flatten(state_name)
    sizes = cell.state_size
    parts = 1 if isinstance(sizes, (int, TensorShape)) else len(flatten(sizes))
    if parts != len(names):
        raise ValueError(f"state_name should have as many names as the state has parts: {parts}")
    kept = [state_saver.state(name) for name in names]
    first = kept[0] if not isinstance(state_name, (list, tuple)) else pack_sequence_as(sizes, kept)
    outputs, state = static_rnn(cell, inputs, first, sequence_length=sequence_length, scope=scope)
    saved = [
        state_saver.save_state(name, one) for name, one in zip(names, flatten(state), strict=True)
    ]
    with control_dependencies([one for one in saved if one is not None]):
        outputs[-1] = map_structure(identity, outputs[-1])
    return outputs, state
