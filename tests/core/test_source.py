"""The user's line behind a call."""

from __future__ import annotations

import os
import subprocess
import sys

from tensormill.core import source


def test_the_users_line_is_this_one() -> None:
    line = source.user_line()

    assert line is not None
    assert os.path.basename(__file__) == os.path.basename(line.file)
    assert "line = source.user_line()" == line.text
    assert f"{os.path.basename(__file__)}:{line.line}" == str(line)
    assert "test_the_users_line_is_this_one" == line.function


def test_the_stack_ends_here_and_has_none_of_ours() -> None:
    stack = source.user_stack(limit=3)

    assert "test_the_stack_ends_here_and_has_none_of_ours" == stack[-1].function
    assert not any(source.is_ours(line.file) for line in stack)
    assert source.is_ours(source.__file__)


def test_the_stack_begins_with_the_users_script(tmp_path) -> None:
    script = tmp_path / "main.py"
    script.write_text(
        "from tensormill.core.source import user_stack\nprint(*[s.function for s in user_stack()])"
    )
    command = [sys.executable, "-m", "tensormill", "run", str(script)]
    finished = subprocess.run(command, capture_output=True, text=True)

    assert finished.stdout == "<module>\n"
