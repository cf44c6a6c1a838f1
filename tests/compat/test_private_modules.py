"""Private modules of TensorFlow that libraries import: what they do, by their names there."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
import textwrap
from collections import namedtuple
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat import private_names
from tensormill.compat.private_modules import deprecation, messages, nests, object_identity
from tensormill.core import type_spec_names
from tensormill.core.process.deprecation import replaced
from tensormill.core.type_spec import TypeSpec

Pair = namedtuple("Pair", "a b")
TREE = {"b": [1, (2, 3)], "a": Pair(4, [5])}


@pytest.mark.parametrize("module", private_names.TABLES)
def test_every_name_of_a_table_is_there(module: str) -> None:
    for place, name in private_names.places(module.split(".")).values():
        inside = importlib.import_module(f"tensormill.{place}")

        assert hasattr(inside, name), f"{module}: {place} has no {name}"


def test_operators_of_tensors_are_functions() -> None:
    found = {
        name: getattr(importlib.import_module(f"tensormill.{place}"), inside)
        for name, (place, inside) in private_names.places(["__operators__"]).items()
    }
    x = tf.constant([1, 2])

    assert [4, 5] == found["add"](x, 3).numpy().tolist()
    assert [b"ab"] == found["add"](tf.constant(["a"]), "b").numpy().tolist()
    assert [True, False] == found["eq"](x, [1, 3]).numpy().tolist()
    assert found["ne"](x, None) is True
    assert 2 == found["getitem"](x, 1).numpy()


def test_structures_down_to_some_depth() -> None:
    shallow = {"a": 0, "b": [0, 0]}

    assert {"a": Pair(4, [5]), "b": [1, (2, 3)]} == nests.map_structure_up_to(
        shallow, lambda x: x, TREE
    )
    assert [1, 7] == nests.map_structure_up_to([0, 0], lambda x, y: x + y, [1, 3], [0, 4])
    assert nests.assert_shallow_structure([0, 0], [1, [2]]) is None
    with pytest.raises(TypeError):
        nests.assert_shallow_structure([0, [0]], [1, 2])
    with pytest.raises(ValueError, match="keys"):
        nests.assert_shallow_structure({"a": 0}, {"b": 1})
    with pytest.raises(ValueError, match="no sequences"):
        nests.map_structure_up_to([0], lambda x: x)


def test_what_is_to_be_walked_into() -> None:
    wanted = nests.get_traverse_shallow_structure(lambda x: not isinstance(x, tuple), TREE)
    halves = nests.get_traverse_shallow_structure(
        lambda x: [True, False] if isinstance(x, list) and len(x) == 2 else True, TREE
    )

    assert {"b": [True, False], "a": False} == wanted
    assert {"b": [True, False], "a": Pair(a=True, b=[True])} == halves
    with pytest.raises(TypeError, match="a bool"):
        nests.get_traverse_shallow_structure(lambda x: [True], 1)


def test_paths() -> None:
    assert [("a/a", 4), ("a/b/0", 5), ("b/0", 1), ("b/1/0", 2), ("b/1/1", 3)] == (
        nests.flatten_with_joined_string_paths(TREE)
    )
    assert [("a", "a"), ("a", "b", 0)] == list(nests.yield_flat_paths(TREE))[:2]
    assert ["0:5", ["1/0:6"]] == nests.map_structure_with_paths(
        lambda path, x: f"{path}:{x}", [5, [6]]
    )
    assert [(("a",), Pair(4, [5]))] == nests.flatten_with_tuple_paths_up_to(
        {"a": 0}, {"a": TREE["a"]}
    )


def test_parts_of_structures() -> None:
    assert (1, (2, {"a": (3,)})) == nests.list_to_tuple([1, [2, {"a": [3]}]])
    assert {"b": 4, "a": 3} == nests.sequence_like({"b": 1, "a": 2}, [3, 4])
    assert [2, 1] == list(nests.yield_value({"b": 1, "a": 2}))
    assert {1: 3, 2: 4} == nests.flatten_dict_items({(1, 2): (3, 4)})
    with pytest.raises(ValueError, match="not unique"):
        nests.flatten_dict_items({1: 2, (1,): (3,)})


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    with caplog.at_level("WARNING", "tensorflow"):
        yield lambda: [one.getMessage() for one in caplog.records]


def test_deprecated_functions_warn_once(told: Callable[[], list[str]]) -> None:
    @deprecation.deprecated("2030-01-01", "Use g.")
    def f(x: int) -> int:
        return x + 1

    assert [2, 3] == [f(1), f(2)]
    (words,) = told()
    assert words.startswith(f"From {__file__}:")
    assert words.endswith(
        f": {f.__qualname__} (from {__name__}) is deprecated and will be removed after 2030-01-01."
        "\nInstructions for updating:\nUse g."
    )


def test_functions_with_successors_say_so_once(told: Callable[[], list[str]]) -> None:
    to_double = replaced(lambda x: x, "to_double", "tf.cast")
    switch = ModuleType("tensorflow.python.util.deprecation")
    switch.__dict__["_PRINT_DEPRECATION_WARNINGS"] = False

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, switch.__name__, switch)
        assert 1 == to_double(1)
    assert [] == told()
    assert [2, 3] == [to_double(2), to_double(3)]
    assert 1 == len(told())
    assert "Use tf.cast instead." == told()[0].splitlines()[-1]
    assert hasattr(tf.compat.v1.to_double, "__wrapped__")


def test_deprecated_arguments_warn_where_they_are_given(told: Callable[[], list[str]]) -> None:
    @deprecation.deprecated_args(None, "Use y.", "x", ("flag", None))
    def f(y: int = 0, x: int = 0, flag: Any = None) -> int:
        return x + y

    f(1, flag=None)
    assert [] == told()
    f(x=2)
    f(flag=1)
    assert ["with x is" in told()[0], "with flag is" in told()[1]] == [True, True]


def test_deprecated_values_warn(told: Callable[[], list[str]]) -> None:
    @deprecation.deprecated_arg_values(None, "No.", mode="old")
    def f(mode: str = "new") -> str:
        return mode

    f("new")
    with deprecation.silence():
        f("old")
    assert [] == told()
    f("old")
    assert "mode='old'" in told()[0]


def test_an_old_name_calls_the_new_one(told: Callable[[], list[str]]) -> None:
    class New:
        def __init__(self, x: int) -> None:
            self.x = x

    old = deprecation.deprecated_alias("pkg.Old", "pkg.New", New)
    assert 3 == old(3).x
    assert 4 == deprecation.deprecated_alias("pkg.f", "pkg.g", lambda x: x + 1)(3)
    assert 2 == len(told())
    assert 1 == deprecation.deprecated_argument_lookup("new", None, "old", 1)
    with pytest.raises(ValueError, match="both 'old' and 'new'"):
        deprecation.deprecated_argument_lookup("new", 1, "old", 2)


def test_identity_is_what_counts() -> None:
    one, other = [1], [1]
    kept = object_identity.ObjectIdentitySet([one])
    table = object_identity.ObjectIdentityDictionary({}.items())
    table[one] = "one"

    assert one in kept
    assert other not in kept
    assert {"one"} == set(table.values())
    assert other not in table
    assert [other] == list(object_identity.ObjectIdentitySet([one, other]).difference([one]))
    assert one is object_identity.ObjectReference(one).deref()


def test_weak_sets_forget() -> None:
    class Owner: ...

    owner = Owner()
    known = object_identity.ObjectIdentityWeakSet([owner])
    assert [owner] == list(known)
    del owner
    gc.collect()

    assert 0 == len(known)


def test_type_specs_have_names() -> None:
    class Spec(TypeSpec): ...

    type_spec_names.register("tests.Spec")(Spec)
    try:
        assert "tests.Spec" == type_spec_names.get_name(Spec)
        assert Spec is type_spec_names.lookup("tests.Spec")
        with pytest.raises(ValueError, match="already been registered"):
            type_spec_names.register("tests.Spec")(type("Other", (TypeSpec,), {}))
    finally:
        del type_spec_names._NAME_TO_TYPE_SPEC["tests.Spec"]
        del type_spec_names._TYPE_SPEC_TO_NAME[Spec]
    for wrong in ("Spec", "a b.c"):
        with pytest.raises(ValueError, match="the form"):
            type_spec_names.register(wrong)
    with pytest.raises(ValueError, match="No TypeSpec"):
        type_spec_names.lookup("tests.Spec")


def test_types_of_the_users_have_the_names_that_they_say() -> None:
    class Masked(tf.experimental.ExtensionType):
        __name__ = "tests.Masked"
        values: tf.Tensor

    assert "tests.Masked.Spec" == type_spec_names.get_name(Masked.Spec)
    assert "tf.RaggedTensorSpec" == type_spec_names.get_name(tf.RaggedTensorSpec)
    assert tf.TensorSpec is type_spec_names.lookup("tf.TensorSpec")


PROGRAM = """
    import tensorflow.compat.v2 as tf
    import tensorflow as first
    from tensorflow.compat.v2 import math
    from tensorflow.python.framework import ops, tensor_util
    from tensorflow.python.ops import array_ops, control_flow_util
    from tensorflow.python.ops.parallel_for import control_flow_ops
    from tensorflow.python.util import nest, tf_inspect, variable_utils

    assert tf.math is math is first.math and tf.__internal__ is first.__internal__
    assert array_ops.reshape is tf.reshape and ops.convert_to_tensor is tf.convert_to_tensor
    assert [0, 1, 4] == control_flow_ops.pfor(lambda i: i * i, 3).numpy().tolist()
    assert tensor_util.constant_value_as_shape(tf.constant([1, -1])).as_list() == [1, None]
    assert not control_flow_util.GraphOrParentsInXlaContext(ops.get_default_graph())
    found = variable_utils.convert_variables_to_tensors([tf.Variable(1.0), 2])
    assert isinstance(found[0], tf.Tensor) and not isinstance(found[0], tf.Variable)
    assert tf_inspect.getfullargspec(lambda a, b=1: a).args == ["a", "b"]
    assert nest.is_nested([1])
    from tensorflow.python.autograph.pyct import anno, transformer
    class Rewriter(transformer.Base): ...
    for use in (Rewriter, anno.getanno):
        try:
            use()
        except NotImplementedError as error:
            print(error)
    try:
        array_ops.no_such_name
    except AttributeError as error:
        print(error)
"""


def test_programs_import_them_by_their_names() -> None:
    code = "from tensormill.compat import install; install()\n" + textwrap.dedent(PROGRAM)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)
    assert 2 == done.stdout.count("is not here: tensormill converts Python by rules of its own")
    assert "'tensorflow.python.ops.array_ops' has no attribute 'no_such_name'" in done.stdout


def test_messages_stand_where_programs_import_them_from() -> None:
    found = {
        module: private_names.places(f"core.{module}_pb2".split("."))
        for module in ("framework.graph", "framework.types", "util.event")
    }
    types = {name: getattr(messages, name) for name in found["framework.types"]}

    assert tf.compat.v1.GraphDef is messages.GraphDef
    assert tf.compat.v1.Event is messages.Event
    assert "GraphDef" in found["framework.graph"]
    assert "Event" in found["util.event"]
    assert (tf.float32.as_datatype_enum, "DT_FLOAT") == (
        types["DT_FLOAT"], types["DataType"].Name(types["DT_FLOAT"])
    )  # fmt: skip
