"""What `tf.saved_model.save` writes, refuses, and leaves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import tensormill as tf
from tensormill.formats.tensor_bundle import BundleReader
from tensormill.graph.proto.messages import message

SCALAR = tf.TensorSpec([], tf.float32)


class Adder(tf.Module):
    def __init__(self, start: float = 1.0) -> None:
        super().__init__()
        self.v = tf.Variable(start)

    @tf.function(input_signature=[SCALAR])
    def add(self, x: Any) -> Any:
        return x + self.v


def meta_of(directory: Any) -> Any:
    data = (Path(directory) / "saved_model.pb").read_bytes()
    return message("SavedModel").FromString(data).meta_graphs[0]


def test_the_files_are_those_of_tensorflow(tmp_path: Path) -> None:
    assert tf.saved_model.save(Adder(), str(tmp_path / "m")) is None

    files = {str(p.relative_to(tmp_path / "m")) for p in (tmp_path / "m").rglob("*")}
    assert {
        "assets",
        "fingerprint.pb",
        "saved_model.pb",
        "variables",
        "variables/variables.data-00000-of-00001",
        "variables/variables.index",
    } == files


def test_the_only_function_with_a_signature_is_served(tmp_path: Path) -> None:
    tf.saved_model.save(Adder(), tmp_path / "m")
    meta = meta_of(tmp_path / "m")
    signature = meta.signature_def["serving_default"]

    assert {"__saved_model_init_op", "serving_default"} == set(meta.signature_def)
    assert "serving_default_x:0" == signature.inputs["x"].name
    assert "StatefulPartitionedCall:0" == signature.outputs["output_0"].name
    assert "tensorflow/serving/predict" == signature.method_name
    assert ["serve"] == list(meta.meta_info_def.tags)


def test_only_what_touches_state_is_called_as_stateful(tmp_path: Path) -> None:
    adder = Adder()
    double = tf.function(lambda x: 2.0 * x, input_signature=[SCALAR])
    tf.saved_model.save(adder, tmp_path / "m", {"add": adder.add, "double": double})
    signatures = meta_of(tmp_path / "m").signature_def

    assert "StatefulPartitionedCall:0" == signatures["add"].outputs["output_0"].name
    assert "PartitionedCall:0" == signatures["double"].outputs["output_0"].name


def test_of_two_candidates_none_is_served(tmp_path: Path) -> None:
    class Two(Adder):
        @tf.function(input_signature=[SCALAR])
        def subtract(self, x: Any) -> Any:
            return x - self.v

    tf.saved_model.save(Two(), tmp_path / "m")

    assert ["__saved_model_init_op"] == list(meta_of(tmp_path / "m").signature_def)


def test_variables_are_in_a_bundle_under_their_paths(tmp_path: Path) -> None:
    model = Adder()
    model.d = {"a/b": [tf.Variable(2)]}
    tf.saved_model.save(model, tmp_path / "m")
    reader = BundleReader(str(tmp_path / "m" / "variables" / "variables"))

    assert [
        "_CHECKPOINTABLE_OBJECT_GRAPH",
        "d/a.Sb/0/.ATTRIBUTES/VARIABLE_VALUE",
        "v/.ATTRIBUTES/VARIABLE_VALUE",
    ] == reader.keys()


def test_operations_of_ours_are_written_as_tensorflows(tmp_path: Path) -> None:
    class Slopes(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 1]), tf.TensorSpec([None], tf.int32)])
        def f(self, x: Any, i: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(tf.gather(x, i) * x[:2])
            return tape.gradient(y, x)

    tf.saved_model.save(Slopes(), tmp_path / "m")
    functions = meta_of(tmp_path / "m").graph_def.library.function
    kinds = {node.op for function in functions for node in function.node_def}

    assert not {"SumToShape", "GatherGrad"} & kinds
    x = np.array([[1.0], [2.0], [3.0]], np.float32)
    loaded = tf.saved_model.load(tmp_path / "m")
    expected = Slopes().f(x, [0, 2]).numpy()
    np.testing.assert_allclose(loaded.f(x, [0, 2]).numpy(), expected)


def test_effects_keep_their_order_by_control_inputs(tmp_path: Path) -> None:
    class Steps(Adder):
        @tf.function(input_signature=[SCALAR])
        def add(self, x: Any) -> Any:
            before = self.v.read_value()
            self.v.assign(x)
            return before

    tf.saved_model.save(Steps(), tmp_path / "m")
    library = meta_of(tmp_path / "m").graph_def.library.function
    function = next(one for one in library if one.signature.name.startswith("__inference_add"))
    nodes = {node.name: node for node in function.node_def}

    assert "^ReadVariableOp" in nodes["AssignVariableOp"].input
    assert {"ReadVariableOp", "AssignVariableOp"} <= set(function.control_ret)


def test_loops_count_as_tensorflows_do(tmp_path: Path) -> None:
    class Loop(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
        def f(self, n: Any) -> Any:
            total = 0
            while total < n:
                total += 3
            return total

    tf.saved_model.save(Loop(), tmp_path / "m")
    functions = meta_of(tmp_path / "m").graph_def.library.function
    loop = next(n for f in functions for n in f.node_def if n.op.endswith("While"))

    body = next(f for f in functions if f.signature.name == loop.attr["body"].func.name)
    assert ["loop_counter", "maximum_iterations"] == [
        arg.name for arg in body.signature.input_arg[:2]
    ]
    assert len(loop.attr["T"].list.type) == loop.attr["_num_original_outputs"].i


def test_what_is_replaced_is_complete_or_not_replaced_at_all(tmp_path: Path) -> None:
    tf.saved_model.save(Adder(1.0), tmp_path / "m")
    broken = Adder(2.0)
    broken.asset = tf.saved_model.Asset(str(tmp_path / "absent"))
    with pytest.raises(tf.errors.NotFoundError, match="absent"):
        tf.saved_model.save(broken, tmp_path / "m")

    assert 1.0 == float(tf.saved_model.load(tmp_path / "m").v)
    assert ["m"] == [path.name for path in tmp_path.iterdir()]
    (tmp_path / "m" / "notes.txt").write_text("mine")
    tf.saved_model.save(Adder(2.0), tmp_path / "m")
    assert 2.0 == float(tf.saved_model.load(tmp_path / "m").v)
    assert "mine" == (tmp_path / "m" / "notes.txt").read_text()


def test_a_file_in_the_place_of_the_directory_stays(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("a file")

    with pytest.raises(tf.errors.FailedPreconditionError, match=r"m; .*directory"):
        tf.saved_model.save(Adder(), tmp_path / "m")
    assert "a file" == (tmp_path / "m").read_text()


@pytest.mark.parametrize("root", [1, {}, [tf.Variable(1)], lambda: 1, "text", None])
def test_only_trackable_objects_can_be_saved(root: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        tf.saved_model.save(root, tmp_path / "m")


def test_a_function_alone_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"attribute of a tf\.Module"):
        tf.saved_model.save(tf.function(lambda x: x), tmp_path / "m")


def test_nothing_is_saved_while_tracing(tmp_path: Path) -> None:
    @tf.function
    def f() -> None:
        tf.saved_model.save(Adder(), tmp_path / "m")

    with pytest.raises(AssertionError, match="not supported inside a traced"):
        f()


def test_an_untracked_variable_is_named(tmp_path: Path) -> None:
    hidden = tf.Variable(1.0, name="hidden")

    class Model(tf.Module):
        @tf.function(input_signature=[SCALAR])
        def f(self, x: Any) -> Any:
            return x + hidden

    with pytest.raises(AssertionError, match="'untracked' resource: hidden:0"):
        tf.saved_model.save(Model(), tmp_path / "m")


def test_what_else_a_function_uses_is_named(tmp_path: Path) -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.iterator = iter(tf.data.Dataset.range(3))

        @tf.function(input_signature=[])
        def f(self) -> Any:
            return next(self.iterator)

    with pytest.raises(tf.errors.UnimplementedError, match="iterators, datasets"):
        tf.saved_model.save(Model(), tmp_path / "m")


@pytest.mark.parametrize(
    "signature", [lambda x: x, tf.function(lambda x: x), 3], ids=["python", "untraced", "number"]
)
def test_signatures_are_traced_functions(signature: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="can be used as a signature"):
        tf.saved_model.save(Adder(), tmp_path / "m", signatures=signature)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"a": [1.0, 2.0]}, "Got a non-Tensor value .* for key 'a'"),
        (None, "Got a non-Tensor value"),
        ({1: 2.0}, "non-string key 1"),
    ],
)
def test_signatures_return_named_tensors(result: Any, words: str, tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[SCALAR])
        def f(self, x: Any) -> Any:
            return result

    model = Model()
    with pytest.raises(ValueError, match=words):
        tf.saved_model.save(model, tmp_path / "m", signatures=model.f)


def test_signatures_return_sparse_and_ragged_tensors(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, "x")])
        def f(self, x: Any) -> Any:
            ragged = tf.RaggedTensor.from_tensor(x)
            return {
                "r": ragged,
                "d": x,
                "s": tf.sparse.from_dense(x),
                "i": tf.IndexedSlices(x, [1]),
            }

    tf.saved_model.save(Model(), tmp_path / "m")
    told = meta_of(tmp_path / "m").signature_def["serving_default"]
    served = tf.saved_model.load(tmp_path / "m").signatures["serving_default"]
    found = served(x=tf.constant([[1.0, 0.0, 2.0]]))

    assert "PartitionedCall:0" == told.outputs["d"].name
    assert ["PartitionedCall:1", "PartitionedCall:2"] == [
        part.name for part in told.outputs["i"].composite_tensor.components
    ]
    assert "RaggedTensorSpec" == told.outputs["r"].composite_tensor.type_spec.type_spec_class_name
    sparse = told.outputs["s"].coo_sparse
    assert ["PartitionedCall:5", "PartitionedCall:6", "PartitionedCall:7"] == [
        sparse.indices_tensor_name, sparse.values_tensor_name, sparse.dense_shape_tensor_name
    ]  # fmt: skip
    assert [[1.0, 0.0, 2.0]] == tf.sparse.to_dense(found["s"]).numpy().tolist()
    assert [[1.0, 0.0, 2.0]] == found["r"].to_list()
    assert [1] == found["i"].indices.numpy().tolist()


def test_the_signature_that_a_model_declares_is_kept_where_it_is_saved_again(
    tmp_path: Path,
) -> None:
    class Model(tf.Module):
        asked = 0

        @property
        def _default_save_signature(self) -> Any:
            self.asked += 1
            return tf.function(lambda x: x + 1, input_signature=[SCALAR])

        @tf.function(input_signature=[SCALAR])
        def other(self, x: Any) -> Any:
            return x

    model = Model()
    tf.saved_model.save(model, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    tf.saved_model.save(loaded, tmp_path / "again")
    again = tf.saved_model.load(tmp_path / "again")

    assert 1 == model.asked
    assert 3.0 == loaded._default_save_signature(tf.constant(2.0)).numpy()
    assert 3.0 == again.signatures["serving_default"](tf.constant(2.0))["output_0"].numpy()


def test_the_name_of_the_initialisation_is_taken(tmp_path: Path) -> None:
    model = Adder()
    with pytest.raises(ValueError, match="__saved_model_init_op"):
        tf.saved_model.save(model, tmp_path / "m", signatures={"__saved_model_init_op": model.add})


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="experimental_variable_policy"):
        tf.saved_model.SaveOptions(experimental_variable_policy="odd")
    with pytest.raises(TypeError):
        tf.saved_model.LoadOptions(unknown=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("given", [None, [], ["x"], ("x",)])
def test_lists_in_options_are_none_unless_they_are_given(given: Any) -> None:
    options = tf.saved_model.SaveOptions(namespace_whitelist=given, extra_tags=given)
    expected = None if given is None else list(given)

    assert (expected, expected) == (options.namespace_whitelist, options.extra_tags)


def test_aliases_and_tags_are_written(tmp_path: Path) -> None:
    model = Adder()
    options = tf.saved_model.SaveOptions(function_aliases={"mine": model.add}, extra_tags=["x"])
    tf.saved_model.save(model, tmp_path / "m", options=options)
    meta = meta_of(tmp_path / "m")

    assert ["serve", "x"] == list(meta.meta_info_def.tags)
    assert ["mine"] == list(meta.meta_info_def.function_aliases.values())


def test_attributes_that_are_their_defaults_are_left_out_and_said_to_be(tmp_path: Path) -> None:
    model = tf.Module()
    model.f = tf.function(
        lambda x: tf.matmul(x, x, transpose_a=True),
        input_signature=[tf.TensorSpec([2, 2])],
    )
    tf.saved_model.save(model, tmp_path / "m")
    meta = meta_of(tmp_path / "m")
    nodes = [node for one in meta.graph_def.library.function for node in one.node_def]
    products = [node for node in nodes if node.op == "MatMul"]

    assert meta.meta_info_def.stripped_default_attrs
    assert [(True, False)] == [
        (node.attr["transpose_a"].b, "transpose_b" in node.attr) for node in products
    ]
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(tf.saved_model.load(tmp_path / "m").f(x), model.f(x))


def test_functions_that_properties_give_are_saved(tmp_path: Path) -> None:
    class Model(tf.Module):
        @property
        def doubling(self) -> Any:
            return tf.function(lambda x: 2.0 * x, input_signature=[SCALAR])

        @property
        def failing(self) -> Any:
            raise RuntimeError("never to be had")

    tf.saved_model.save(Model(), tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")

    assert 6.0 == float(loaded.doubling(3.0))
    assert not hasattr(loaded, "failing")


def test_checkpoints_are_saved_with_their_counters(tmp_path: Path) -> None:
    model = tf.Module()
    model.checkpoint = tf.train.Checkpoint(v=tf.Variable(2.0))
    model.checkpoint.save(str(tmp_path / "c"))
    tf.saved_model.save(model, tmp_path / "m")

    assert 1 == int(tf.saved_model.load(tmp_path / "m").checkpoint.save_counter)
    assert {"v", "save_counter"} == tf.train.Checkpoint(v=tf.Variable(1.0))._trackable_children(
        "savedmodel"
    ).keys()


def test_names_of_arguments_and_nodes_do_not_meet(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[SCALAR, SCALAR])
        def f(self, Identity: Any, add: Any) -> Any:
            return tf.add(Identity, add)

    tf.saved_model.save(Model(), tmp_path / "m")
    library = meta_of(tmp_path / "m").graph_def.library.function

    for function in library:
        args = [arg.name for arg in function.signature.input_arg]
        nodes = [node.name for node in function.node_def]
        assert len(set(args + nodes)) == len(args) + len(nodes)
    assert 3.0 == float(tf.saved_model.load(tmp_path / "m").f(1.0, 2.0))


def test_a_function_without_parameters_needs_no_call_before_it_is_saved(tmp_path: Path) -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.v = tf.Variable(3.0)

        @tf.function
        def doubled(self) -> Any:
            return self.v * 2.0

    tf.saved_model.save(Model(), tmp_path / "m")

    assert 6.0 == float(tf.saved_model.load(tmp_path / "m").doubled())


def test_a_trace_for_an_object_is_left_out(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function
        def f(self, x: Any, how: Any) -> Any:
            return how(x)

    model = Model()
    model.f(tf.constant(1.0), tf.sin)
    model.f(tf.constant(1.0), abs)
    tf.saved_model.save(model, tmp_path / "m")

    with pytest.raises(ValueError, match="Found zero restored functions"):
        tf.saved_model.load(tmp_path / "m").f(tf.constant(1.0), abs)


def test_what_stands_for_a_variable_is_that_variable(tmp_path: Path) -> None:
    class Stand:
        def __init__(self, value: Any) -> None:
            self.value = value

        @property
        def handle(self) -> Any:
            return self.value.handle

        def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> Any:
            return {}

        def _export_to_saved_model_graph(self, *args: Any, **options: Any) -> Any:
            raise TypeError("the variable is found by its handle")

    model = Adder()
    model.plain = [model.v]
    model.stands = [Stand(model.v)]
    tf.saved_model.save(model, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")

    assert loaded.stands[0] is loaded.plain[0] is loaded.v
    assert 1.0 == float(loaded.v)


def test_failing_checks_of_saved_functions_still_fail(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[SCALAR])
        def f(self, x: Any) -> Any:
            tf.debugging.assert_greater(x, 0.0, message="must be positive")
            return tf.sqrt(x)

    tf.saved_model.save(Model(), tmp_path / "m")
    f = tf.saved_model.load(tmp_path / "m").f

    assert 2.0 == float(f(4.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        f(-4.0)


@pytest.mark.parametrize(("axis", "batch_dims"), [(0, 0), (1, 0), (-1, 0), (1, 1)])
def test_gradients_of_gathers_are_saved(tmp_path: Path, axis: int, batch_dims: int) -> None:
    module, k = tf.Module(), tf.constant([[1, 0, 1], [0, 0, 1]])

    @tf.function(input_signature=[tf.TensorSpec([2, 3])])
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x, k, axis=axis, batch_dims=batch_dims) ** 2.0
        return tf.convert_to_tensor(tape.gradient(y, x))

    module.gradient = gradient
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    tf.saved_model.save(module, str(tmp_path / "m"))

    loaded: Any = tf.saved_model.load(str(tmp_path / "m"))
    np.testing.assert_array_equal(loaded.gradient(x), gradient(x))


def test_the_objects_say_whether_they_or_those_below_have_values(tmp_path: Path) -> None:
    module = Adder()
    module.inner, module.empty = tf.Module(), tf.Module()
    module.inner.w = tf.Variable(2.0)
    tf.saved_model.save(module, str(tmp_path / "m"))

    reader = BundleReader(str(tmp_path / "m" / "variables" / "variables"))
    text = reader.read("_CHECKPOINTABLE_OBJECT_GRAPH")
    root, *others = message("TrackableObjectGraph").FromString(text.item()).nodes
    names = {child.node_id: child.local_name for child in root.children}
    have = {
        names[number]: node.has_checkpoint_values.value
        for number, node in enumerate(others, 1)
        if number in names
    }
    assert root.has_checkpoint_values.value
    assert have == {"v": True, "inner": True, "empty": False, "add": False, "signatures": False}


def test_options_of_saving_are_tensorflows_where_nothing_is_said() -> None:
    options = tf.saved_model.SaveOptions()

    assert {name for name in options.__slots__ if getattr(options, name) is True} == {
        "experimental_custom_gradients"
    }


@pytest.mark.parametrize(
    ("x", "places", "axis"),
    [([None, None], [None], []), (None, [None], 1), ([None, None], None, 1)],
    ids=["an axis", "a rank", "the rank of indices"],
)
def test_what_gathers_by_unknown_axes_is_not_saved(
    x: Any, places: Any, axis: Any, tmp_path: Path
) -> None:
    def slope(x: Any, places: Any, *tensors: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x, places, axis=tensors[0] if tensors else axis)
        return tf.convert_to_tensor(tape.gradient(y, x))

    specs = [tf.TensorSpec(x), tf.TensorSpec(places, tf.int32)]
    specs += [tf.TensorSpec([], tf.int32)] if axis == [] else []
    model = tf.Module()
    model.slope = tf.function(slope, input_signature=specs)

    with pytest.raises(TypeError, match=r"gradient of tf.gather along an axis that is not known"):
        tf.saved_model.save(model, tmp_path / "m")


def test_exponentials_of_matrices_are_written_without_the_operation_that_tensorflow_removed(
    tmp_path: Path,
) -> None:
    x = np.stack([[[0.0, -1e3], [1e3, 0.0]], [[0.1, 0.2], [0.3, 0.4]], [[1.0, 8.0], [0.0, 3.0]]])
    module = tf.Module()
    module.exponential = tf.function(
        tf.linalg.expm, input_signature=[tf.TensorSpec([None, None, None], tf.float64)]
    )

    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))

    functions = meta_of(tmp_path).graph_def.library.function
    assert "MatrixExponential" not in {node.op for one in functions for node in one.node_def}
    np.testing.assert_allclose(scipy.linalg.expm(x), loaded.exponential(x), rtol=1e-9, atol=1e-9)


class Nameless(tf.experimental.ExtensionType):
    value: tf.Tensor


@pytest.mark.parametrize("as_argument", [True, False])
def test_types_without_names_are_refused_before_anything_is_written(
    as_argument: bool, tmp_path: Path
) -> None:
    module: Any = tf.Module()
    module.f = tf.function((lambda x: x.value) if as_argument else Nameless)
    module.f(Nameless(1.0) if as_argument else tf.constant(1.0))

    with pytest.raises(TypeError, match=r"No encoder for object Nameless\.Spec.*`__name__ = "):
        tf.saved_model.save(module, str(tmp_path / "model"))

    assert not list(tmp_path.rglob("saved_model.pb"))
