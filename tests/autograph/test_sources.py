"""Where the text of a function is found, and what is said where it is not."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import linecache
import marshal
import os
import py_compile
import sys
import types
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest

import tensormill as tf
from tensormill.autograph import sources
from tensormill.autograph.errors import ConversionError, NoSourceError
from tensormill.autograph.parse import parse

HALVED = "def halved(x):\n    while x > 1:\n        x = x / 2\n    return x\n"
TYPED = ["import tensormill as tf", "@deco", *HALVED.splitlines()[:-1], "    return x", "print(1)"]


def made(text: str, name: str = "halved", file: str = "<string>") -> FunctionType:
    scope: dict[str, Any] = {"deco": lambda function: function}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def forgotten(**options: Any) -> FunctionType:
    """A function of a text that no variable and no constant holds."""
    return made(*[HALVED.replace("2", "4")], **options)


def is_staged(function: Callable[..., Any]) -> bool:
    return tf.function(function)(tf.constant(8.0)).numpy() == 1.0


def source_of(function: Any) -> str:
    return ast.unparse(parse(function.__code__, function.__globals__).node)


def test_a_text_given_to_exec_is_found_where_it_still_is() -> None:
    assert is_staged(made(HALVED))


def test_a_text_given_to_exec_is_not_mistaken_for_that_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which Python 3.13 keeps under the same name."""
    command = "import sys\n", *HALVED.replace("2", "5").splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, "<string>", (99, None, [*command], "<string>"))

    assert is_staged(made(HALVED))
    with pytest.raises(NoSourceError, match="that is gone"):
        source_of(forgotten())


def test_a_text_given_to_exec_is_not_mistaken_for_another() -> None:
    other = HALVED.replace("x / 2", "x / 3")

    assert "x / 2" in source_of(made(HALVED))
    assert "x / 3" in source_of(made(other))


def test_a_text_that_is_gone_is_said_to_be_gone() -> None:
    function = forgotten()

    with pytest.raises(NoSourceError, match=r"source of halved .* made from text \(<string>\)"):
        source_of(function)
    with pytest.raises(TypeError, match="AutoGraph did not convert halved: the source of halved"):
        is_staged(function)


def test_the_text_of_a_command_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    function = forgotten()
    monkeypatch.setattr(sys, "orig_argv", ["python", "-Ic", HALVED.replace("2", "4")[:-1], "x"])

    assert "x / 4" in source_of(function)


def test_a_script_on_standard_input_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    function = forgotten(file="<stdin>")
    script = tmp_path / "script"
    script.write_text(HALVED.replace("2", "4"))

    with script.open() as opened, monkeypatch.context() as patch:
        state, read = os.fstat, os.pread
        patch.setattr(os, "fstat", lambda _: state(opened.fileno()))
        patch.setattr(os, "pread", lambda _, *place: read(opened.fileno(), *place))
        found = source_of(function)

    assert "x / 4" in found


def test_what_was_typed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    function = made("@deco\n" + "".join([HALVED]), file="<stdin>")
    monkeypatch.setattr(sources, "_texts_at_hand", lambda _: ())
    with pytest.raises(NoSourceError, match="keeps nothing of what it reads from a prompt"):
        source_of(function)

    history = SimpleNamespace(
        get_current_history_length=lambda: len(TYPED),
        get_history_item=lambda number: TYPED[number - 1],
    )
    monkeypatch.setitem(sys.modules, "readline", history)

    assert source_of(function).startswith("@deco\ndef halved")


def test_a_function_of_a_doctest_is_converted() -> None:
    text = "\n".join(
        (">>> " if not line.startswith(" ") else "... ") + line for line in HALVED.splitlines()
    )
    text += "\n>>> float(tf.function(halved)(tf.constant(8.0)))\n1.0\n"
    test = doctest.DocTestParser().get_doctest(text, {"tf": tf}, "converted", None, 0)

    assert doctest.DocTestRunner().run(test) == (0, 2)


def test_a_module_of_a_zip_file_is_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("zipped_halves.py", HALVED)
    monkeypatch.syspath_prepend(str(archive))

    assert is_staged(importlib.import_module("zipped_halves").halved)


def test_a_module_without_its_file_is_named(tmp_path: Path) -> None:
    source, compiled = tmp_path / "halves.py", tmp_path / "halves.pyc"
    source.write_text(HALVED)
    py_compile.compile(str(source), cfile=str(compiled))
    source.unlink()
    spec = importlib.util.spec_from_file_location("halves", compiled)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    with pytest.raises(TypeError, match=r"source of halved could not be read: there is no file"):
        is_staged(module.halved)


def test_code_that_was_sent_as_bytes_finds_its_file() -> None:
    """As cloudpickle sends closures."""
    factor = 2.0

    def halved(x):
        while x > 1:
            x = x / factor
        return x

    code = marshal.loads(marshal.dumps(halved.__code__))
    sent = types.FunctionType(code, {"__name__": "elsewhere"}, closure=(types.CellType(2.0),))

    assert is_staged(sent)


def imported(text: str, file: Path) -> FunctionType:
    file.write_text(text)
    return made(text, file=str(file))


@pytest.mark.parametrize(
    "later",
    [HALVED.replace("halved", "doubled"), HALVED.replace("x / 2", "x / divisor"), "x = 1\n" * 9],
    ids=["another function", "another body", "no function"],
)
def test_a_file_that_changed_is_not_believed(tmp_path: Path, later: str) -> None:
    file = tmp_path / "changing.py"
    function = imported(HALVED, file)
    file.write_text(later)

    with pytest.raises(ConversionError, match=r"the file changed|not the source"):
        source_of(function)


def test_a_file_that_is_as_new_as_the_program_is_believed(tmp_path: Path) -> None:
    text = "class C:\n  __k = 2\n  def halved(self, __x):\n    return __x / self.__k\n"
    file = tmp_path / "new.py"
    file.write_text(text)

    assert "__x / self.__k" in source_of(made(text, "C", str(file)).halved)  # type: ignore[attr-defined]
