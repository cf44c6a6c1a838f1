"""What a program may do first with the library, in any thread: each imports what it needs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final


def constant() -> None:
    import tensormill as tf

    assert float(tf.constant(2.0) * 3.0) == 6.0


def function() -> None:
    import tensormill as tf

    @tf.function
    def doubled_until(x: Any, limit: Any) -> Any:
        while x < limit:
            x = x * 2
        return x

    assert int(doubled_until(tf.constant(3), tf.constant(20))) == 24


def dataset() -> None:
    import tensormill as tf

    numbers = tf.data.Dataset.range(6).map(lambda x: x * x).batch(2)
    assert [batch.numpy().tolist() for batch in numbers] == [[0, 1], [4, 9], [16, 25]]


def tape() -> None:
    import tensormill as tf

    v = tf.Variable(3.0)
    with tf.GradientTape() as recording:
        y = tf.exp(v * 0.0) * v * v
    assert float(recording.gradient(y, v)) == 6.0


def module() -> None:
    import tensormill as tf

    class Scale(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.factor = tf.Variable(2.0)

        @tf.function
        def __call__(self, x: Any) -> Any:
            return x * self.factor

    scale = Scale()
    assert float(scale(tf.constant(4.0))) == 8.0
    assert len(scale.trainable_variables) == 1


def saved_model() -> None:
    import tensormill as tf

    saved = tf.Module()
    saved.v = tf.Variable(5.0)
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(saved, folder)
        assert float(tf.saved_model.load(folder).v) == 5.0


def checkpoint() -> None:
    import tensormill as tf

    v = tf.Variable([1.0, 2.0])
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(v=v).write(str(Path(folder) / "one"))
        v.assign([0.0, 0.0])
        tf.train.Checkpoint(v=v).read(path).assert_consumed()
    assert v.numpy().tolist() == [1.0, 2.0]


def random() -> None:
    import tensormill as tf

    generator = tf.random.Generator.from_seed(1)
    assert generator.normal([3]).shape == (3,)
    assert tf.random.uniform([2]).shape == (2,)


def signal() -> None:
    import tensormill as tf

    assert tf.signal.rfft(tf.ones([4])).numpy().tolist() == [4, 0, 0]
    assert tf.signal.frame(tf.range(5), 3, 1).shape == (3, 3)


def files() -> None:
    import tensormill as tf

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "text")
        tf.io.write_file(path, "words")
        assert tf.io.read_file(path).numpy() == b"words"
        assert tf.io.gfile.exists(path)


def strings() -> None:
    import tensormill as tf

    words = tf.strings.split(tf.constant(["a b", "c"]))
    assert words.to_list() == [[b"a", b"b"], [b"c"]]


def image() -> None:
    import tensormill as tf

    assert tf.image.resize(tf.ones([4, 4, 3]), [2, 2]).shape == (2, 2, 3)


def ragged() -> None:
    import tensormill as tf

    rows = tf.ragged.constant([[1, 2], [3]]) + 1
    assert tf.reduce_sum(rows, axis=1).numpy().tolist() == [5, 4]


def sparse() -> None:
    import tensormill as tf

    matrix = tf.sparse.from_dense([[0.0, 2.0], [3.0, 0.0]])
    assert tf.sparse.to_dense(matrix).numpy().tolist() == [[0.0, 2.0], [3.0, 0.0]]


def linalg() -> None:
    import tensormill as tf

    assert tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy().tolist() == [[0.5, 0.0], [0.0, 0.25]]


def python_function() -> None:
    import tensormill as tf

    x = tf.constant(3.0)
    with tf.GradientTape() as recording:
        recording.watch(x)
        y = tf.py_function(lambda one: one * one, [x], tf.float32)
    assert float(recording.gradient(y, x)) == 6.0


def namespaces() -> None:
    """Modules that the import system makes, which type checkers know nothing of."""
    relu = import_module("tensormill.nn").relu
    exp = import_module("tensormill.math").exp
    to_code = import_module("tensormill.autograph").to_code

    assert float(relu(-1.0)) == 0.0
    assert float(exp(0.0)) == 1.0
    assert "def" in to_code(constant)


def control() -> None:
    import tensormill as tf

    squares = tf.map_fn(lambda x: x * x, tf.constant([1.0, 2.0]))
    assert squares.numpy().tolist() == [1.0, 4.0]
    assert int(tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)])[0]) == 3


def graph() -> None:
    import tensormill as tf

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        assert session.run(tf.constant(2.0) + 1.0) == 3.0


def forward() -> None:
    import tensormill as tf

    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = x * x
    assert float(accumulator.jvp(y)) == 4.0


USES: Final[dict[str, Callable[[], None]]] = {
    use.__name__: use
    for use in (
        constant, function, dataset, tape, module, saved_model, checkpoint, random, signal, files,
        strings, image, ragged, sparse, linalg, python_function, namespaces, control, graph,
        forward,
    )
}  # fmt: skip
