"""SavedModels whose parts do not fit are refused by file, object and expectation."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message
from tensormill.saved_model.load import CallableObject


class Model(tf.Module):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.v = tf.Variable([1.0, 2.0], name="v")
        self.items = [tf.Variable(1.0), {"inner": tf.Variable(2.0)}, 5]
        self.file = tf.saved_model.Asset(str(file))
        self.constant = tf.constant([10.0, 20.0])

    @tf.function(input_signature=[tf.TensorSpec([2])])
    def serve(self, x: Any) -> Any:
        return {"sum": x + self.v + self.constant, "words": tf.io.read_file(self.file.asset_path)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    (folder / "words.txt").write_text("words")
    tf.saved_model.save(Model(folder / "words.txt"), str(folder / "model"))
    return folder / "model"


def object_of(meta: Any, kind: str) -> Any:
    """The first object of a kind, or with an identifier."""
    return next(
        node
        for node in meta.object_graph_def.nodes
        if kind in (node.WhichOneof("kind"), node.user_object.identifier)
    )


def child(meta: Any, name: str) -> Any:
    return next(c for n in meta.object_graph_def.nodes for c in n.children if c.local_name == name)


def set_child(name: str, field: str, value: Any) -> Callable[[Any], None]:
    return lambda meta: setattr(child(meta, name), field, value)


def set_of(kind: str, field: str, value: Any) -> Callable[[Any], None]:
    return lambda meta: setattr(getattr(object_of(meta, kind), kind), field, value)


def set_asset(name: str) -> Callable[[Any], None]:
    return lambda meta: setattr(meta.asset_file_def[0], "filename", name)


def add_same_child(meta: Any) -> None:
    meta.object_graph_def.nodes[0].children.add(local_name="v", node_id=1)


def captures_beyond(meta: Any) -> None:
    traces = meta.object_graph_def.concrete_functions
    trace = next(traces[name] for name in sorted(traces) if traces[name].bound_inputs)
    trace.bound_inputs[0] = -1


def other_trace(meta: Any) -> None:
    object_of(meta, "function").function.concrete_functions[0] = "other"


def twice(meta: Any) -> None:
    meta.graph_def.library.function.add().CopyFrom(meta.graph_def.library.function[0])


def no_library(meta: Any) -> None:
    del meta.graph_def.library.function[:]


def no_arg_spec(meta: Any) -> None:
    object_of(meta, "function").function.function_spec.fullargspec.int64_value = 3


def odd_names(meta: Any) -> None:
    spec = object_of(meta, "function").function.function_spec.fullargspec
    spec.named_tuple_value.values[0].key = "not a name"


DAMAGE: dict[str, tuple[Callable[[Any], None], str]] = {
    "a child before the first": (set_child("v", "node_id", -1), "the child 'v' of object 0 is"),
    "a child after the last": (set_child("v", "node_id", 999), "the child 'v' of object 0 is"),
    "two children of a name": (add_same_child, "object 0 has two children called 'v'"),
    "a class for a child": (set_child("v", "local_name", "__class__"), "called '__class__', which"),
    "books for a child": (
        set_child("v", "local_name", "_trackable_children"),
        "called '_trackable_children', which none may be",
    ),
    "a list without end": (
        set_child("1", "local_name", "4000000000000"),
        "a list, has 2 objects, the last of them at 4000000000000",
    ),
    "an unknown dtype": (set_of("variable", "dtype", 77), "the variable 'v', has a dtype of the"),
    "no dtype": (set_of("variable", "dtype", 0), "the variable 'v', has a dtype of the number 0"),
    "an unknown policy": (set_of("variable", "aggregation", 9), "VariableAggregation 9, which is"),
    "no such node": (
        set_of("constant", "operation", "none"),
        "the value of the node 'none', which",
    ),
    "no such asset": (set_of("asset", "asset_file_def_index", 3), "an asset, is file 3 of 1"),
    "an asset above": (set_asset("../saved_model.pb"), "the asset '../saved_model.pb', is no file"),
    "an asset far above": (set_asset("a/../../../words.txt"), "is no file in the model's own"),
    "an asset elsewhere": (set_asset("/etc/passwd"), "the asset '/etc/passwd', is no file in"),
    "an asset without name": (set_asset(""), "the asset '', is no file in"),
    "captured from nowhere": (captures_beyond, "captures is object -1, of"),
    "another trace": (other_trace, "has the trace 'other', which is not among the saved ones"),
    "a function twice": (twice, "the library has several functions called '__inference_"),
    "no library": (no_library, "which is not in the library"),
    "no signature": (no_arg_spec, "expected a valid function: "),
    "names that are none": (odd_names, "expected a valid function: "),
}


def damaged(saved: Path, folder: Path, change: Callable[[Any], None]) -> str:
    """A copy of the model, changed."""
    shutil.copytree(saved, folder / "copy")
    file = folder / "copy" / "saved_model.pb"
    proto = message("SavedModel").FromString(file.read_bytes())
    change(proto.meta_graphs[0])
    file.write_bytes(proto.SerializeToString())
    return str(folder / "copy")


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_model_is_refused_by_object(saved: Path, tmp_path: Path, name: str) -> None:
    change, said = DAMAGE[name]
    place = damaged(saved, tmp_path, change)

    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(said)) as caught:
        tf.saved_model.load(place)
    assert caught.value.message.startswith(f"{place}/saved_model.pb")


def node_of(meta: Any, op: str) -> Any:
    functions = meta.graph_def.library.function
    return next(node for function in functions for node in function.node_def if node.op == op)


def takes_nobody(meta: Any) -> None:
    node_of(meta, "AddV2").input[0] = "nobody"


def takes_itself(meta: Any) -> None:
    node = node_of(meta, "AddV2")
    node.input[0] = f"{node.name}:z:0"


def fewer_results(meta: Any) -> None:
    traces = meta.object_graph_def.concrete_functions
    name = next(name for name in sorted(traces) if "serve" in name and "wrapper" not in name)
    traces[name].output_signature.dict_value.fields["more"].tensor_spec_value.dtype = 1


def no_arguments(meta: Any) -> None:
    traces = meta.object_graph_def.concrete_functions
    name = next(name for name in sorted(traces) if "serve" in name and "wrapper" not in name)
    traces[name].canonicalized_input_signature.int64_value = 3


FUNCTIONS: dict[str, tuple[Callable[[Any], None], str]] = {
    "nobody": (takes_nobody, "it takes from 'nobody', which is not there"),
    "a circle": (takes_itself, "nodes take from each other in a circle"),
    "results": (fewer_results, "it returns 2 tensors, but the SavedModel describes 3"),
    "arguments": (no_arguments, "expected arguments that fit its parameters"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_damaged_function_is_told_when_it_is_needed(
    saved: Path, tmp_path: Path, name: str
) -> None:
    change, said = FUNCTIONS[name]
    place = damaged(saved, tmp_path, change)

    loaded = tf.saved_model.load(place)
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(said)) as caught:
        loaded.serve.concrete_functions[0]
    assert f"{place}/saved_model.pb: function '__inference_serve_" in str(caught.value)
    assert [1.0, 2.0] == loaded.v.numpy().tolist()


def test_a_list_may_hold_more_than_objects(saved: Path, tmp_path: Path) -> None:
    place = damaged(saved, tmp_path, set_child("1", "local_name", "70000"))

    options = tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)
    assert 70001 == len(tf.saved_model.load(place, options=options).items)


def test_a_shape_that_memory_cannot_hold_is_told(saved: Path, tmp_path: Path) -> None:
    def grow(meta: Any) -> None:
        for node in meta.graph_def.node:
            if node.op == "Const" and node.attr["dtype"].type == 1:
                node.attr["value"].tensor.ClearField("tensor_content")
                node.attr["value"].tensor.tensor_shape.dim[0].size = 1 << 45

    with pytest.raises(tf.errors.ResourceExhaustedError, match="a constant"):
        tf.saved_model.load(damaged(saved, tmp_path, grow))


def test_an_object_that_is_called_by_itself_is_refused() -> None:
    one, other = CallableObject(), CallableObject()
    one.__dict__["__call__"], other.__dict__["__call__"] = other, one

    with pytest.raises(tf.errors.InvalidArgumentError, match="the file is damaged"):
        one()
