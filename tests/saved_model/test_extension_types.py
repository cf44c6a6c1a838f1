"""Extension types in SavedModels: files know them by their names, and say what is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tensormill as tf
from tensormill.graph.proto.messages import message


class Labelled(tf.experimental.ExtensionType):
    __name__ = "tests.Labelled"
    value: tf.Tensor
    label: str


def saved_labels(folder: Path) -> Path:
    """A model of a function of such values; the file that says so."""
    spec = Labelled.Spec(tf.TensorSpec([], tf.float32), "x")
    module: Any = tf.Module()
    module.double = tf.function(lambda it: Labelled(it.value * 2.0, it.label), [spec])
    tf.saved_model.save(module, str(folder))
    return folder / "saved_model.pb"


def test_files_say_that_a_type_is_an_extension_type(tmp_path: Path) -> None:
    file = saved_labels(tmp_path)
    meta = message("SavedModel").FromString(file.read_bytes()).meta_graphs[0]
    function = meta.object_graph_def.nodes[1].function
    (spec,) = function.function_spec.input_signature.tuple_value.values
    assert (13, "tests.Labelled.Spec") == (
        spec.type_spec_value.type_spec_class,
        spec.type_spec_value.type_spec_class_name,
    )
    found = tf.saved_model.load(str(tmp_path)).double(Labelled(1.0, "x"))
    assert (Labelled, 2.0, "x") == (type(found), float(found.value), found.label)


def test_values_of_types_that_nobody_has_registered_have_their_fields(tmp_path: Path) -> None:
    file = saved_labels(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"tests.Labelled", b"tests.Gonelled"))

    loaded = tf.saved_model.load(str(tmp_path))
    (name,) = loaded.signatures["serving_default"].structured_input_signature[1]
    found = loaded.signatures["serving_default"](**{name: tf.constant(1.0)})["output_0"]
    assert (2.0, "x") == (float(found.value), found.label)
    assert 4.0 == float(loaded.double(found).value)
    assert "AnonymousExtensionType(value=<tf.Tensor" in repr(found)
    assert bool(found == loaded.double(type(found)(value=tf.constant(1.0), label="x")))
    assert {"value", "label"} == {*tf.experimental.extension_type.as_dict(found)}
