"""Texts in pieces, which the readers of graphs and of loops take from the left."""

from __future__ import annotations

import re
from typing import Any, Generic, Literal, NamedTuple, TypeVar

Kind = TypeVar("Kind", bound=str)


class Token(NamedTuple, Generic[Kind]):
    """A piece of a text; `kind` is the name of its group in the pattern, "end" what follows."""

    kind: Kind
    text: str
    position: int


class Tokens(Generic[Kind]):
    """The tokens of a text, or of a part of one that begins in line `line`, and how far one is.

    The groups of `pattern` are the kinds of tokens. What is called "note" is left out, and so is
    white space that is no token.
    """

    __slots__ = ("_end", "_error", "_found", "_line", "_text", "at")

    def __init__(
        self, text: str, pattern: re.Pattern[str], error: type[ValueError], line: int = 1
    ) -> None:
        self._text = text
        self._error = error
        self._line = line
        self._end: Token[Literal["end"]] = Token("end", "", len(text))
        self.at = 0
        self._found = self._read(pattern)

    def _read(self, pattern: re.Pattern[str]) -> list[Token[Kind]]:
        found: list[Token[Any]] = []
        text, position = self._text, 0
        for match in pattern.finditer(text):
            start, end = match.span()
            if start != position and not text[position:start].isspace():
                break
            position = end
            kind: Any = match.lastgroup  # one of `Kind`, if the pattern has groups of these names
            if kind != "note":
                found.append(Token(kind, match[0], start))
        if text[position:].strip():
            raise self._unread(position)
        return found

    def _unread(self, position: int) -> ValueError:
        rest = self._text[position:].lstrip()
        line = self._line_of(len(self._text) - len(rest))
        return self._error(f"line {line}: cannot read {rest[:20]!r}")

    def token(self, ahead: int = 0) -> Token[Kind] | Token[Literal["end"]]:
        """A token that is still to be taken; one of no text behind the last."""
        try:
            return self._found[self.at + ahead]
        except IndexError:
            return self._end

    def peek(self, ahead: int = 0) -> str:
        """Its text."""
        try:
            return self._found[self.at + ahead].text
        except IndexError:
            return ""

    def since(self, start: int) -> list[Token[Kind]]:
        """The tokens that were taken since `at` was `start`."""
        return self._found[start : self.at]

    def accept(self, wanted: str) -> bool:
        """Take the next token if it is this one; whether it was."""
        is_next = self.peek() == wanted
        self.at += is_next
        return is_next

    def take(self, wanted: str | None = None) -> str:
        """Take the next token, which must be this one, or any."""
        token = self.token()
        if token.kind == "end" or (wanted is not None and token.text != wanted):
            raise self.wrong(f"expected {'more' if wanted is None else repr(wanted)}")
        self.at += 1
        return token.text

    def wrong(self, reason: str, ahead: int = 0) -> ValueError:
        """An error that shows the line, and where in it the next token stands."""
        token = self.token(ahead)
        start = self._text.rfind("\n", 0, token.position) + 1
        shown = self._text[start:].partition("\n")[0]
        return self._error(
            f"line {self._line_of(token.position)}: {reason}, found {token.text!r}\n"
            f"{shown}\n{' ' * (token.position - start)}^"
        )

    def _line_of(self, position: int) -> int:
        return self._line + self._text.count("\n", 0, position)
