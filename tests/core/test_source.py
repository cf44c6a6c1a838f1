"""The user's line behind a call."""

from __future__ import annotations

import os
import textwrap

import pytest

from tensormill.core import source


def test_the_users_line_is_this_one() -> None:
    line = source.user_line()

    assert line is not None
    assert os.path.basename(__file__) == os.path.basename(line.file)
    assert "line = source.user_line()" == line.text
    assert f"{os.path.basename(__file__)}:{line.line}" == str(line)
    assert "test_the_users_line_is_this_one" == line.function


def test_a_line_that_was_saved_brings_its_text_along() -> None:
    assert "x = f(y)" == source.SourceLine("elsewhere.py", 7, "main", "x = f(y)").text
    assert "import os" == source.SourceLine(__file__, 5, "main").text


def test_files_of_the_library_and_of_its_command_are_known() -> None:
    command = os.path.join(os.path.dirname(os.path.dirname(source.__file__)), "cli", "run.py")

    assert source.is_ours(source.__file__)
    assert source.started_the_script(command)
    assert not source.started_the_script(source.__file__)
    assert not source.is_ours(__file__)


def test_the_standard_library_is_known_where_it_is_frozen_too() -> None:
    assert source.is_of_python(textwrap.__file__)
    assert source.is_of_python(os.path.join.__code__.co_filename)
    assert not source.is_of_python(pytest.__file__)
    assert not source.is_of_python(__file__)
