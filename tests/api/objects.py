"""Objects that programs hold, whose attributes they ask for by name: the same on both.

    python -m tests.api.objects

writes object_names.json, with a Python that has TensorFlow: the names that its objects have.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

RECORD = Path(__file__).parent / "object_names.json"


def makers(tf: Any) -> dict[str, Callable[[], Any]]:
    """What makes an object of each kind."""
    v, ds = tf.Variable(1.0), tf.data.Dataset.range(3)
    lookup, linalg, distribute = tf.lookup, tf.linalg, tf.distribute
    initializer = lookup.KeyValueTensorInitializer([1], [2])
    function = tf.function(lambda x: x * v)
    concrete = function.get_concrete_function(tf.constant(1.0))
    mirrored = distribute.MirroredStrategy(["/cpu:0"])
    with tf.GradientTape() as tape:
        pass
    with mirrored.scope():
        mirrored_variable = tf.Variable(1.0)
    return {
        "EagerTensor": lambda: tf.constant([1.0, 2.0]),
        "SymbolicTensor": lambda: concrete.outputs[0],
        "Variable": lambda: v,
        "DType": lambda: tf.float32,
        "TensorShape": lambda: tf.TensorShape([1, None]),
        "TensorSpec": lambda: tf.TensorSpec([2], tf.float32),
        "Dataset": lambda: ds.map(lambda x: x + 1),
        "Iterator": lambda: iter(ds),
        "RaggedTensor": lambda: tf.ragged.constant([[1]]),
        "RaggedTensorSpec": lambda: tf.RaggedTensorSpec([None, None]),
        "RowPartition": lambda: tf.experimental.RowPartition.from_row_splits([0, 1]),
        "SparseTensor": lambda: tf.sparse.from_dense([1]),
        "SparseTensorSpec": lambda: tf.SparseTensorSpec([1]),
        "IndexedSlices": lambda: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])),
        "TensorArray": lambda: tf.TensorArray(tf.float32, 2),
        "Optional": lambda: tf.experimental.Optional.from_value(1),
        "Function": lambda: function,
        "ConcreteFunction": lambda: concrete,
        "FunctionType": lambda: concrete.function_type,
        "FuncGraph": lambda: concrete.graph,
        "Operation": lambda: concrete.outputs[0].op,
        "Module": lambda: tf.Module(),
        "Checkpoint": lambda: tf.train.Checkpoint(v=v),
        "CheckpointManager": lambda: tf.train.CheckpointManager(
            tf.train.Checkpoint(v=v), mkdtemp(), 3
        ),
        "Generator": lambda: tf.random.Generator.from_seed(1),
        "GradientTape": lambda: tape,
        "StaticHashTable": lambda: lookup.StaticHashTable(initializer, 0),
        "MutableHashTable": lambda: lookup.experimental.MutableHashTable(tf.int32, tf.int32, 0),
        "LinearOperator": lambda: linalg.LinearOperatorFullMatrix([[1.0]]),
        "LinearOperatorDiag": lambda: linalg.LinearOperatorDiag([1.0]),
        "LinearOperatorBlockDiag": lambda: linalg.LinearOperatorBlockDiag(
            [linalg.LinearOperatorDiag([1.0])]
        ),
        "Strategy": lambda: mirrored,
        "StrategyExtended": lambda: mirrored.extended,
        "MirroredVariable": lambda: mirrored_variable,
        "ReplicaContext": distribute.get_replica_context,
        "OpError": lambda: tf.errors.InvalidArgumentError(None, None, "x"),
    }


def public_names(made: Any) -> list[str]:
    """The names that an object has by `hasattr`."""
    return sorted([name for name in dir(made) if name[0] != "_" and has(made, name)])


def has(made: Any, name: str) -> bool:
    """Whether it has the attribute; one that fails in another way is there."""
    try:
        return hasattr(made, name)
    except Exception:
        return True


if __name__ == "__main__":
    sys.path[:] = [path for path in sys.path if not path.endswith("src")]
    theirs = makers(import_module("tensorflow"))
    lines = [f'"{kind}": {json.dumps(public_names(make()))}' for kind, make in theirs.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
