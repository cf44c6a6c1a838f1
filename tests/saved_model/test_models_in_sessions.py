"""Models of objects in sessions, as servers have them: their graphs, not their functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tensormill as tf

v1 = tf.compat.v1
tables = tf.lookup.experimental


def answer(folder: Path, **feeds: Any) -> Any:
    """The first output of the signature for these inputs."""
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], str(folder))
        signature = meta.signature_def["serving_default"]
        fed = {signature.inputs[name].name: value for name, value in feeds.items()}
        return session.run(signature.outputs["output_0"].name, fed)


def test_inputs_of_signatures_may_be_in_any_order(tmp_path: Path) -> None:
    specs = [tf.TensorSpec([], tf.string, "z"), tf.TensorSpec([], tf.int32, "a")]
    module: Any = tf.Module()
    module.f = tf.function(lambda z, a: tf.strings.join([z, tf.strings.as_string(a)]), specs)
    tf.saved_model.save(module, str(tmp_path))

    assert b"two 2" == answer(tmp_path, z="two ", a=2)


def test_tables_that_change_have_their_entries(tmp_path: Path) -> None:
    module: Any = tf.Module()
    module.texts = tables.MutableHashTable(tf.string, tf.int64, -1)
    module.numbers = tables.DenseHashTable(tf.int64, tf.string, "?", empty_key=0, deleted_key=-9)
    module.texts.insert(["a"], tf.constant([5], tf.int64))
    module.numbers.insert(tf.constant([5], tf.int64), ["five"])
    module.f = tf.function(
        lambda x: module.numbers.lookup(module.texts.lookup(x)), [tf.TensorSpec([None], tf.string)]
    )
    tf.saved_model.save(module, str(tmp_path))

    assert [b"five", b"?"] == answer(tmp_path, x=["a", "b"]).tolist()


def test_sessions_have_dense_tables() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        table = tables.DenseHashTable(tf.string, tf.int64, -1, empty_key="", deleted_key="$")
        session.run(table.insert(["a", "b"], tf.constant([1, 2], tf.int64)))
        session.run(table.remove(tf.constant(["a"])))

        found = table.lookup(tf.constant(["a", "b"])), table.size()
        assert [[-1, 2], 1] == [value.tolist() for value in session.run(found)]
