"""Texts are taken in pieces from the left, and mistakes shown where they stand."""

from __future__ import annotations

import re

import pytest

from tensormill.core.tokens import Tokens

PATTERN = re.compile(r"(?P<note>#\S*)|(?P<word>[a-z]+)|(?P<number>\d+)")


class WrongError(ValueError):
    pass


def tokens_of(text: str, line: int = 1) -> Tokens[str]:
    return Tokens(text, PATTERN, WrongError, line)


def test_tokens_are_taken_one_after_the_other() -> None:
    tokens = tokens_of("one 22#note\n three ")

    assert [tokens.peek(k) for k in range(4)] == ["one", "22", "three", ""]
    assert tokens.take() == "one"
    assert (tokens.accept("23"), tokens.accept("22")) == (False, True)
    assert [token.kind for token in tokens.since(0)] == ["word", "number"]
    assert tokens.token().position == 13
    assert tokens.take("three") == "three"
    assert tokens.token().kind == "end"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (1, "line 2: expected 'two', found 'three'\n three\n ^"),
        (40, "line 41: expected 'two', found 'three'\n three\n ^"),
    ],
)
def test_a_mistake_is_shown_in_its_line(line: int, message: str) -> None:
    tokens = tokens_of("one\n three", line)
    tokens.take()

    with pytest.raises(WrongError) as raised:
        tokens.take("two")
    assert str(raised.value) == message


def test_more_may_be_expected_at_the_end() -> None:
    with pytest.raises(WrongError, match="line 1: expected more, found ''"):
        tokens_of("").take()


def test_what_is_no_token_is_not_read() -> None:
    with pytest.raises(WrongError, match=r"line 2: cannot read '\?\? b'"):
        tokens_of("a\n?? b")
