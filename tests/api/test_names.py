"""The public names: every one is there, and which ones there are is written down."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest

import tensormill as tf
import tensormill.api as api
from tensormill.api.lazy import namespace, places

GOLDEN = Path(__file__).parent / "names.txt"
NO_TABLES = ("lazy", "packages", "raw_ops")
TABLES = sorted(m.name for m in iter_modules(api.__path__) if m.name not in NO_TABLES)


def public_name(module: str) -> str:
    if module == "top":
        return "tf"
    return f"tf.{module.replace('_', '.').replace('saved.model', 'saved_model')}"


def listed() -> list[str]:
    return sorted(
        f"{public_name(table)}.{name}"
        for table in TABLES
        for name in import_module(f"tensormill.api.{table}").__all__
    )


@pytest.mark.parametrize("table", TABLES)
def test_every_name_is_there(table: str) -> None:
    module = import_module(f"tensormill.api.{table}")

    for name in module.__all__:
        getattr(module, name)
    assert module.__all__ == dir(module)


def test_names_are_those_that_were_decided() -> None:
    """After a change on purpose: `python -m tests.api.test_names`."""
    assert GOLDEN.read_text().splitlines() == listed()


def test_a_table_says_where_a_name_lives_and_what_it_is_called_there() -> None:
    table = {"core.dtypes": "float32 bool=bool_", "": "math"}

    assert {
        "float32": ("core.dtypes", "float32"),
        "bool": ("core.dtypes", "bool_"),
        "math": ("", "math"),
    } == places(table)


@pytest.mark.parametrize(
    ("words", "module"),
    [
        ("module 'tf' has no attribute 'Absent'", tf),
        ("module 'tf.math' has no attribute 'Absent'", tf.math),
        ("module 'tf.config.threading' has no attribute 'Absent'", tf.config.threading),
        ("module 'tf.raw_ops' has no attribute 'Absent'", tf.raw_ops),
    ],
)
def test_an_absent_name_is_an_attribute_error(words: str, module: ModuleType) -> None:
    with pytest.raises(AttributeError, match=words):
        module.Absent  # noqa: B018


def test_a_module_can_be_any_namespace() -> None:
    get, names, everything = namespace("tensormill.api.top", {"core.shapes": "TensorShape"})

    assert get("TensorShape") is tf.TensorShape
    assert ["TensorShape"] == names() == everything


def test_folders_do_not_hide_public_names() -> None:
    import_module("tensormill.function.decorator")
    import_module("tensormill.config")
    import_module("tensormill.autograph.api")
    import_module("tensormill.errors")

    assert callable(tf.function)
    assert not isinstance(tf.function, ModuleType)
    assert 1 == tf.errors.CANCELLED
    assert hasattr(tf.config, "list_physical_devices")
    assert hasattr(tf.autograph, "to_code")


def test_star_gives_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from tensormill import *", names)

    assert set(tf.__all__) <= names.keys()
    assert names["function"] is tf.function


def test_names_are_remembered() -> None:
    assert "matmul" in dir(tf)
    assert tf.matmul is vars(tf)["matmul"]


def test_raw_operations_take_keywords() -> None:
    operations: Any = tf.raw_ops
    assert 3 == int(operations.AddV2(x=1, y=2, name="sum"))
    assert [2, 1] == tf.raw_ops.ReverseV2(tensor=[1, 2], axis=[0]).numpy().tolist()
    with pytest.raises(TypeError, match="needs the keyword argument 'y'"):
        operations.AddV2(x=1)
    with pytest.raises(TypeError, match=r"no argument \['z'\]"):
        operations.AddV2(x=1, y=2, z=3)


def test_raw_operations_know_the_dtypes_of_their_inputs() -> None:
    variable = tf.Variable([1.0, 2.0])
    tf.raw_ops.AssignAddVariableOp(resource=variable.handle, value=[1.0, 1.0])

    assert [2.0, 3.0] == variable.numpy().tolist()
    assert () == tf.raw_ops.Reshape(tensor=[1.0], shape=[]).shape


def test_versions_say_what_is_followed() -> None:
    assert tf.version.VERSION.startswith("2.21")
    assert tf.version.TENSORMILL == tf.__version__


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(listed()) + "\n")
