"""Graphs that TensorFlow 1 made: frozen, and in SavedModels without objects."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.version_one.training.scoped_meta_graph import below

from .record_version_one import FILE

CASES = json.loads(FILE.read_text())
each_case = pytest.mark.parametrize("name", CASES)
v1 = tf.compat.v1


def frozen(case: Any) -> Any:
    return v1.GraphDef.FromString(base64.b64decode(case["frozen"]))


def saved(case: Any, folder: Path) -> str:
    for name, contents in case["files"].items():
        file = folder / "model" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(contents))
    return str(folder / "model")


def assert_as_recorded(case: Any, found: Any) -> None:
    assert found.keys() == case["results"].keys()
    for key, value in case["results"].items():
        np.testing.assert_allclose(found[key], value, rtol=1e-5)


@pytest.mark.sampled
@each_case
def test_a_frozen_graph_runs_in_a_session(name: str) -> None:
    case = CASES[name]
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(frozen(case), name="old")
        fetches = {key: f"old/{case['names'][key]}" for key in case["results"]}
        feeds = {f"old/{case['names'][key]}": value for key, value in case["feeds"].items()}

        assert_as_recorded(case, session.run(fetches, feeds))


@each_case
def test_a_frozen_graph_is_wrapped_and_pruned(name: str) -> None:
    case = CASES[name]
    wrapped = v1.wrap_function(lambda: v1.import_graph_def(frozen(case), name=""), [])
    element = wrapped.graph.as_graph_element
    pruned = wrapped.prune(
        [element(case["names"][key]) for key in case["feeds"]],
        {key: element(case["names"][key]) for key in case["results"]},
    )

    found = pruned(*[tf.constant(value) for value in case["feeds"].values()])
    assert_as_recorded(case, {key: value.numpy() for key, value in found.items()})


@pytest.mark.sampled
@each_case
def test_a_saved_graph_has_signatures_and_variables(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    model = tf.saved_model.load(saved(case, tmp_path))
    serve = model.signatures["serving_default"]

    found = serve(**{key: tf.constant(value) for key, value in case["feeds"].items()})
    assert_as_recorded(case, {key: value.numpy() for key, value in found.items()})
    assert "w:0" in [variable.name for variable in model.variables]
    assert serve.structured_outputs.keys() == case["results"].keys()


@pytest.mark.sampled
@each_case
def test_a_session_takes_a_saved_graph(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], saved(case, tmp_path), "old")
        signature = meta.signature_def["serving_default"]
        fetches = {key: f"old/{info.name}" for key, info in signature.outputs.items()}
        feeds = {f"old/{signature.inputs[key].name}": case["feeds"][key] for key in case["feeds"]}

        assert_as_recorded(case, session.run(fetches, feeds))


def test_what_a_session_saves_comes_back(tmp_path: Path) -> None:
    folder = str(tmp_path / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        w = v1.get_variable("w", initializer=tf.constant([1.0, 2.0]))
        y = tf.cond(tf.reduce_sum(x) > 0, lambda: x * w, lambda: x - w)
        session.run(v1.global_variables_initializer())
        session.run(w.assign_add([1.0, 1.0]))
        v1.saved_model.simple_save(session, folder, {"x": x}, {"y": y})
        with pytest.raises(AssertionError, match="already exists"):
            v1.saved_model.Builder(folder)

    serve = tf.saved_model.load(folder).signatures["serving_default"]
    assert serve(x=tf.constant([[1.0, 1.0]]))["y"].numpy().tolist() == [[2.0, 3.0]]
    with tf.Graph().as_default(), v1.Session() as session:
        v1.saved_model.loader.load(session, ["serve"], folder)
        assert session.run("w/Read/ReadVariableOp:0").tolist() == [2.0, 3.0]
        with pytest.raises(RuntimeError, match="could not be found"):
            v1.saved_model.load(session, ["train"], folder)


def test_a_session_takes_a_model_of_objects(tmp_path: Path) -> None:
    class Line(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w, self.b = (tf.Variable(value, name="same") for value in (2.0, 3.0))

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32, name="x")])
        def __call__(self, x: Any) -> Any:
            return self.w * x + self.b

    model, folder = Line(), str(tmp_path / "model")
    tf.saved_model.save(model, folder, signatures=model.__call__)
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], folder, "old")
        (result,) = meta.signature_def["serving_default"].outputs.values()
        fed = meta.signature_def["serving_default"].inputs["x"].name

        assert session.run(f"old/{result.name}", {f"old/{fed}": 4.0}) == 11.0


def test_gradients_go_through_a_saved_graph_to_its_variables(tmp_path: Path) -> None:
    model = tf.saved_model.load(saved(CASES["layers with handles"], tmp_path))
    (w,) = [variable for variable in model.variables if variable.name == "w:0"]
    with tf.GradientTape() as tape:
        y = model.signatures["serving_default"](tf.constant([[1.0, 2.0]]))["y"]
        loss = tf.reduce_sum(y * y)
    slope = tape.gradient(loss, w)
    before = float(loss)
    w.assign_sub(0.01 * slope)

    after = model.signatures["serving_default"](tf.constant([[1.0, 2.0]]))["y"]
    assert float(tf.reduce_sum(after * after)) < before


def test_parts_of_a_saved_graph(tmp_path: Path) -> None:
    model = tf.saved_model.load(saved(CASES["layers with references"], tmp_path))
    hidden = model.prune("x:0", "Relu:0")

    assert hidden(tf.constant([[1.0, 0.0]])).numpy().tolist() == [[1.5, 0.0, 0.0]]


def test_what_a_signature_refuses(tmp_path: Path) -> None:
    serve = tf.saved_model.load(saved(CASES["loops with handles"], tmp_path)).signatures[
        "serving_default"
    ]
    with pytest.raises(TypeError, match=r"takes the tensors \['n', 'x'\]"):
        serve(n=tf.constant(1))


def test_what_is_imported_may_stand_in_for_others() -> None:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [], name="x")
        tf.multiply(tf.add(x, 1.0, name="sum"), 2.0, name="product")
    definition = graph.as_graph_def()
    with tf.Graph().as_default(), v1.Session() as session:
        given = tf.constant(5.0)
        product, operation = tf.import_graph_def(
            definition, {"sum:0": given}, ["product:0", "product"], "new"
        )

        assert session.run(product) == 10.0
        assert operation.name == "new/product"
        with pytest.raises(ValueError, match="not found in graph_def"):
            tf.import_graph_def(definition, return_elements=["absent:0"])


def test_where_operations_run_at_once_the_default_graph_gets_what_is_imported() -> None:
    with tf.Graph().as_default() as graph:
        tf.multiply(tf.constant(3.0), 2.0, name="product")

    v1.reset_default_graph()
    (product,) = tf.import_graph_def(
        graph.as_graph_def(), return_elements=["product:0"], name="new"
    )
    assert product.graph is v1.get_default_graph()
    with v1.Session(graph=product.graph) as session:
        assert 6.0 == session.run("new/product:0")
    v1.reset_default_graph()


def test_operations_that_are_not_there_are_missing_when_they_are_wanted() -> None:
    definition = v1.GraphDef()
    definition.node.add(name="odd", op="QuantumLeap")
    after = definition.node.add(name="after", op="Identity", input=["odd"])
    after.attr["T"].type = 1
    with tf.Graph().as_default():
        tf.import_graph_def(definition)
        with pytest.raises(tf.errors.UnimplementedError, match="QuantumLeap"):
            tf.import_graph_def(definition, return_elements=["after:0"])


def test_what_branches_change_by_reference_is_missing_when_it_is_wanted() -> None:
    definition = v1.GraphDef()

    def add(name: str, op: str, *inputs: str, **types: int) -> Any:
        node = definition.node.add(name=name, op=op, input=inputs)
        for key, number in types.items():
            node.attr[key].type = number
        return node

    add("v", "VariableV2", dtype=1).attr["shape"].shape.SetInParent()
    add("p", "Placeholder", dtype=10)
    add("x", "Placeholder", dtype=1)
    add("reference", "RefSwitch", "v", "p", T=1)
    add("data", "Switch", "x", "p", T=1)
    add("step", "AssignAdd", "reference:1", "data:1", T=1)
    add("y", "Merge", "data", "step", T=1).attr["N"].i = 2
    add("other", "Neg", "x", T=1)
    with tf.Graph().as_default(), v1.Session() as session:
        tf.import_graph_def(definition, name="")
        assert -2.0 == session.run("other:0", {"x:0": 2.0})
        with pytest.raises(tf.errors.UnimplementedError, match="by reference"):
            tf.import_graph_def(definition, return_elements=["y:0"])


def damaged(change: Any) -> Any:
    definition = frozen(CASES["branches with handles"])
    change({node.name: node for node in definition.node})
    return definition


def without_inputs(nodes: Any) -> None:
    for node in nodes.values():
        if node.op in ("Switch", "Merge"):
            del node.input[:]


def in_a_circle(nodes: Any) -> None:
    for node in nodes.values():
        if node.name.endswith("pred_id"):
            node.input[0] = node.name


def with_odd_references(nodes: Any) -> None:
    for node in nodes.values():
        if node.op == "Merge":
            node.input[0] = f"{node.input[0]}:x"


@pytest.mark.parametrize("change", [without_inputs, in_a_circle, with_odd_references])
def test_control_flow_that_nothing_makes_is_refused(change: Any) -> None:
    with tf.Graph().as_default(), pytest.raises(tf.errors.InvalidArgumentError):
        tf.import_graph_def(damaged(change))


def test_a_part_of_a_graph_keeps_words_that_place_nothing() -> None:
    with tf.Graph().as_default(), v1.name_scope("part"):
        tf.constant(1.0, name="one")
        whole = v1.train.export_meta_graph()
    words = whole.graph_def.node[0].attr["_class"].list.s
    words.extend([b"loc:@part/two", b"loc:@other", b"plain"])

    (node,) = below(whole, "part").graph_def.node
    assert ("one", [b"loc:@two", b"loc:@other", b"plain"]) == (
        node.name, [*node.attr["_class"].list.s],
    )  # fmt: skip
