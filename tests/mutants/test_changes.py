"""What `make mutants` changes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .changes import changes_of, chosen

ROOT = Path(__file__).parents[2]
CORE = "src/tensormill/core"
CHANGED = {
    "x = a < b": ["x = (a <= b)", "x = (a >= b)"],
    "x = a is None": ["x = (a is not None)"],
    "x = a and not b": ["x = (a or not b)", "x = a and (bool(b))"],
    "x = a - 2": ["x = (a + 2)", "x = a - (3)"],
    "def f(a: Literal[1] = True): ...": ["def f(a: Literal[1] = False): ..."],
    "if TYPE_CHECKING:\n    x = 1": [],
    "'é', 1": ["'é', (2)"],
}


@pytest.mark.parametrize("source", CHANGED)
def test_one_expression_becomes_another(source: str, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(source)

    changes = changes_of(Path("one.py"), tmp_path)

    expected = sorted(CHANGED[source])
    assert sorted(one.applied(source.encode()).decode() for one in changes) == expected


@pytest.mark.sampled(among="mutants")
def test_what_is_chosen_is_python_again() -> None:
    for one in chosen(50, 1, ROOT, CORE):
        source = (ROOT / one.file).read_bytes()
        assert ast.dump(ast.parse(one.applied(source))) != ast.dump(ast.parse(source))


@pytest.mark.sampled(among="mutants")
def test_a_seed_chooses_the_same_changes() -> None:
    first, again, other = (chosen(5, seed, ROOT, CORE) for seed in (7, 7, 8))

    assert first == again != other
