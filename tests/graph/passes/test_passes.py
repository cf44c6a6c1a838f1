"""Each pass does what its docstring shows."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import pytest

from tensormill.graph.passes import SIMPLIFY
from tensormill.graph.text import parse_graph, print_graph


@pytest.mark.parametrize("one", SIMPLIFY, ids=lambda one: one.__name__)
def test_a_pass_does_what_its_docstring_shows(one: Any) -> None:
    found = re.search(r"Before:\n(.*?)\n    After:\n(.*)", one.__doc__, re.DOTALL)
    assert found is not None
    before, after = (parse_graph(textwrap.dedent(text).strip()) for text in found.groups())

    assert print_graph(one(before)) == print_graph(after)
