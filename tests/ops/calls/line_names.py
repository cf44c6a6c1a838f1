"""What the expressions in `lines` are made of: operands, and how to look at things."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import numpy as np

from .call import gradient

IMAGE = (np.arange(2 * 4 * 5 * 3, dtype=np.float32).reshape(2, 4, 5, 3) * 7 % 29) / 29
WAVE = np.cos(np.arange(32.0) * 1.7).astype(np.float32)

# Namespaces, so that what is taken from them counts as taken from `tf`.
NAMESPACES: dict[str, Callable[[Any], Any]] = {
    "tf": lambda tf: tf,
    "tnp": lambda tf: tf.experimental.numpy,
    "data": lambda tf: tf.data.experimental,
}

OPERANDS: dict[str, Callable[[Any], Any]] = {
    "X": lambda tf: tf.constant([[1.0, -2, 3.5], [0.5, 4, -1.5]]),
    "N": lambda tf: tf.constant([[3, 1, 2], [0, 5, 4]]),
    "M": lambda tf: tf.constant([[4.0, 1, 0], [1, 5, 2], [0, 2, 6]], tf.float64),
    "Z": lambda tf: tf.constant([[1 + 2j, -0.5], [0.25j, 3 - 1j]], tf.complex64),
    "IMAGE": lambda tf: tf.constant(IMAGE),
    "BYTES": lambda tf: tf.constant((IMAGE * 255).astype(np.uint8)),
    "WAVE": lambda tf: tf.constant(WAVE),
    "CUBE": lambda tf: tf.constant(WAVE.reshape(2, 4, 4)),
    "S": lambda tf: tf.sparse.from_dense([[1.0, 0, -2], [0, 3, 0]]),
    "T": lambda tf: tf.sparse.from_dense([[0.5, 7, 0], [0, 3, 1]]),
    "R": lambda tf: tf.ragged.constant([[3, 1], [], [4, 1, 5]]),
    "MESH": lambda tf: tf.experimental.dtensor.create_mesh([("x", 1)], device_type="CPU"),
    "WHOLE": lambda tf: tf.experimental.dtensor.Layout(
        ["unsharded", "unsharded"], OPERANDS["MESH"](tf)
    ),
    "range_of": lambda tf: tf.data.Dataset.range,
}
CONSTANTS = {"np": np, "inf": float("inf"), "nan": float("nan")}

FILES = TemporaryDirectory()
atexit.register(FILES.cleanup)


def folder() -> str:
    """A new one, which is empty."""
    return mkdtemp(dir=FILES.name)


def written(text: str) -> str:
    """The path of a file with this text, alone in its folder."""
    path = Path(folder()) / "file"
    path.write_text(text)
    return str(path)


def text_of(path: str) -> str:
    return Path(path).read_text()


def within(context: Any, function: Callable[[], Any]) -> Any:
    with context:
        return function()


def found(function: Callable[[], Any]) -> str:
    """The class of what a function raises."""
    try:
        function()
    except BaseException as error:
        return type(error).__name__
    return "nothing"


def nothing(result: Any) -> Any:
    return [] if result is None else result


def described(column: Any) -> list[str]:
    """A feature column, by what it is made from again."""
    return [f"{name}={value}" for name, value in sorted(column.get_config().items())]


def spec(features: dict[str, Any]) -> list[str]:
    return [f"{name}: {feature}" for name, feature in sorted(features.items())]


class Looking:
    """What is asked of one library."""

    def __init__(self, tf: Any) -> None:
        self.tf = tf

    def elements(self, dataset: Any) -> list[Any]:
        return [self.tf.nest.flatten(one, expand_composites=True) for one in dataset]

    def rows(self, *values: Any) -> Any:
        return self.tf.data.Dataset.from_tensor_slices(list(values))

    def gradient(self, function: Callable[..., Any], *operands: Any) -> Any:
        return gradient(lambda _, *given: function(*given))(self.tf, *operands)

    def traced(self, function: Callable[..., Any], *operands: Any) -> Any:
        return self.tf.function(function)(*map(self.tf.convert_to_tensor, operands))

    def definition(self, function: Callable[..., Any], *operands: Any) -> Any:
        """A GraphDef of a function of `x`, that gives `result`."""
        with self.tf.Graph().as_default() as graph:
            x = self.tf.compat.v1.placeholder(operands[0].dtype, operands[0].shape, "x")
            self.tf.identity(function(x), "result")
        return graph.as_graph_def()

    def extension(self, **fields: Any) -> Any:
        """An extension type with these fields."""
        return type("Own", (self.tf.experimental.ExtensionType,), {"__annotations__": fields})

    def input_layer(self, features: dict[str, Any], columns: list[Any]) -> Any:
        v1 = self.tf.compat.v1
        with self.tf.Graph().as_default(), v1.Session() as session:
            rows = {name: self._inside(value) for name, value in features.items()}
            result = v1.feature_column.input_layer(rows, columns)
            session.run([v1.global_variables_initializer(), v1.tables_initializer()])
            return session.run(result)

    def _inside(self, value: Any) -> Any:
        if not isinstance(value, self.tf.SparseTensor):
            return self.tf.constant(np.asarray(value))
        parts = value.indices.numpy(), value.values.numpy(), value.dense_shape.numpy()
        return self.tf.SparseTensor(*parts)

    def module(self, value: Any) -> Any:
        """One with a variable `v`, and a function `f` that multiplies by it."""
        found = self.tf.Module()
        found.v = self.tf.Variable(value)
        signature = [self.tf.TensorSpec([], self.tf.float32)]
        found.f = self.tf.function(lambda x: x * found.v, signature)
        return found

    def saved(self, module: Any) -> str:
        path = folder()
        self.tf.saved_model.save(module, path)
        return path

    def kept(self, value: Any) -> str:
        """The folder of a checkpoint with a variable `v`."""
        path = folder()
        self.tf.train.Checkpoint(v=self.tf.Variable(value)).save(f"{path}/kept")
        return path

    def events(self, function: Callable[[], Any], in_short: bool = False) -> list[Any]:
        """What a summary writer writes: tags, plugins, and values, or their shapes in short."""
        path = folder()
        writer = self.tf.summary.create_file_writer(path)
        with writer.as_default():
            function()
        writer.close()
        (file,) = map(str, Path(path).iterdir())
        events = [self.tf.compat.v1.Event.FromString(one.numpy())
                  for one in self.tf.data.TFRecordDataset(file)]  # fmt: skip
        return [
            part
            for event in events[1:]
            for one in event.summary.value
            for part in self._value(event, one, in_short)
        ] + [len(event.graph_def) > 0 for event in events if event.graph_def]

    def _value(self, event: Any, one: Any, in_short: bool) -> list[Any]:
        array = self.tf.make_ndarray(one.tensor) if one.HasField("tensor") else one.simple_value
        plugin = one.metadata.plugin_data
        told = list(np.shape(array)) if in_short else array
        return [event.step, one.tag, plugin.plugin_name, one.metadata.summary_description, told]

    def example(self, **features: list[Any]) -> bytes:
        """A serialized example; empty lists are of integers."""
        train = self.tf.train

        def feature(values: list[Any]) -> Any:
            if any(isinstance(one, str) for one in values):
                texts = [one.encode() for one in values]
                return train.Feature(bytes_list=train.BytesList(value=texts))
            if any(isinstance(one, float) for one in values):
                return train.Feature(float_list=train.FloatList(value=values))
            return train.Feature(int64_list=train.Int64List(value=values))

        found = {name: feature(values) for name, values in features.items()}
        return train.Example(features=train.Features(feature=found)).SerializeToString()

    def examples(self, *records: bytes) -> str:
        """The path of a file of serialized examples."""
        path = f"{folder()}/examples"
        with self.tf.io.TFRecordWriter(path) as writer:
            for one in records:
                writer.write(one)
        return path
