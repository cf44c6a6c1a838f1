"""Models of objects in sessions, as servers have them: their graphs, not their functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("names", "inputs", "arguments"),
    [
        (["x", "x"], ["x", "x_1"], ["x", "x_1"]),
        (["ids-a", "b/c"], ["ids-a", "b/c"], ["ids_a", "b_c"]),
        (["1st", "2nd"], ["1st", "2nd"], ["arg_1st", "arg_2nd"]),
    ],
)
def test_inputs_have_names_of_operations_and_each_its_own(
    names: list[str], inputs: list[str], arguments: list[str], tmp_path: Path
) -> None:
    module: Any = tf.Module()
    specs = [tf.TensorSpec([], tf.float32, name) for name in names]
    module.f = tf.function(lambda a, b: a - b, specs)
    tf.saved_model.save(module, str(tmp_path), signatures=module.f)

    loaded = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    given = dict(zip(arguments, [tf.constant(5.0), tf.constant(3.0)], strict=True))
    assert 2.0 == float(loaded(**given)["output_0"])
    assert 2.0 == answer(tmp_path, **dict(zip(inputs, [5.0, 3.0], strict=True)))


@pytest.mark.parametrize(
    ("names", "fault"), [(["a b", "c"], "inputs called"), (["a/b", "a_b"], "in signs alone")]
)
def test_names_that_nobody_could_use_are_refused(
    names: list[str], fault: str, tmp_path: Path
) -> None:
    specs = [tf.TensorSpec([], tf.float32, name) for name in names]
    module: Any = tf.Module()
    module.f = tf.function(lambda a, b: a - b, specs)
    with pytest.raises(ValueError, match=fault):
        tf.saved_model.save(module, str(tmp_path), signatures=module.f)


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
