r"""Regular expressions in RE2's syntax and meaning (https://github.com/google/re2/wiki/Syntax).

Python's `re` has another language: there `$` matches before a last newline, `.` matches a byte of
`é`, `[[:upper:]]` is a set of `:`, `[`, and letters, and nothing may match where the last match
ended. RE2 itself answers, but for patterns that mean the same to both (`Plain`): those `re`
replaces in one go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...core.native_operations import TEXTS
from ...core.process.named_tuples import NamedTuple
from ...core.values import TensorBase
from ...errors import InvalidArgumentError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..math.comparison import logical_not
from ..math.reduce import reduce_any
from ..op import Attr, In, Op, Out
from .automata import automaton
from .byte_strings import OfString, each
from .spans.matching import MatchSpans, ReplaceMatches, is_group
from .spans.spans import Doubted, Spans

if TYPE_CHECKING:
    from ..results import Tensor

Change = Callable[[bytes], bytes]

# What a part of a plain pattern is, and what it is in Python's language. A part that is a class of
# other characters (`any`) matches code points in RE2 and bytes in `re`.
_CLASS_ITEM = rb"""[^\\\]\[\x80-\xff] | \\[dwtnrf] | \\[!-/:-@\[-`{-~]"""
_PART = re.compile(
    rb"""
    (?: (?P<any>   \. | \\[DW] | \[\^ (?:%b)+ \])
      | (?P<class> \\[dw] | \[ (?!\^) (?:%b)+ \])
      | (?P<space> \\s)
      | (?P<one>   [^\\.^$*+?()\[\]{}|\x80-\xff] | \\[tnrf] | \\[!-/:-@\[-`{-~])
    )
    (?P<count> [+*?]? (?![*+?{]))
    """
    % (_CLASS_ITEM, _CLASS_ITEM),
    re.VERBOSE,
)
_SPACE = rb"[\t\n\f\r ]"
# Two of these in a class are to mean something else in `re` one day: it warns of them.
_DOUBLED = re.compile(rb"--|&&|~~|\|\|")


class Plain(NamedTuple):
    """A pattern of Python's that means what the pattern means in RE2, and never matches nothing."""

    expression: re.Pattern[bytes]
    # Whether it does so for all bytes, or for ASCII only.
    of_any_text: bool
    counts: int  # how many of its parts match more or less


def plain(pattern: bytes) -> Plain | None:
    """The pattern in Python's language, if it consists of characters, classes and their counts."""
    parts: list[bytes] = []
    place, of_any_text, matches_something, counts = 0, True, False, 0
    while place < len(pattern):
        part = _PART.match(pattern, place)
        if part is None or ((part["class"] or part["any"]) and _DOUBLED.search(part[0])):
            return None
        of_any_text &= part["any"] is None
        matches_something |= part["count"] in (b"", b"+")
        counts += part["count"] != b""
        parts.append(_SPACE + part["count"] if part["space"] else part[0])
        place = part.end()
    if not matches_something:
        return None
    try:
        return Plain(re.compile(b"".join(parts)), of_any_text, counts)
    except re.error:
        # A range that ends before it begins: RE2 says so.
        return None


@lru_cache(256)
def compiled(pattern: bytes) -> Any:
    """RE2's own expression.

    Raises:
        InvalidArgumentError: it is not well-formed.
    """
    import re2  # first calls import little

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        reason = reason.decode(errors="replace") if isinstance(reason, bytes) else reason
        shown = pattern.decode(errors="replace")
        raise InvalidArgumentError(f"Invalid pattern: {shown}, error: {reason}") from None


@lru_cache(256)
def replacing(pattern: bytes, rewrite: bytes, everywhere: bool) -> Change:
    """The function that replaces what matches `pattern` in a text."""
    expression = compiled(pattern)
    parts = rewriting(rewrite, expression.groups)

    def by_re2(text: bytes) -> bytes:
        return replaced(expression, parts, text, everywhere)

    quick = plain(pattern)
    if quick is None or not all(isinstance(part, bytes) for part in parts):
        return by_re2
    sub, of_any_text, count = quick.expression.sub, quick.of_any_text, 0 if everywhere else 1
    constant = b"".join(part for part in parts if isinstance(part, bytes)).replace(b"\\", rb"\\")

    def by_re(text: bytes) -> bytes:
        return sub(constant, text, count) if of_any_text or text.isascii() else by_re2(text)

    return by_re


@lru_cache(256)
def matching(pattern: bytes) -> Callable[[bytes], bool]:
    """The function that says whether `pattern` matches a whole text."""
    fullmatch = compiled(pattern).fullmatch

    def by_re2(text: bytes) -> bool:
        return fullmatch(text) is not None

    quick = plain(pattern)
    if quick is None or quick.counts > 1:  # which `re` tries in every way
        return by_re2
    quick_match, of_any_text = quick.expression.fullmatch, quick.of_any_text

    def by_re(text: bytes) -> bool:
        if of_any_text or text.isascii():
            return quick_match(text) is not None
        return by_re2(text)

    return by_re


def rewriting(rewrite: bytes, groups: int) -> list[bytes | int]:
    r"""The parts of a rewrite: bytes, and the numbers of groups (`\0` is all that matched).

    Raises:
        InvalidArgumentError: a backslash without a digit or a backslash behind it, or a group that
            the pattern does not have. (TensorFlow logs this, and goes on with half a text.)
    """
    parts: list[bytes | int] = []
    for text, escape in re.findall(rb"([^\\]+)|\\(.?)", rewrite, re.DOTALL):
        if text:
            parts.append(text)
        elif escape == b"\\":
            parts.append(escape)
        elif not escape.isdigit():
            raise InvalidArgumentError(
                f"Invalid rewrite: {rewrite.decode(errors='replace')}, error: a backslash comes "
                r"before a digit (\1 is the first group, \0 all that matched) or a backslash"
            )
        elif int(escape) > groups:
            raise InvalidArgumentError(
                f"Invalid rewrite: {rewrite.decode(errors='replace')}, error: it names group "
                f"{int(escape)}, and the pattern has {groups}"
            )
        else:
            parts.append(int(escape))
    return parts


def replaced(expression: Any, parts: list[bytes | int], text: bytes, everywhere: bool) -> bytes:
    """The text with its first match, or all of them, replaced.

    Nothing is matched once where the last match ended: `b*` in `abc` gives `-a-c-`.
    """
    pieces: list[bytes] = []
    place, last_end = 0, -1
    while place <= len(text) and (match := expression.search(text, place)) is not None:
        begin, end = match.span()
        pieces.append(text[place:begin])
        if begin == end == last_end:
            place = begin + width_at(text, begin)
            pieces.append(text[begin:place])
            continue
        pieces += [(match[part] or b"") if isinstance(part, int) else part for part in parts]
        place = last_end = end
        if not everywhere:
            break
    return b"".join(pieces) + text[place:]


def width_at(text: bytes, place: int) -> int:
    """How many bytes the character there has: one, where they are no UTF-8."""
    for width in range(1, 5):
        try:
            text[place : place + width].decode(errors="surrogatepass")
        except UnicodeDecodeError:
            continue
        return width
    return 1


class StaticRegexReplace(OfString):
    r"""What matches `pattern` (RE2) replaced by `rewrite`, where \1 is the first group."""

    pattern = Attr(str)
    rewrite = Attr(str)
    replace_global = Attr(True)
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        return each(
            replacing(self.pattern.encode(), self.rewrite.encode(), self.replace_global), self.input
        )

    @staticmethod
    def knows_spans(attrs: Mapping[str, Any]) -> bool:
        found = automaton(attrs["pattern"], is_whole=False)
        return found is not None and not found.is_nullable

    def on_spans(self) -> Any:
        found = automaton(self.pattern, is_whole=False)
        assert found is not None
        try:
            parts = rewriting(self.rewrite.encode(), found.groups)
        except InvalidArgumentError:  # which the kernel says when it runs
            return NotImplemented
        pieces = [one.decode("latin-1") if isinstance(one, bytes) else one for one in parts]
        if any(map(is_group, pieces)):
            found = automaton(self.pattern, is_whole=False, noted=True)
            if found is None:
                return NotImplemented
        *made, doubtful = bind(
            ReplaceMatches, *self.input.parts, pattern=self.pattern, pieces=tuple(pieces),
            everywhere=self.replace_global,
        )  # fmt: skip
        texts = Spans(*made, is_whole=True)
        if found.is_bounded:
            return texts
        return Doubted(logical_not(reduce_any(doubtful)), (texts,))


class RegexReplace(OfString):
    """As `StaticRegexReplace`, by a pattern that is a tensor."""

    pattern = In("str")
    rewrite = In("str")
    replace_global = Attr(True)

    def eager(self, np: Any) -> Any:
        pattern, rewrite = self.pattern.item(), self.rewrite.item()
        return each(replacing(pattern, rewrite, self.replace_global), self.input)


@dispatchable(elements=1)
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""What matches `pattern` replaced by `rewrite`, where \1 is the first group and \0 all of it.

    input: string [...]; the result has its shape. pattern, rewrite: strings, or scalar tensors of
    them; patterns are RE2's. replace_global: all that matches, or only what does so first.

    >>> tf.strings.regex_replace(["a1b22", "c"], "[0-9]+", "#").numpy()
    array([b'a#b#', b'c'], dtype=object)

    Raises:
        InvalidArgumentError: `pattern` is no regular expression, `rewrite` names a group that it
            does not have, or `input` is no string.
    """
    if isinstance(pattern, TensorBase) or isinstance(rewrite, TensorBase):
        return bind(RegexReplace, input, pattern, rewrite, replace_global=replace_global, name=name)
    texts = [one.decode() if isinstance(one, bytes) else one for one in (pattern, rewrite)]
    return bind(
        StaticRegexReplace, input, pattern=texts[0], rewrite=texts[1],
        replace_global=replace_global, name=name,
    )  # fmt: skip


class FullMatch(Op, abstract=True):
    """Whether a regular expression matches the whole string."""

    input = In("str *s")
    output = Out("bool *s")
    ignores_places = True
    differentiable = False

    def matches(self, pattern: bytes) -> Any:
        return each(matching(pattern), self.input, dtype=bool)


class StaticRegexFullMatch(FullMatch):
    """Whether `pattern` (RE2) matches the whole string."""

    pattern = Attr(str)
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        return self.matches(self.pattern.encode())

    @staticmethod
    def knows_spans(attrs: Mapping[str, Any]) -> bool:
        return automaton(attrs["pattern"], is_whole=True) is not None

    def on_spans(self) -> Any:
        return bind(MatchSpans, *self.input.parts, pattern=self.pattern)


class RegexFullMatch(FullMatch):
    """As `StaticRegexFullMatch`, by a pattern that is a tensor."""

    pattern = In("str")

    def eager(self, np: Any) -> Any:
        return self.matches(self.pattern.item())


@dispatchable(elements=1)
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Any:
    """Whether `pattern` matches the whole string.

    input: string [...]; the result is bool of its shape. pattern: a regular expression of RE2's,
    or a scalar tensor of one.

    >>> tf.strings.regex_full_match(["ab", "abc"], "[ab]+").numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: `pattern` is no regular expression, or `input` is no string.
    """
    if isinstance(pattern, TensorBase):
        return bind(RegexFullMatch, input, pattern, name=name)
    text = pattern.decode() if isinstance(pattern, bytes) else pattern
    return bind(StaticRegexFullMatch, input, pattern=text, name=name)
