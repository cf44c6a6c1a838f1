"""Making random programs: every choice is hypothesis's, every kind of step a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

import tensormill as tf

from .programs import FLOATS, INTEGERS, Program, Size, Step, Type


class Maker:
    """Adds steps to a program; every choice is hypothesis's."""

    def __init__(
        self, draw: Any, parameters: Sequence[Type], depth: int, *, assigns: bool = True
    ) -> None:
        self.draw = draw
        self.depth = depth
        self.assigns = assigns  # whether programs may change variables
        self.program = Program(tuple(parameters))

    def choose(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def numbers(self, wanted: Callable[[Type], bool] = lambda one: True) -> list[int]:
        return [k for k, one in enumerate(self.program.types) if wanted(one)]

    def pick(self, wanted: Callable[[Type], bool] = lambda one: True) -> tuple[int, Type] | None:
        """One of the values with a wanted type; late ones first, so that steps form chains."""
        options = self.numbers(wanted)
        if not options:
            return None
        number = self.choose(options[::-1])
        return number, self.program.types[number]

    def add(
        self, text: str, operands: Sequence[int], run: Any, *results: Type, assigns: bool = False
    ) -> None:
        self.program.steps.append(Step(text, tuple(operands), run, results, assigns))

    def one(self, text: str, operands: Sequence[int], run: Any, result: Type) -> None:
        """Add a step of one result that does not look at variables."""
        self.add(text, operands, lambda _, *given: (run(*given),), result)

    def fresh(self) -> str:
        return f"size{len(self.program.steps)}.{self.depth}"

    def inner(self, parameters: Sequence[Type], steps: int) -> Program:
        """A smaller program on some types."""
        maker = Maker(self.draw, parameters, self.depth + 1, assigns=self.assigns)
        maker.grow(steps)
        return maker.program

    def grow(self, steps: int) -> None:
        rules = RULES if self.depth < 2 else SIMPLE
        if not self.assigns:
            rules = [rule for rule in rules if rule not in (assign, assign_vector)]
        for _ in range(steps):
            self.choose(rules)(self)

    def capture(self, count: int) -> list[int]:
        numbers = self.numbers()
        return [self.choose(numbers[::-1]) for _ in range(count)]


def unary(maker: Maker) -> None:
    found = maker.pick()
    assert found is not None
    number, given = found
    names = UNARY["float" if given.is_float else "int" if given.is_number else "bool"]
    name = maker.choose(names)
    maker.one(name, [number], UNARY_FUNCTIONS[name], given)


UNARY = {
    "float": (
        "neg",
        "abs",
        "tanh",
        "square",
        "sigmoid",
        "exp",
        "floor",
        "relu",
        "sign",
        "sqrt",
        "log1p",
        "softplus",
    ),
    "int": ("neg", "abs", "square", "sign"),
    "bool": ("not",),
}
UNARY_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "neg": lambda x: -x,
    "abs": tf.abs,
    "tanh": tf.tanh,
    "square": lambda x: tf.clip_by_value(tf.square(x), -100, 100),
    "sigmoid": tf.sigmoid,
    "exp": lambda x: tf.exp(tf.minimum(x, 4)),
    "floor": tf.floor,
    "relu": tf.nn.relu,
    "sign": tf.sign,
    "sqrt": lambda x: tf.sqrt(tf.abs(x)),
    "log1p": lambda x: tf.math.log1p(tf.abs(x)),
    "softplus": lambda x: tf.math.softplus(tf.clip_by_value(x, -50, 50)),
    "not": tf.logical_not,
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": tf.add,
    "sub": tf.subtract,
    "mul": lambda x, y: tf.clip_by_value(x * y, -1000, 1000),
    "maximum": tf.maximum,
    "minimum": tf.minimum,
    "floordiv": tf.math.floordiv,
    "mod": tf.math.floormod,
    "less": tf.less,
    "equal": tf.equal,
}


def broadcast(a: tuple[Size, ...], b: tuple[Size, ...]) -> tuple[Size, ...] | None:
    """The common shape, or None where names do not promise one."""
    rank = max(len(a), len(b))
    wide = [(1,) * (rank - len(one)) + tuple(one) for one in (a, b)]
    sizes: list[Size] = []
    for x, y in zip(*wide, strict=True):
        if x != y and 1 not in (x, y):
            return None
        sizes.append(y if x == 1 else x)
    return tuple(sizes)


def binary(maker: Maker) -> None:
    found = maker.pick(lambda one: one.is_number)
    if found is None:
        return
    left, a = found
    other = maker.pick(lambda one: one.is_number and broadcast(a.shape, one.shape) is not None)
    assert other is not None
    right, b = other
    shape = broadcast(a.shape, b.shape)
    assert shape is not None
    name = maker.choose(list(BINARY))
    function = BINARY[name]
    dtype = tf.bool if name in ("less", "equal") else a.dtype
    maker.one(
        name, [left, right], lambda x, y: function(x, tf.cast(y, x.dtype)), Type(dtype, shape)
    )


def where(maker: Maker) -> None:
    condition = maker.pick(lambda one: one.dtype is tf.bool)
    if condition is None:
        return
    chosen = maker.pick(lambda one: broadcast(one.shape, condition[1].shape) is not None)
    if chosen is None:
        return
    number, given = chosen
    shape = broadcast(given.shape, condition[1].shape)
    assert shape is not None
    maker.one(
        "where", [condition[0], number],
        lambda c, x: tf.where(c, x, tf.cast(tf.constant(1), x.dtype)), Type(given.dtype, shape),
    )  # fmt: skip


def cast(maker: Maker) -> None:
    found = maker.pick()
    assert found is not None
    dtype = maker.choose((*FLOATS, *INTEGERS))
    maker.one(
        f"cast {dtype.name}", [found[0]], lambda x: tf.cast(x, dtype), Type(dtype, found[1].shape)
    )


REDUCTIONS: dict[str, Any] = {
    "sum": tf.reduce_sum,
    "max": tf.reduce_max,
    "min": tf.reduce_min,
    "mean": tf.reduce_mean,
}


def reduce(maker: Maker) -> None:
    found = maker.pick(lambda one: one.is_number)
    if found is None:
        return
    number, given = found
    rank = len(given.shape)
    axes = [None, *([axis] for axis in range(rank)), *([[0, rank - 1]] if rank > 1 else [])]
    axis, keep = maker.choose(axes), maker.choose([False, True])
    name = maker.choose(["sum", "max", "min", *(["mean"] if given.is_float else [])])
    gone = range(rank) if axis is None else axis
    kept = [1 if k in gone else size for k, size in enumerate(given.shape)]
    shape = kept if keep else [size for k, size in enumerate(given.shape) if k not in gone]
    maker.one(
        f"{name} {axis} {keep}", [number],
        lambda x: REDUCTIONS[name](x, axis, keepdims=keep), Type(given.dtype, tuple(shape)),
    )  # fmt: skip


def running_sum(maker: Maker) -> None:
    found = maker.pick(lambda one: one.is_number and len(one.shape) > 0)
    if found is None:
        return
    axis = maker.choose(range(len(found[1].shape)))
    exclusive, backwards = maker.choose([False, True]), maker.choose([False, True])
    maker.one(
        f"cumsum {axis} {exclusive} {backwards}", [found[0]],
        lambda x: tf.cumsum(x, axis, exclusive, backwards), found[1],
    )  # fmt: skip


def largest(maker: Maker) -> None:
    """Fails where the axis is empty, which a function inside may or may not have to find out."""
    found = maker.pick(lambda one: one.is_number and len(one.shape) > 0)
    if found is None:
        return
    axis, inside = maker.choose(range(len(found[1].shape))), maker.depth > 0
    shape = found[1].shape[:axis] + found[1].shape[axis + 1 :]
    wider = [[0, int(inside and k == axis)] for k in range(len(found[1].shape))]
    maker.one(
        f"argmax {axis}", [found[0]],
        lambda x: tf.argmax(tf.pad(x, wider) if inside else x, axis), Type(tf.int64, shape),
    )  # fmt: skip


def softmax(maker: Maker) -> None:
    found = maker.pick(lambda one: one.is_float and len(one.shape) > 0)
    if found is None:
        return
    axis = maker.choose(range(len(found[1].shape)))
    function = maker.choose([tf.nn.softmax, tf.nn.log_softmax])
    maker.one(
        f"{function.__name__} {axis}", [found[0]],
        lambda x: function(tf.clip_by_value(x, -50, 50), axis), found[1],
    )  # fmt: skip


def product(maker: Maker) -> None:
    found = maker.pick(lambda one: one.is_float and len(one.shape) == 2)
    if found is None:
        return
    number, a = found
    other = maker.pick(
        lambda one: one.dtype is a.dtype and len(one.shape) == 2 and one.shape[1] == a.shape[1]
    )
    assert other is not None
    maker.one(
        "matmul", [number, other[0]],
        lambda x, y: tf.tanh(tf.matmul(x, y, transpose_b=True)),
        Type(a.dtype, (a.shape[0], other[1].shape[0])),
    )  # fmt: skip


def move(maker: Maker) -> None:
    """The same elements elsewhere."""
    found = maker.pick(lambda one: len(one.shape) > 0)
    if found is None:
        return
    number, given = found
    last = len(given.shape) - 1
    size, wider = given.shape[0], (*given.shape[:last], 1, *given.shape[last:])
    options: list[tuple[str, Any, tuple[Size, ...]]] = [
        ("flatten", lambda x: tf.reshape(x, [-1]), (maker.fresh(),)),
        ("transpose", tf.transpose, given.shape[::-1]),
        ("reverse", lambda x: x[::-1], given.shape),
        ("every other", lambda x: x[::2], (maker.fresh(), *given.shape[1:])),
        ("but the first", lambda x: x[1:], (maker.fresh(), *given.shape[1:])),
        ("the first two", lambda x: x[..., :2], (*given.shape[:-1], maker.fresh())),
        ("the last", lambda x: x[-1], given.shape[1:]),
        ("new axis", lambda x: tf.expand_dims(x, last), wider),
        ("rows", lambda x: tf.reshape(x, [tf.shape(x)[0], -1]), (size, maker.fresh())),
        ("twice", lambda x: tf.concat([x, x], 0), (maker.fresh(), *given.shape[1:])),
        ("stack", lambda x: tf.stack([x, x], 1), (size, 2, *given.shape[1:])),
        ("pad", lambda x: tf.pad(x, [[1, 2]] + [[0, 0]] * last), (maker.fresh(), *given.shape[1:])),
        ("tile", lambda x: tf.tile(x, [2] + [1] * last), (maker.fresh(), *given.shape[1:])),
        ("roll", lambda x: tf.roll(x, 1, 0), given.shape),
        ("unstacked", lambda x: tf.gather(x, [0, 0]), (2, *given.shape[1:])),
        ("wide", lambda x: tf.broadcast_to(x, tf.concat([[2], tf.shape(x)], 0)), (2, *given.shape)),
    ]  # fmt: skip
    text, function, shape = maker.choose(options)
    if len(shape) <= 4:
        maker.one(text, [number], function, Type(given.dtype, shape))


def gather(maker: Maker) -> None:
    """Indices may lie outside: then it fails."""
    indices = maker.pick(lambda one: one.dtype in INTEGERS and len(one.shape) < 2)
    table = maker.pick(lambda one: 0 < len(one.shape) < 3)
    if indices is None or table is None:
        return
    shape = (*indices[1].shape, *table[1].shape[1:])
    maker.one("gather", [table[0], indices[0]], tf.gather, Type(table[1].dtype, shape))


def mask(maker: Maker) -> None:
    """The elements, or the places of those, for which a condition holds."""
    found = maker.pick(lambda one: one.is_number and 0 < len(one.shape) < 4)
    if found is None:
        return
    number, given = found
    if maker.choose([False, True]):
        shape: tuple[Size, ...] = (maker.fresh(), len(given.shape))
        maker.one("places", [number], lambda x: tf.where(x > 0), Type(tf.int64, shape))
        return
    rows = maker.choose([False, True])
    shape = (maker.fresh(), *given.shape[1:]) if rows else (maker.fresh(),)

    def run(x: Any) -> Any:
        axes = list(range(1, len(given.shape)))
        return tf.boolean_mask(x, tf.reduce_any(x > 0, axes) if rows else x > 0)

    maker.one(f"mask {rows}", [number], run, Type(given.dtype, shape))


def scatter(maker: Maker) -> None:
    """Rows put elsewhere; indices may lie outside: then it fails."""
    indices = maker.pick(lambda one: one.dtype in INTEGERS and len(one.shape) == 1)
    table = maker.pick(lambda one: one.is_number and 0 < len(one.shape) < 3)
    if indices is None or table is None:
        return
    how = maker.choose(["update", "add", "max", "segments"])

    def run(x: Any, places: Any) -> Any:
        wanted = tf.concat([tf.shape(places), tf.shape(x)[1:]], 0)
        rows = tf.fill(wanted, tf.cast(2, x.dtype))
        if how == "segments":
            return tf.math.unsorted_segment_sum(rows, places, tf.shape(x)[0])
        places = tf.expand_dims(places, 1)
        if how == "update":
            return tf.tensor_scatter_nd_update(x, places, rows)
        if how == "add":
            return tf.tensor_scatter_nd_add(x, places, rows)
        return tf.tensor_scatter_nd_max(x, places, rows)

    maker.one(f"scatter {how}", [table[0], indices[0]], run, table[1])


def piece(maker: Maker) -> None:
    """A strided slice; its bounds may be values."""
    found = maker.pick(lambda one: len(one.shape) > 0)
    bound = maker.pick(lambda one: one.dtype in INTEGERS and not one.shape)
    if found is None or bound is None:
        return
    number, given = found
    start, step = maker.choose([None, 0, 1, -2, 5]), maker.choose([1, 2, -1, -3])
    last = maker.choose([False, True])

    def run(x: Any, end: Any) -> Any:
        return x[..., start:end:step] if last else x[start:end:step]

    rest = given.shape[:-1] if last else given.shape[1:]
    shape = (*rest, maker.fresh()) if last else (maker.fresh(), *rest)
    maker.one(f"piece {start}::{step} {last}", [number, bound[0]], run, Type(given.dtype, shape))


# ---------------------------------------------------------------- variables


def scalar_of(x: Any) -> Any:
    """A small float32 scalar that depends on all of `x`."""
    return tf.tanh(tf.reduce_sum(tf.cast(x, tf.float32)))


def read(maker: Maker) -> None:
    maker.add("read scalar", [], lambda state: (state.scalar.read_value(),), Type(tf.float32, ()))


def read_vector(maker: Maker) -> None:
    maker.add("read vector", [], lambda state: (state.vector + 0.0,), Type(tf.float32, (3,)))


def assign(maker: Maker) -> None:
    found = maker.pick()
    assert found is not None

    def run(state: Any, x: Any) -> tuple[Any, ...]:
        state.scalar.assign(scalar_of(x))
        return ()

    maker.add("assign scalar", [found[0]], run, assigns=True)


def assign_vector(maker: Maker) -> None:
    found = maker.pick()
    assert found is not None
    how = maker.choose(["add", "reverse", "scatter"])

    def run(state: Any, x: Any) -> tuple[Any, ...]:
        if how == "add":
            state.vector.assign_add(scalar_of(x) * tf.ones([3]))
        elif how == "reverse":
            state.vector.assign(state.vector[::-1] * scalar_of(x))
        else:
            state.vector.scatter_nd_add([[0], [2]], state.vector[1:])
        return ()

    maker.add(f"{how} vector", [found[0]], run, assigns=True)


# ---------------------------------------------------------------- control flow


def branch(maker: Maker) -> None:
    """Two programs on the same values; their results are of the same types."""
    captured = maker.capture(3)
    types = [maker.program.types[k] for k in captured]
    programs = [maker.inner(types, maker.choose([1, 2, 4])) for _ in range(2)]
    result = maker.choose(types)
    for one in programs:
        one.give(maker.choose([k for k, t in enumerate(one.types) if t == result]))

    def run(state: Any, condition: Any, *given: Any) -> tuple[Any, ...]:
        positive = scalar_of(condition) > 0.1
        yes, no = programs
        return (tf.cond(positive, lambda: yes(state, *given)[0], lambda: no(state, *given)[0]),)

    operands = [maker.capture(1)[0], *captured]
    text = f"cond {programs[0]} else {programs[1]}"
    maker.add(text, operands, run, result, assigns=any(one.assigns for one in programs))


def loop(maker: Maker) -> None:
    """A loop that carries values of the captured types, and writes one of them to a list."""
    captured = maker.capture(2)
    types = [maker.program.types[k] for k in captured]
    body = maker.inner(types, maker.choose([1, 2, 4]))
    body.give(
        *(maker.choose([k for k, t in enumerate(body.types) if t == wanted]) for wanted in types)
    )
    times = maker.choose([0, 1, 3])

    def run(state: Any, *given: Any) -> tuple[Any, ...]:
        array = tf.TensorArray(given[0].dtype, size=times, element_shape=given[0].shape)

        def step(k: Any, array: Any, *values: Any) -> Any:
            array = array.write(k, values[0])
            return (k + 1, array, *body(state, *values))

        _, array, *last = tf.while_loop(
            lambda k, *_: k < times, step, [tf.constant(0), array, *given]
        )
        return (*last, array.stack()) if times else tuple(last)

    stacked = [Type(types[0].dtype, (times, *types[0].shape))] if times else []
    text = f"{times} times {body}"
    maker.add(text, captured, run, *types, *stacked, assigns=body.assigns)


def ragged(maker: Maker) -> None:
    """A list of pieces of different lengths, which a loop writes, joined."""
    found = maker.pick(lambda one: one.is_number and len(one.shape) > 0)
    if found is None:
        return
    number, given = found
    inner = [size if isinstance(size, int) else None for size in given.shape[1:]]
    stride = maker.choose([1, 2, 3])

    def run(x: Any) -> Any:
        array = tf.TensorArray(
            x.dtype, 0, dynamic_size=True, infer_shape=False, element_shape=[None, *inner]
        )
        count = tf.minimum(tf.shape(x)[0], 3)
        _, array = tf.while_loop(
            lambda k, _: k <= count,
            lambda k, array: (k + 1, array.write(k, x[: k * stride])), [tf.constant(0), array],
        )  # fmt: skip
        return array.concat()

    shape = (maker.fresh(), *given.shape[1:])
    maker.one(f"ragged {stride}", [number], run, Type(given.dtype, shape))


def call(maker: Maker) -> None:
    captured = maker.capture(2)
    inner = maker.inner([maker.program.types[k] for k in captured], maker.choose([1, 3]))
    inner.give(*range(len(inner.types))[-2:])

    def run(state: Any, *given: Any) -> tuple[Any, ...]:
        return tf.function(lambda *values: inner(state, *values), autograph=False)(*given)

    results = [inner.types[k] for k in inner.returned]
    maker.add(f"call {inner}", captured, run, *results, assigns=inner.assigns)


def gradient(maker: Maker) -> None:
    found = maker.pick(lambda one: one.is_float)
    if found is None:
        return
    number, given = found
    inner = maker.inner([given], 3)
    inner.give(maker.choose([k for k, t in enumerate(inner.types) if t.is_float][::-1]))

    def run(state: Any, x: Any) -> tuple[Any, ...]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            (y,), others = state.with_others(lambda: inner(state, x))
        targets = [y, *others]
        given = [tf.ones_like(y), *map(tf.zeros_like, others)]
        found = tape.gradient(targets, x, given, unconnected_gradients="zero")
        return (state.summed(tf.convert_to_tensor(found)),)

    maker.add(f"gradient {inner}", [number], run, given, assigns=inner.assigns)


SIMPLE = [
    unary, binary, binary, where, cast, reduce, running_sum, largest, product, move, move, move,
    gather, read, read_vector, assign, assign_vector, softmax, mask, scatter, piece,
]  # fmt: skip
RULES = [*SIMPLE, branch, loop, call, gradient, branch, loop, gradient, ragged]

PARAMETERS = (
    Type(tf.float32, ("n", 3)),
    Type(tf.float32, ("n",)),
    Type(tf.int32, ("n",)),
    Type(tf.float64, (3,)),
    Type(tf.int64, ()),
)


@st.composite
def programs(draw: Any, steps: int = 12) -> Program:
    """A whole program on `PARAMETERS`."""
    maker = Maker(draw, PARAMETERS, 0)
    maker.grow(draw(st.integers(1, steps)))
    count = len(maker.program.types)
    maker.program.give(*range(max(count - 6, 0), count))
    return maker.program
