"""Programs that are saved by one library and loaded by the other. `tf` is either of them.

Each entry of PROGRAMS makes a module; CALLS says what is done with it after loading, in order:
the attribute, its arguments, its keyword arguments. Arrays among the arguments become tensors.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from . import datasets, media, resources
from .resources import Call, Places, Program, Rows

f32 = np.float32
Pair = collections.namedtuple("Pair", "left right")


def counting(tf: Any) -> Program:
    """A variable that is changed and printed under a name scope; one signature."""

    class Demo(tf.Module):
        def __init__(self, initial: float) -> None:
            super().__init__()
            with self.name_scope:
                self.x = tf.Variable(initial, dtype=tf.float32, trainable=True)

        @tf.function(input_signature=[tf.TensorSpec(shape=[], dtype=tf.float32)])
        def add_print(self, a: Any) -> Any:
            with self.name_scope:
                self.x.assign_add(a)
                tf.print(self.x)
                return self.x

    demo = Demo(1.0)
    demo.add_print(5.0)
    return demo, {"serving_default": demo.add_print}


def loops(tf: Any) -> Program:
    """While and for loops on tensors, with break, and a loop inside of another."""

    class Loops(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
        def collatz(self, n: Any) -> Any:
            steps = 0
            while n > 1:
                if n % 2 == 0:
                    n = n // 2
                else:
                    n = 3 * n + 1
                steps += 1
                if steps > 1000:
                    break
            return steps

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
        def table(self, x: Any) -> Any:
            total = tf.zeros([])
            for row in x:
                for element in row:
                    total += element * element
            return total

    return Loops(), None


def branches(tf: Any) -> Program:
    """Branches that change variables, nested ones, and one of many."""

    class Branches(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.positive = tf.Variable(0)
            self.last = tf.Variable([0.0, 0.0])

        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
        def see(self, x: Any) -> Any:
            before = self.last.read_value()
            if tf.reduce_sum(x) > 0.0:
                self.positive.assign_add(1)
                if x[0] > x[1]:
                    self.last.assign(x)
                y = x + 1.0
            else:
                y = -x
            self.last.assign_add(y)
            return before, self.last.read_value(), self.positive.read_value(), y

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
        def choose(self, index: Any) -> Any:
            x = tf.constant([1.0, 2.0])
            return tf.switch_case(index, [lambda: x, lambda: x * 10.0, lambda: x - self.last])

    return Branches(), None


def arrays(tf: Any) -> Program:
    """TensorArrays in loops, of fixed size and growing."""

    class Arrays(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def running(self, x: Any) -> Any:
            count = tf.shape(x)[0]
            sums = tf.TensorArray(tf.float32, size=count, element_shape=[2])
            total = tf.zeros([2])
            for i in tf.range(count):
                total += x[i]
                sums = sums.write(i, total)
            return sums.stack(), total

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
        def squares(self, n: Any) -> Any:
            found = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
            i = 0
            while i * i < n:
                found = found.write(i, i * i)
                i += 1
            return found.stack(), found.size()

    return Arrays(), None


def layers(tf: Any) -> Program:
    """Nested modules in a list and in a dict, one of them twice; a captured constant."""

    class Dense(tf.Module):
        def __init__(self, rows: int, columns: int, name: str) -> None:
            super().__init__(name=name)
            start = np.linspace(-1.0, 1.0, rows * columns, dtype=f32).reshape(rows, columns)
            self.w = tf.Variable(start, name="w")
            self.b = tf.Variable(np.zeros(columns, f32), name="b", trainable=False)

        def __call__(self, x: Any) -> Any:
            return tf.tanh(tf.matmul(x, self.w) + self.b)

    class Layers(tf.Module):
        def __init__(self) -> None:
            super().__init__(name="net")
            self.layers = [Dense(3, 4, "first"), Dense(4, 2, "second")]
            self.by_name = {"again": self.layers[1], "scale": tf.Variable(2.0)}
            self.offset = tf.constant(np.arange(2, dtype=f32))

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def __call__(self, x: Any) -> Any:
            for layer in self.layers:
                x = layer(x)
            return x * self.by_name["scale"] + self.offset

    return Layers(), None


def structures(tf: Any) -> Program:
    """Nested arguments and results, defaults, keyword-only parameters, several traces."""

    class Structures(tf.Module):
        @tf.function
        def mixed(self, inputs: Any, factor: Any = 2, *, zeta: Any = 1.0, alpha: Any = None) -> Any:
            total = inputs["a"] * factor + inputs["b"][0] - inputs["b"][1]
            if alpha is not None:
                total = total + alpha * 100.0
            return {"total": total * zeta, "parts": [inputs["a"], (inputs["b"][1], None)]}

        @tf.function
        def pair(self, p: Any, *rest: Any, **more: Any) -> Any:
            total = p.left - p.right
            for one in rest:
                total += one
            return total + more["z"] - more["y"]

    made = Structures()
    x = tf.constant([1.0, 2.0])
    made.mixed({"a": x, "b": (x, x)})
    made.mixed({"a": x, "b": (x, x)}, 3, zeta=tf.constant(2.0), alpha=tf.constant(1.0))
    made.pair(Pair(x, x), x, x, z=x, y=x)
    return made, None


def strings(tf: Any) -> Program:
    """Strings in and out."""

    class Strings(tf.Module):
        @tf.function(
            input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([], tf.int32)]
        )
        def label(self, names: Any, number: Any) -> Any:
            return tf.strings.join([names, tf.constant("_"), tf.as_string(number)])

    return Strings(), None


def chance(tf: Any) -> Program:
    """Random numbers with seeds."""

    class Chance(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([2], tf.int32)])
        def drawn(self, seed: Any) -> Any:
            return tf.random.stateless_uniform([2, 3], seed), tf.random.stateless_normal([4], seed)

        @tf.function(input_signature=[])
        def stream(self) -> Any:
            return tf.random.uniform([3], seed=7), tf.random.normal([2], seed=8)

    return Chance(), None


def sizes(tf: Any) -> Program:
    """Sizes and ranks that are not known while tracing."""

    class Sizes(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
        def flat(self, x: Any) -> Any:
            size = tf.shape(x)
            return tf.reshape(x, [size[1], size[0]]), tf.reduce_mean(x, axis=0), size

        @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
        def centred(self, x: Any) -> Any:
            return x - tf.reduce_mean(x)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def chosen(self, x: Any) -> Any:
            return tf.boolean_mask(x, x > 0.0), tf.concat([x, x[:1]], 0), x[::-1]

    return Sizes(), None


def serving(tf: Any) -> Program:
    """Several signatures, of concrete functions and of functions with an input signature."""

    class Serving(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable([[2.0], [3.0]])

        @tf.function(
            input_signature=[
                tf.TensorSpec([None, 2], tf.float32, name="features"),
                tf.TensorSpec([], tf.float32, name="bias"),
            ]
        )
        def predict(self, x: Any, b: Any) -> Any:
            y = tf.matmul(x, self.w) + b
            return {"score": y, "positive": y > 0.0}

        @tf.function
        def stats(self, x: Any) -> Any:
            return tf.reduce_min(x), tf.reduce_max(x)

    made = Serving()
    stats = made.stats.get_concrete_function(tf.TensorSpec([None], tf.float32, name="values"))
    return made, {"serving_default": made.predict, "stats": stats}


def traces(tf: Any) -> Program:
    """A function without input signature, traced for several kinds of arguments."""

    class Traces(tf.Module):
        @tf.function
        def double(self, x: Any) -> Any:
            return x + x

        @tf.function
        def power(self, x: Any, n: Any = 2, negate: Any = False) -> Any:
            return -(x**n) if negate else x**n

        @tf.function
        def never(self, x: Any) -> Any:
            return x

    made = Traces()
    made.double(tf.constant(1))
    made.double(tf.constant([1.5, 2.5]))
    made.double.get_concrete_function(tf.TensorSpec([None, 2], tf.float32))
    made.power(tf.constant([2.0]))
    made.power(tf.constant([2.0]), 3, negate=True)
    return made, None


def training(tf: Any) -> Program:
    """A train step with its gradients: broadcasting, products, gathering, a loss over a batch."""

    class Training(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = tf.Variable(np.linspace(-1.0, 1.0, 15, dtype=f32).reshape(5, 3))
            self.w = tf.Variable(np.linspace(0.0, 1.0, 6, dtype=f32).reshape(3, 2))
            self.b = tf.Variable(np.zeros(2, f32))
            self.step_number = tf.Variable(0, trainable=False)

        @tf.function(
            input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([None], tf.int32)]
        )
        def step(self, words: Any, labels: Any) -> Any:
            with tf.GradientTape() as tape:
                x = tf.gather(self.table, words)
                logits = tf.matmul(tf.tanh(x), self.w) + self.b
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
                loss = tf.reduce_mean(losses)
            variables = [self.w, self.b, self.table]
            gradients = tape.gradient(loss, variables)
            self.w.assign_sub(0.5 * gradients[0])
            self.b.assign_sub(0.5 * gradients[1])
            self.table.assign_sub(0.5 * tf.convert_to_tensor(gradients[2]))
            self.step_number.assign_add(1)
            return loss

        @tf.function(input_signature=[tf.TensorSpec([None, 1], tf.float32)] * 2)
        def slopes(self, x: Any, y: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch([x, y])
                z = tf.reduce_sum((x * y - y) ** 2)
            return tape.gradient(z, [x, y])

    return Training(), None


def loop_gradients(tf: Any) -> Program:
    """The gradient of a loop, taken inside of a function, and a loop to be differentiated later."""

    class Slopes(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(1.5)

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)])
        def power(self, x: Any, n: Any) -> Any:
            y = tf.ones([])
            for _ in tf.range(n):
                y = y * x * self.w
            return y

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)])
        def slope(self, x: Any, n: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = self.power(x, n)
            return tape.gradient(y, x)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def scanned(self, x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                state = tf.zeros([2])
                states = tf.TensorArray(tf.float32, tf.shape(x)[0])
                for i in tf.range(tf.shape(x)[0]):
                    state = tf.tanh(state * self.w + x[i])
                    states = states.write(i, state)
                total = tf.reduce_sum(states.stack() ** 2)
            return tape.gradient(total, x)

    return Slopes(), None


def checks(tf: Any) -> Program:
    """Assertions, functions that call functions, and effects in their order."""

    class Checks(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.log = tf.Variable(np.zeros(3, f32))

        @tf.function
        def halve(self, x: Any) -> Any:
            tf.debugging.assert_greater(x, 0.0, message="not positive")
            return x / 2.0

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def run(self, x: Any) -> Any:
            first = self.log[0] + 0.0
            self.log[0].assign(self.halve(x))
            second = self.log[0] + 0.0
            self.log.assign(self.log * 2.0)
            self.log[1].assign(second + 1.0)
            return first, second, self.log.read_value()

    return Checks(), None


def kinds(tf: Any) -> Program:
    """Variables, constants, arguments and results of many dtypes; large and empty constants."""
    names = "float64 float16 bfloat16 int8 uint8 int16 int64 uint32 complex64 bool".split()

    class Kinds(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.held = {name: tf.Variable(tf.cast([1, 0], name)) for name in names}
            self.word = tf.Variable(["é", ""])
            self.table = tf.constant(np.arange(400, dtype=np.float64).reshape(20, 20))

        @tf.function
        def twice(self, x: Any) -> Any:
            return x if x.dtype == tf.bool else x + x

        @tf.function(input_signature=[])
        def all(self) -> Any:
            constants = [tf.constant([2, 3], name) for name in names if name != "bool"]
            empty = tf.zeros([0, 3], tf.int64)
            half = [tf.cast(one, tf.float32) for one in (self.held["float16"], constants[2])]
            shown = [self.held[n] for n in names if n not in ("bfloat16",)]
            return [*shown, self.word, self.table, empty, tf.constant(["a", "b"]), *half]

    made = Kinds()
    for name in names:
        made.twice(tf.cast([1, 0], name))
    return made, None


def given_gradients(tf: Any) -> Program:
    """Gradients of the user's own, which use what was computed, and a variable."""

    class Given(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def scaled(self, x: Any) -> Any:
            @tf.custom_gradient
            def square(x: Any) -> Any:
                y = x * x * self.w

                def grad(dy: Any, variables: Any = None) -> Any:
                    return dy * 100.0 * y + self.w, [dy * 7.0]

                return y, grad

            return square(x) + 1.0

        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
        def clipped(self, x: Any) -> Any:
            @tf.custom_gradient
            def triple(x: Any) -> Any:
                return x * 3.0, lambda dy: tf.clip_by_value(dy, -1.0, 1.0) * x

            return triple(x) * 2.0

    return Given(), None


PROGRAMS: dict[str, Callable[[Any], Program]] = {
    one.__name__: one
    for one in (
        counting, loops, branches, arrays, layers, structures, strings, chance, sizes, serving,
        traces, training, loop_gradients, checks, kinds,
        given_gradients,
        *resources.PROGRAMS,
        *media.PROGRAMS,
        *datasets.PROGRAMS,
    )
}  # fmt: skip

X = np.array([[1.0, 2.0], [3.0, -4.0], [0.5, 6.0]], f32)
V = np.array([1.0, -2.0, 3.0], f32)
SCALAR = np.array(3.0, f32)
ROW = np.array([2.0, 1.0], f32)
WORDS = np.array([0, 3, 3, 1], np.int32)
LABELS = np.array([1, 0, 0, 1], np.int32)


def number(value: int) -> Any:
    return np.array(value, np.int32)


CALLS: dict[str, list[Call]] = {
    "counting": [
        ("add_print", (SCALAR,), {}),
        ("add_print", (2.5,), {}),
        ("signatures.serving_default", (), {"a": SCALAR}),
    ],
    "loops": [("collatz", (number(27),), {}), ("table", (X,), {}), ("table", (X[:0],), {})],
    "branches": [
        ("see", (ROW,), {}),
        ("see", (-ROW,), {}),
        ("see", (ROW[::-1].copy(),), {}),
        *(("choose", (number(k),), {}) for k in (0, 1, 2, 5)),
    ],
    "arrays": [("running", (X,), {}), ("squares", (number(30),), {})],
    "layers": [("", (np.ones((2, 3), f32),), {}), ("", (np.eye(3, dtype=f32),), {})],
    "structures": [
        ("mixed", ({"a": ROW, "b": (ROW, ROW + 1)},), {}),
        (
            "mixed",
            ({"a": ROW, "b": (ROW, ROW + 1)}, 3),
            {"zeta": SCALAR, "alpha": np.array(2.0, f32)},
        ),
        ("pair", (Pair(ROW, ROW + 2), ROW, ROW * 3), {"y": ROW, "z": ROW * 5}),
    ],
    "strings": [("label", (np.array([b"a", "ü".encode()], object), number(-3)), {})],
    "chance": [
        ("drawn", (np.array([1, 2], np.int32),), {}),
        ("stream", (), {}),
        ("stream", (), {}),
    ],
    "sizes": [
        ("flat", (X,), {}),
        ("centred", (X,), {}),
        ("centred", (SCALAR,), {}),
        ("chosen", (V,), {}),
    ],
    "serving": [
        ("predict", (X, SCALAR), {}),
        ("signatures.serving_default", (), {"features": X, "bias": SCALAR}),
        ("signatures.stats", (), {"values": V}),
    ],
    "traces": [
        ("double", (number(4),), {}),
        ("double", (ROW,), {}),
        ("double", (X,), {}),
        ("double", ([[1.0, 2.0]],), {}),
        ("power", (np.array([3.0], f32),), {}),
        ("power", (np.array([3.0], f32),), {"negate": True, "n": 3}),
    ],
    "training": [
        *[("step", (WORDS, LABELS), {})] * 3,
        ("slopes", (X[:, :1], X[:, 1:]), {}),
        ("slopes", (X[:1, :1], X[:, 1:]), {}),
    ],
    "loop_gradients": [
        ("power", (SCALAR, number(3)), {}),
        ("slope", (SCALAR, number(3)), {}),
        ("scanned", (X,), {}),
    ],
    "checks": [("run", (SCALAR,), {}), ("run", (SCALAR + 1,), {})],
    "given_gradients": [("scaled", (SCALAR,), {}), ("clipped", (ROW,), {})],
    "kinds": [
        ("all", (), {}),
        *(
            ("twice", (np.array([1, 0], dtype),), {})
            for dtype in ("f8", "f2", "i1", "u1", "i2", "i8", "u4", "c8", "?")
        ),
    ],
}

CALLS.update(resources.CALLS | media.CALLS | datasets.CALLS)

# What is differentiated after loading: the attribute, its first argument, the others.
GRADIENTS: dict[str, list[Call]] = {
    "layers": [("", (np.ones((2, 3), f32),), {})],
    "loop_gradients": [("power", (SCALAR, number(4)), {})],
    "arrays": [("running", (X,), {})],
    "given_gradients": [("scaled", (SCALAR,), {}), ("clipped", (ROW,), {})],
    "traces": [("power", (np.array([3.0], f32),), {})],
}


def prepared(tf: Any, name: str) -> Program:
    """A program with the functions traced that are to be saved."""
    return PROGRAMS[name](tf)


def outputs(tf: Any, model: Any, name: str) -> list[Any]:
    """All results of the calls and gradients of one program, as arrays, in order."""
    found: list[Any] = []
    for attribute, args, kwargs in CALLS[name]:
        result = looked_up(model, attribute)(*tensors(tf, args), **tensors(tf, kwargs))
        leaves = tf.nest.flatten(result, expand_composites=True)
        found += [one for one in leaves if one is not None]
    for attribute, args, kwargs in GRADIENTS.get(name, ()):
        given = tensors(tf, args)
        with tf.GradientTape() as tape:
            tape.watch(given[0])
            result = tf.nest.flatten(looked_up(model, attribute)(*given, **kwargs))[0]
        found.append(tape.gradient(result, given[0]))
    return [np.asarray(one.numpy()) for one in found]


def looked_up(model: Any, attribute: str) -> Any:
    first, _, key = attribute.partition(".")
    found = getattr(model, first) if first else model
    return found[key] if key else found


def tensors(tf: Any, value: Any) -> Any:
    """Arrays as tensors, and what holds them as it is."""
    if isinstance(value, np.ndarray):
        return tf.constant(value)
    if isinstance(value, (Places, Rows)):
        return value.of(tf)
    if isinstance(value, dict):
        return {key: tensors(tf, one) for key, one in value.items()}
    if hasattr(value, "_fields"):
        return type(value)(*(tensors(tf, one) for one in value))
    if isinstance(value, tuple):
        return tuple(tensors(tf, one) for one in value)
    return value
