"""What runs together with a line."""

from __future__ import annotations

import textwrap

from .places import Place, place_of

SOURCE = textwrap.dedent(
    """\
    LIMIT = 3

    def outer(x=1):
        if x and (
            x > 2
        ):
            return [
                x,
            ]
        def inner(y=2):
            return y + 1
        return inner
    """
).encode()


def test_what_stands_in_no_function_runs_at_import() -> None:
    assert place_of(1, SOURCE) == Place(range(1, 2), None)
    assert place_of(3, SOURCE) == Place(range(3, 4), None)  # defaults


def test_a_statement_runs_without_those_in_it() -> None:
    assert place_of(5, SOURCE) == Place(range(4, 7), range(4, 13))
    assert place_of(8, SOURCE) == Place(range(7, 10), range(4, 13))


def test_a_function_in_a_function_is_one_of_its_own() -> None:
    assert place_of(10, SOURCE).function == range(4, 13)
    assert place_of(11, SOURCE).function == range(11, 12)
