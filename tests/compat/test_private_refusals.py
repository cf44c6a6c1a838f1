"""Parts of TensorFlow's runtime: they can be imported, and who uses one hears what to use."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tensormill.compat.private_names import has_private_module, reason_of_refusal
from tensormill.compat.private_refusals import INTERNAL

PROGRAM = """
    from tensormill.compat import install
    install()
    from tensorflow.python.eager import tape, context
    from tensorflow.python.checkpoint import functional_saver
    from tensorflow.python.ops.control_flow_ops import WhileContext, group
    from tensorflow.python.saved_model.load import Loader, load
    from tensorflow.python.util import _pywrap_utils, nest
    for call in (tape.push_new_tape, functional_saver.MultiDeviceSaver, WhileContext, Loader,
                 _pywrap_utils.IsTensor):
        try:
            call()
        except NotImplementedError as error:
            print("use" in str(error))
"""


@pytest.mark.parametrize("name", INTERNAL)
def test_each_says_what_to_use(name: str) -> None:
    assert "use " in (reason_of_refusal(name.split(".")) or "")
    assert has_private_module(name.split("."))


def test_nothing_that_is_here_is_refused() -> None:
    names = Path(__file__).parents[1] / "api"
    lacking = (names / "missing.txt").read_text().split()
    public = json.loads((names / "tensorflow.json").read_text())
    refused = [name for name in public if reason_of_refusal(name.split(".")[1:])]

    assert [] == [name for name in refused if name not in lacking]


@pytest.mark.sampled(among="scripts")
def test_they_can_be_imported_and_not_used() -> None:
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert ["True"] * 5 == done.stdout.split(), done.stderr
