"""What the pages show is what happens, what they link to is there, and no folder is left out."""

from __future__ import annotations

import ast
import doctest
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tests.test_layers import LEVELS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tensormill"
FOLDERS = (ROOT, ROOT / "docs", ROOT / "docs" / "decisions", ROOT / "bench")
PAGES = sorted(str(page.relative_to(ROOT)) for folder in FOLDERS for page in folder.glob("*.md"))


def text_of(page: str) -> str:
    return (ROOT / page).read_text()


def sessions_of(page: str) -> list[str]:
    """What is typed at a prompt, with what comes back."""
    return re.findall(r"```python\n(>>> .*?)```", text_of(page), re.DOTALL)


def is_shown_by_hand(session: str) -> bool:
    """Whether lines are broken and commented that the program prints otherwise."""
    return "to_code" in session


@pytest.mark.parametrize("page", [page for page in PAGES if sessions_of(page)])
def test_the_sessions_of_a_page_are_true(page: str) -> None:
    sessions = [session for session in sessions_of(page) if not is_shown_by_hand(session)]
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, page, page, 0)

    results = doctest.DocTestRunner().run(test)

    assert results.attempted > 0
    assert results.failed == 0


def test_converted_code_is_as_the_page_shows_it() -> None:
    (session,) = filter(is_shown_by_hand, sessions_of("docs/autograph.md"))
    typed, shown = re.split(r">>> print\(.*\n", session)
    scope: dict[str, Any] = {}
    source = re.sub(r"^(>>>|\.\.\.) ", "", typed, flags=re.MULTILINE)
    exec(source, scope)

    code = tf.autograph.to_code(scope["f"])

    assert ast.unparse(ast.parse(shown)) == ast.unparse(ast.parse(code))


def test_a_refusal_is_said_as_the_page_shows_it(tmp_path: Path) -> None:
    page = text_of("docs/autograph.md")
    (program,) = re.findall(r"```python\n(# train\.py\n.*?)```", page, re.DOTALL)
    (message,) = re.findall(r"```\nValueError: (in user code:\n.*?)\n```", page, re.DOTALL)
    file = tmp_path / "train.py"
    file.write_text(program)

    with pytest.raises(ValueError, match="in user code") as refusal:
        runpy.run_path(str(file))

    assert message == str(refusal.value).replace(str(file), "train.py").rstrip()


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", text_of(page))

    assert [one for one in targets if not (ROOT / page).parent.joinpath(one).exists()] == []


def test_every_folder_has_its_place_in_the_architecture() -> None:
    folders = {file.parent.relative_to(PACKAGE) for file in PACKAGE.rglob("*.py")} - {Path()}

    assert [one for one in folders if not re.search(rf"\b{one.name}\b", place_of(one))] == []


def place_of(folder: Path) -> str:
    """Where a folder is to be named: in the row of the one that it is in; else anywhere."""
    page = text_of("docs/architecture.md")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    own = [row for row in rows if f"`{folder.parent}/`" in row.split("|")[1]]
    return own[0] if own else page


def test_the_architecture_has_the_order_of_folders() -> None:
    levels = [sorted(level) for level in LEVELS if not level[0].startswith(("errors", "__init__"))]
    (line,) = re.findall(r"^`(core ops .*)`\.$", text_of("docs/architecture.md"), re.MULTILINE)
    said = [re.findall(r"\w+", one) for one in re.findall(r"\([^)]*\)|\w+", line)]

    assert levels == [sorted(level) for level in said]


def test_every_decision_is_mentioned() -> None:
    pages = "".join(map(text_of, PAGES))
    decisions = [file.name for file in (ROOT / "docs" / "decisions").glob("0*.md")]

    assert [name for name in decisions if name not in pages] == []
    numbers = [name[:4] for name in decisions]
    assert len(set(numbers)) == len(numbers), "two decisions have one number"


def test_every_environment_variable_is_in_one_table() -> None:
    sources = "".join(file.read_text() for file in PACKAGE.rglob("*.py"))
    read = set(re.findall(r"\"(TENSORMILL_\w+)\"", sources))

    table = set(
        re.findall(r"^\| `(TENSORMILL_\w+)`", (PACKAGE / "config.py").read_text(), re.MULTILINE)
    )
    assert read == table
