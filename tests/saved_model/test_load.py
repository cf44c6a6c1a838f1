"""What comes back from a SavedModel: objects, functions, signatures; and what is wrong with one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message

SPEC = tf.TensorSpec([None], tf.float32)


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.v = tf.Variable([1.0, 2.0], name="v")
        self.frozen = tf.Variable(3, trainable=False)
        self.items = [tf.Variable(1.0), {"inner": tf.Variable(2.0)}, 5]
        self.again = self.items[0]
        self.number = 7
        self.me = self
        self.constant = tf.constant([10.0, 20.0])

    @tf.function
    def add(self, x: Any, factor: Any = 2, flag: bool = True) -> Any:
        return x * factor + self.v if flag else x

    @tf.function(input_signature=[SPEC])
    def serve(self, x: Any) -> Any:
        return {"sum": tf.reduce_sum(x) + self.constant[0], "double": x * 2.0}

    @tf.function
    def untraced(self, x: Any) -> Any:
        return x

    @tf.function
    def count(self) -> Any:
        return self.frozen.assign_add(1)


@pytest.fixture
def directory(tmp_path: Path) -> str:
    model = Model()
    model.add(tf.constant([1.0, 1.0]))
    model.add(tf.constant([1.0, 1.0]), 3)
    model.count()
    tf.saved_model.save(model, tmp_path / "model")
    return str(tmp_path / "model")


@pytest.fixture
def loaded(directory: str) -> Any:
    return tf.saved_model.load(directory)


def test_variables_keep_value_dtype_name_and_whether_they_are_trained(loaded: Any) -> None:
    assert [1.0, 2.0] == loaded.v.numpy().tolist()
    assert ("v:0", True) == (loaded.v.name, loaded.v.trainable)
    assert (4, tf.int32, False) == (
        int(loaded.frozen), loaded.frozen.dtype, loaded.frozen.trainable
    )  # fmt: skip


def test_containers_sharing_and_cycles_come_back(loaded: Any) -> None:
    assert loaded.items[0] is loaded.again
    assert 2.0 == float(loaded.items[1]["inner"])
    assert loaded.me is loaded
    assert not hasattr(loaded, "number")
    assert {"v", "again"} <= {name for name in vars(loaded) if not name.startswith("_")}


def test_all_variables_are_listed(loaded: Any) -> None:
    names = [float(tf.reduce_sum(variable)) for variable in loaded.variables]

    assert sorted([3.0, 4.0, 1.0, 2.0]) == sorted(names)
    assert 3 == len(loaded.trainable_variables)


def test_functions_have_the_saved_traces(loaded: Any) -> None:
    x = tf.constant([1.0, 1.0])

    assert [3.0, 4.0] == loaded.add(x).numpy().tolist()
    assert [4.0, 5.0] == loaded.add(x, 3).numpy().tolist()
    assert [4.0, 5.0] == loaded.add(x, factor=3, flag=True).numpy().tolist()
    assert [3.0, 4.0] == loaded.add([1.0, 1.0]).numpy().tolist()
    assert 2 == len(loaded.add.concrete_functions)
    assert 0 == loaded.add.experimental_get_tracing_count() - 1  # for the list


def test_saved_traces_are_looked_through_once(loaded: Any) -> None:
    assert not loaded.add.is_ready
    loaded.add(tf.constant([1.0, 1.0]))
    assert loaded.add.is_ready


def test_another_call_is_an_error_that_marks_what_differs(loaded: Any) -> None:
    with pytest.raises(ValueError, match="Could not find matching concrete function") as caught:
        loaded.add(tf.constant([1.0, 1.0]), 9)

    assert "2 option(s)" in str(caught.value)
    assert "≠ factor: 2" in str(caught.value)
    assert "  x: TensorSpec" in str(caught.value)


def test_a_function_without_traces_is_a_shell(loaded: Any) -> None:
    with pytest.raises(ValueError, match="Found zero restored functions"):
        loaded.untraced(tf.constant(1.0))


def test_an_input_signature_comes_back(loaded: Any) -> None:
    assert 16.0 == float(loaded.serve([1.0, 2.0, 3.0])["sum"])
    with pytest.raises(TypeError, match="Can not cast"):
        loaded.serve(tf.constant([1, 2]))


def test_functions_change_the_loaded_variables_only(directory: str, loaded: Any) -> None:
    other = tf.saved_model.load(directory)
    loaded.count()

    assert (5, 4) == (int(loaded.frozen), int(other.frozen))


def test_a_function_keeps_its_variables_alive(directory: str) -> None:
    assert 5 == int(tf.saved_model.load(directory).count())


def test_gradients_flow_to_the_variables(loaded: Any) -> None:
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(loaded.add(tf.constant([1.0, 1.0])) ** 2)

    assert [6.0, 8.0] == tape.gradient(y, loaded.v).numpy().tolist()


def test_it_can_be_called_in_another_function(loaded: Any) -> None:
    @tf.function
    def outer(x: Any) -> Any:
        return loaded.add(x) + loaded.signatures["serving_default"](x=x)["double"]

    assert [5.0, 6.0] == outer(tf.constant([1.0, 1.0])).numpy().tolist()


def test_functions_may_run_eagerly(loaded: Any) -> None:
    tf.config.run_functions_eagerly(True)
    try:
        assert [3.0, 4.0] == loaded.add(tf.constant([1.0, 1.0])).numpy().tolist()
    finally:
        tf.config.run_functions_eagerly(False)


def test_signatures_take_tensors_by_name_and_return_dicts(loaded: Any) -> None:
    serve = loaded.signatures["serving_default"]
    x = tf.constant([1.0])

    assert ["serving_default"] == list(loaded.signatures)
    assert {"double", "sum"} == set(serve(x=x))
    assert 11.0 == float(serve(x)["sum"])
    assert ((), {"x": tf.TensorSpec([None], tf.float32, name="x")}) == (
        serve.structured_input_signature
    )
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        serve()
    with pytest.raises(KeyError):
        loaded.signatures["absent"]


def test_results_are_described_by_specs_named_by_their_place(tmp_path: Path) -> None:
    module = tf.Module()

    @tf.function(input_signature=[SPEC])
    def nested(x: Any) -> Any:
        return {"a": x, "b": (x, [x[0], None])}

    @tf.function(input_signature=[SPEC])
    def alone(x: Any) -> Any:
        return x

    module.nested, module.alone = nested, alone
    tf.saved_model.save(module, tmp_path / "model", signatures=alone)
    loaded = tf.saved_model.load(tmp_path / "model")
    (concrete,) = loaded.nested.concrete_functions

    # What TensorFlow writes, and says of what it loads.
    assert ["a", "b_0", "b_1_0"] == [
        spec.name for spec in tf.nest.flatten(concrete.structured_outputs) if spec is not None
    ]
    assert "unknown" == loaded.alone.concrete_functions[0].structured_outputs.name
    serve = loaded.signatures["serving_default"]
    assert {"output_0": tf.TensorSpec([None], tf.float32, "output_0")} == serve.structured_outputs
    assert "name='output_0'" in str(serve)
    tf.saved_model.save(loaded, tmp_path / "again")
    assert [3.0] == tf.saved_model.load(tmp_path / "again").alone(tf.constant([3.0])).numpy()


def test_several_inputs_must_be_named(tmp_path: Path) -> None:
    class Two(tf.Module):
        @tf.function(input_signature=[SPEC, SPEC])
        def f(self, a: Any, b: Any) -> Any:
            return a - b

    tf.saved_model.save(Two(), tmp_path / "two")
    f = tf.saved_model.load(tmp_path / "two").signatures["serving_default"]
    x = tf.constant([1.0])

    assert [0.0] == f(b=x, a=x)["output_0"].numpy().tolist()
    with pytest.raises(TypeError, match="too many positional arguments"):
        f(x, x)


def test_attributes_may_be_set(loaded: Any) -> None:
    loaded.extra = tf.Variable(1.0)
    loaded.note = "text"

    assert "text" == loaded.note
    assert "2.21.0" == loaded.tensorflow_version


def test_a_variable_alone_may_be_saved(tmp_path: Path) -> None:
    tf.saved_model.save(tf.Variable([1, 2]), tmp_path / "v")

    assert [1, 2] == tf.saved_model.load(tmp_path / "v").numpy().tolist()


def test_assets_are_copied_and_found_where_they_are_now(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("a\nb")

    class Reader(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = tf.saved_model.Asset(str(words))

        @tf.function(input_signature=[])
        def path(self) -> Any:
            return self.words.asset_path

    tf.saved_model.save(Reader(), tmp_path / "model")
    words.unlink()
    shutil.move(tmp_path / "model", tmp_path / "moved")
    path = tf.saved_model.load(tmp_path / "moved").path().numpy().decode()

    assert str(tmp_path / "moved" / "assets" / "words.txt") == path
    assert "a\nb" == Path(path).read_text()


def test_the_file_of_a_table_must_be_there(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("a\nb")
    index = tf.lookup.TextFileIndex
    columns = tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
    module = tf.Module()
    module.table = tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer(str(words), *columns), -1
    )
    tf.saved_model.save(module, tmp_path / "model")
    (tmp_path / "model" / "assets" / "words.txt").unlink()

    with pytest.raises(FileNotFoundError, match=r"words\.txt"):
        tf.saved_model.load(tmp_path / "model")


def test_assets_of_one_name_are_several_files(tmp_path: Path) -> None:
    class Reader(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            paths = [tmp_path / folder / "words" for folder in "abca"]
            self.words = [tf.saved_model.Asset(path) for path in paths]

        @tf.function(input_signature=[])
        def texts(self) -> Any:
            return [tf.io.read_file(asset.asset_path) for asset in self.words]

    for folder in "abc":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "words").write_text(folder)
    tf.saved_model.save(Reader(), tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")

    assert [b"a", b"b", b"c", b"a"] == [text.numpy() for text in loaded.texts()]
    # TensorFlow's names.
    names = sorted(path.name for path in (tmp_path / "model" / "assets").iterdir())
    assert ["words", "words_1", "words_2"] == names


def test_a_directory_may_be_bytes_or_a_tensor(tmp_path: Path) -> None:
    for directory in (bytes(tmp_path / "a"), tf.constant(str(tmp_path / "b"))):
        tf.saved_model.save(tf.Variable([1, 2]), directory)

        assert tf.saved_model.contains_saved_model(directory)
        assert [1, 2] == tf.saved_model.load(directory).numpy().tolist()


def test_a_signatures_name_is_a_string(tmp_path: Path) -> None:
    model: Any = tf.Module()
    model.double = tf.function(lambda x: 2 * x, input_signature=[tf.TensorSpec([])])
    with pytest.raises(ValueError, match="name is a string, not 3"):
        tf.saved_model.save(model, tmp_path, signatures={3: model.double})


class Custom(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(2.0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def f(self, x: Any) -> Any:
        @tf.custom_gradient
        def square(x: Any) -> Any:
            y = x * x * self.w

            def grad(dy: Any, variables: Any = None) -> Any:
                return dy * 100.0 * y, [dy * 7.0]

            return y, grad

        return tf.cond(x > 0.0, lambda: square(x) + 1.0, lambda: x)


def test_custom_gradients_survive(tmp_path: Path) -> None:
    tf.saved_model.save(Custom(), tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")
    tf.saved_model.save(loaded, tmp_path / "again")
    for model in (loaded, tf.saved_model.load(tmp_path / "again")):
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = model.f(x)

        assert 19.0 == float(y)
        assert [1800.0, 7.0] == [float(one) for one in tape.gradient(y, [x, model.w])]


# ---------------------------------------------------------------- what is wrong


def test_tags_must_be_those_of_the_graph(directory: str) -> None:
    for tags in ("serve", ["serve"], {"serve"}, None):
        tf.saved_model.load(directory, tags)
    with pytest.raises(ValueError, match="incompatible argument to `tags`"):
        tf.saved_model.load(directory, ["train"])


def test_tags_of_graphs_of_tensorflow_1_are_a_runtime_error(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32, [], name="x")
        tf.compat.v1.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, {"y": x + 1})
    with pytest.raises(RuntimeError, match=r"associated with tags .* could not be found"):
        tf.saved_model.load(tmp_path / "m", ["train"])


def test_a_missing_directory_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"does not exist at: .*\{saved_model.pbtxt\|saved_model.pb"):
        tf.saved_model.load(tmp_path / "absent")
    assert not tf.saved_model.contains_saved_model(tmp_path / "absent")


def test_a_cut_off_file_is_an_os_error(directory: str) -> None:
    assert tf.saved_model.contains_saved_model(directory)
    path = Path(directory) / "saved_model.pb"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])

    with pytest.raises(OSError, match="Cannot parse file"):
        tf.saved_model.load(directory)


def test_an_empty_file_is_an_os_error(directory: str) -> None:
    (Path(directory) / "saved_model.pb").write_bytes(b"")

    with pytest.raises(OSError, match="Cannot parse file"):
        tf.saved_model.load(directory)


def test_missing_variables_are_a_file_not_found(directory: str) -> None:
    shutil.rmtree(Path(directory) / "variables")

    with pytest.raises(FileNotFoundError, match="Unsuccessful TensorSliceReader constructor"):
        tf.saved_model.load(directory)
    options = tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)
    assert not tf.saved_model.load(directory, options=options).v.is_initialized()


def change(directory: str, edit: Any) -> None:
    path = Path(directory) / "saved_model.pb"
    proto = message("SavedModel").FromString(path.read_bytes())
    edit(proto.meta_graphs[0])
    path.write_bytes(proto.SerializeToString())


def test_an_unknown_operation_is_an_error_when_it_is_called(directory: str) -> None:
    def rename(meta: Any) -> None:
        for function in meta.graph_def.library.function:
            for node in function.node_def:
                if node.op == "Mul" and "add" in function.signature.name:
                    node.op = "NoSuchOp"

    change(directory, rename)
    loaded = tf.saved_model.load(directory)

    assert 10.0 == float(loaded.serve([])["sum"])
    with pytest.raises(tf.errors.UnimplementedError, match=r"'__inference_add_\d+'.*'NoSuchOp'"):
        loaded.add(tf.constant([1.0, 1.0]))


def test_a_missing_function_is_named(directory: str) -> None:
    def drop(meta: Any) -> None:
        del meta.graph_def.library.function[:]

    change(directory, drop)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"is of the function '__inf.* not in"):
        tf.saved_model.load(directory).serve([1.0])


def test_a_graph_without_objects_is_one_of_version_1(directory: str) -> None:
    change(directory, lambda meta: meta.ClearField("object_graph_def"))

    model = tf.saved_model.load(directory)

    assert "serving_default" in model.signatures
    assert model.graph.version > 0


def test_a_variable_without_a_value_is_an_error(directory: str) -> None:
    def add(meta: Any) -> None:
        nodes = meta.object_graph_def.nodes
        nodes.add().CopyFrom(next(n for n in nodes if n.WhichOneof("kind") == "variable"))
        nodes[0].children.add(node_id=len(nodes) - 1, local_name="new")

    change(directory, add)

    with pytest.raises(AssertionError, match="no value for the variable 'v:0'"):
        tf.saved_model.load(directory)
    options = tf.saved_model.LoadOptions(allow_partial_checkpoint=True)
    assert not tf.saved_model.load(directory, options=options).new.is_initialized()


def test_a_value_that_does_not_fit_its_variable_is_an_error(directory: str) -> None:
    def widen(meta: Any) -> None:
        node = next(n for n in meta.object_graph_def.nodes if n.variable.name == "v")
        node.variable.shape.dim[0].size = 1000

    change(directory, widen)

    with pytest.raises(ValueError, match=r"incompatible tensor for the variable 'v:0'.*\(2,\)"):
        tf.saved_model.load(directory)


def test_large_values_survive(tmp_path: Path) -> None:
    model = tf.Module()
    values = np.random.default_rng(0).normal(size=(300, 200)).astype(np.float32)
    model.v = tf.Variable(values)
    tf.saved_model.save(model, tmp_path / "model")

    np.testing.assert_array_equal(values, tf.saved_model.load(tmp_path / "model").v.numpy())


def test_functions_are_found_by_their_aliases(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function
        def double(self, x: Any) -> Any:
            return x * 2.0

    model = Model()
    model.double(tf.constant(1.0))
    model.double(tf.constant([1.0]))
    tf.saved_model.save(
        model, tmp_path, options=tf.saved_model.SaveOptions(function_aliases={"two": model.double})
    )

    plain = tf.saved_model.load(tmp_path)
    options = tf.saved_model.LoadOptions(experimental_load_function_aliases=True)
    found = tf.saved_model.load(tmp_path, options=options)

    assert not hasattr(plain, "function_aliases")
    assert ["two"] == list(found.function_aliases)
    assert 6.0 == found.function_aliases["two"](tf.constant(3.0)).numpy()
    assert [6.0] == found.function_aliases["two"](tf.constant([3.0])).numpy().tolist()


def test_properties_that_cannot_be_had_are_no_signature(tmp_path: Path) -> None:
    class Model(tf.Module):
        @property
        def _default_save_signature(self) -> Any:
            raise TypeError("not yet")

        @tf.function(input_signature=[tf.TensorSpec([])])
        def double(self, x: Any) -> Any:
            return x * 2.0

    tf.saved_model.save(Model(), tmp_path)

    assert 6.0 == tf.saved_model.load(tmp_path).double(tf.constant(3.0)).numpy()


def test_a_variable_may_take_other_sizes_than_it_was_saved_with(tmp_path: Path) -> None:
    module = tf.Module()
    module.v = tf.Variable([[1.0]], shape=[None, 1])
    tf.saved_model.save(module, str(tmp_path))

    v = tf.saved_model.load(str(tmp_path)).v
    v.assign([[1.0], [2.0]])

    assert ([None, 1], [[1.0], [2.0]]) == (v.shape.as_list(), v.numpy().tolist())


def test_signatures_take_ragged_and_sparse_tensors_in_their_parts(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(
            input_signature=[
                tf.RaggedTensorSpec([None, None], tf.float32),
                tf.SparseTensorSpec([None, 2], tf.float32),
            ]
        )
        def add(self, rows: Any, cells: Any) -> Any:
            return {"rows": rows * 2.0, "total": tf.sparse.reduce_sum(cells)}

    model = Model()
    rows, cells = tf.ragged.constant([[1.0, 2.0], [3.0]]), tf.sparse.from_dense([[0.0, 5.0]])
    tf.saved_model.save(model, tmp_path / "m", signatures=model.add)
    loaded = tf.saved_model.load(tmp_path / "m")
    parts = {
        "rows": rows.values, "rows_1": rows.row_splits,
        "cells": cells.indices, "cells_1": cells.values, "cells_2": cells.dense_shape,
    }  # fmt: skip

    for found in (loaded.add(rows, cells), loaded.signatures["serving_default"](**parts)):
        assert ([[2.0, 4.0], [6.0]], 5.0) == (found["rows"].to_list(), float(found["total"]))
    with pytest.raises(TypeError, match="missing a required argument"):
        loaded.signatures["serving_default"](rows=rows, cells=cells)
