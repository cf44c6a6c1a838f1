"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md"])
def test_the_sessions_of_a_page_are_true(page: str) -> None:
    sessions = re.findall(r"```python\n(>>> .*?)```", (ROOT / page).read_text(), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, page, page, 0)

    results = doctest.DocTestRunner().run(test)

    assert results.attempted > 0
    assert results.failed == 0


def test_the_links_of_the_readme_lead_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / "README.md").read_text())

    assert [target for target in targets if not (ROOT / target).exists()] == []
