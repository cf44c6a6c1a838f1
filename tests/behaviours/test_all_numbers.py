"""Every statement has a test, but those that are judged worthless here, with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
# How many statements each area has.
AREAS = {"F": 96, "B": 56, "C": 28, "V": 17, "G": 23, "P": 12, "T": 28, "I": 14, "E": 7}
# Number: why no test claims it.
WITHOUT: dict[str, str] = {}


def claimed() -> set[str]:
    numbers: set[str] = set()
    for path in HERE.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="behaviour"), args=arguments):
                    numbers.update(ast.literal_eval(argument) for argument in arguments)
                case _:
                    pass
    return numbers


def test_every_statement_is_claimed_by_a_test():
    every = {f"{area}{number}" for area, count in AREAS.items() for number in range(1, count + 1)}

    assert every - claimed() - WITHOUT.keys() == set()
    assert claimed() <= every
