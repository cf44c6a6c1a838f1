"""Patterns that automata know mean what they mean in RE2."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.strings.automata import automaton
from tensormill.ops.strings.regular_expressions import matching, replacing, rewriting
from tensormill.ops.strings.spans.matching import ReplaceMatches, is_group, longest

ONE = st.sampled_from(
    r"a b é . [ab] [^a] \d \W [[:punct:]] \. [a-c1-] []a] [\w.] k [k-s] [^k-s] [é] [^éĀ]"
    r" [a-é] [Ā-龥] [^Z-龥😀] [\W_] [^\S\n] \x61 \x{1F600} [^\x00-\x7F] \pL \P{Lu} [\p{P}1]"
    r" [^\PL]".split(" ")
)
PLACE = st.sampled_from(r"^ $ \b \B \A \z".split(" "))
COUNT = st.sampled_from([*[""] * 3, *"* + ? *? +? ?? {2} {1,2} {1,} {0,1}?".split(" ")])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    begun = st.sampled_from(["(", "(", "(?:", "(?:", "(?i:", "(?s:"])
    groups = st.tuples(begun, inner, st.just(")"), COUNT).map("".join)
    some = st.lists(inner, min_size=1, max_size=3)
    return groups | some.map("".join) | some.map("|".join)


COUNTED = st.tuples(ONE, COUNT).map("".join)
PATTERNS = st.recursive(COUNTED | COUNTED | COUNTED | PLACE, grown, max_leaves=6)
ANCHORED = st.tuples(
    st.sampled_from(["", "", "", "(?i)", "(?s)", "(?is)"]),
    st.sampled_from(["", "", "^"]), PATTERNS, st.sampled_from(["", "", "$"])
).map("".join)  # fmt: skip
LETTERS = "ab1é.\nAB\u212akKsS\u017fÉĀā龥😀\ud800"
TEXTS = st.text(LETTERS, max_size=10).map(lambda x: x.encode(errors="surrogatepass")) | (
    st.binary(max_size=5)
)
REWRITES = st.lists(st.sampled_from(["-", r"\0", r"\1", r"\2"]), max_size=4).map("".join)


@settings(max_examples=1000, deadline=None)
@given(ANCHORED, TEXTS)
def test_texts_match_as_a_whole_where_re2_says_so(pattern: str, text: bytes) -> None:
    it = automaton(pattern, True)
    assume(it is not None)
    assert it is not None

    assert matching(pattern.encode())(text) == (longest(it, text, 0)[0] == len(text))


@settings(max_examples=2000, deadline=None)
@given(ANCHORED, REWRITES, st.booleans(), TEXTS)
def test_what_matches_is_replaced_as_by_re2(
    pattern: str, rewrite: str, everywhere: bool, text: bytes
) -> None:
    it = automaton(pattern, False)
    assume(it is not None and not it.is_nullable)
    assert it is not None
    try:
        parts = rewriting(rewrite.encode(), it.groups)
    except tf.errors.InvalidArgumentError:
        return
    pieces = [one.decode() if isinstance(one, bytes) else one for one in parts]
    noted = automaton(pattern, False, noted=True) if any(map(is_group, pieces)) else it
    assume(noted is not None)
    op = ReplaceMatches(None, None, None, pattern=pattern, pieces=pieces, everywhere=everywhere)

    assert replacing(pattern.encode(), rewrite.encode(), everywhere)(text) == op.of_text(text)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\P{Lu}",
        r"\p{^N}",
        r"[^\PL]",
        r"\p{C}",
        r"\p{Any}",
        "(?i)k",
        "(?i)[^a-r]",
        r"(?i)\w",
        r"(?i)\W",
        "(?s).",
        ".",
        "[é-⿿]",
        "[^a龥]",
        "[߿-ࠀ]",
        "[￿-𐀀]",
    ],
)
def test_classes_have_the_characters_that_re2_says(pattern: str) -> None:
    it = automaton(pattern, True)
    assert it is not None
    ends = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF, 0x2FFF, 0xE9, 0x9FA5, 0x212A, 0x17F, 0x73, 0x53]
    ends += [0xD800, 0xDFFF]
    near = {one + step for one in ends for step in (-1, 0, 1)} | set(range(128))

    for number in near & set(range(0x110000)):
        text = chr(number).encode(errors="surrogatepass")
        assert matching(pattern.encode())(text) == (longest(it, text, 0)[0] == len(text)), number


@pytest.mark.parametrize("pattern", [".", "(?s).", "[^a]", r"\D", r"\W+", "[^é]", ".*b", r"\PN"])
@pytest.mark.parametrize(
    "text", [b"\xf4\x90\x80\x80", b"\xf0\x80\x80\x80", b"\xe0\x80\x80b", b"\xc0\x80", b"\xf5\x80"]
)
def test_bytes_that_are_no_text_are_characters_where_re2_says_so(pattern: str, text: bytes) -> None:
    it = automaton(pattern, True)
    assert it is not None

    assert matching(pattern.encode())(text) == (longest(it, text, 0)[0] == len(text))


@pytest.mark.parametrize(
    "pattern",
    [
        "(?i)é", "(?m)a", "a(?i)b", "(?-i)a", r"\p{Nothing}", "(a*)*", "a**", "a|^*b", r"(\b)+",
        "a{1001}", "(", "[b-a]", "a{,2}", r"\Q.\E", "(?P<n>a)", r"\x{110000}", r"[\d-z]", r"\x4",
        "a{01}", "a{1,02}", "a{２}", r"\p{L", r"[\p{L]", "(" * 300 + "a" + ")" * 300,
    ],
)  # fmt: skip
def test_what_else_patterns_have_is_left_to_re2(pattern: str) -> None:
    assert automaton(pattern, False) is None


@pytest.mark.parametrize(
    "pattern",
    [
        r"\b\w{1,2}\b",
        r"^\s+|\s+$",
        r"\Bb",
        r"a$b|b+\b",
        r"(^|[^a-z])b",
        r"\p{Lu}\p{P}?",
        r"\.\z|\Aa",
    ],
)
def test_places_and_classes_of_characters_are_compiled(pattern: str) -> None:
    texts = ["", "a", "b", "ab", " a b ", "ba b.", "a\nbb .", "éb É", "b_b", "  ", "Ab1 ḄḂ.", "bé"]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def compiled(texts: tf.Tensor) -> tuple[tf.Tensor, ...]:
        replaced = [tf.strings.regex_replace(texts, pattern, "-", one) for one in (True, False)]
        return *replaced, tf.strings.regex_full_match(texts, pattern)

    change, change_first = (replacing(pattern.encode(), b"-", one) for one in (True, False))
    matches = matching(pattern.encode())
    in_bytes = [one.encode() for one in texts]

    everywhere, first, whole = compiled(texts)
    assert everywhere.numpy().tolist() == [change(one) for one in in_bytes]
    assert first.numpy().tolist() == [change_first(one) for one in in_bytes]
    assert whole.numpy().tolist() == [matches(one) for one in in_bytes]
    assert automaton(pattern, False) is not None


def test_automata_that_begin_anew_too_often_are_told_from_others() -> None:
    found = [(one, automaton(one, False)) for one in ("ab+", "a+b", "(a|ab)c")]

    assert [(one, it and it.is_bounded) for one, it in found] == [
        ("ab+", True), ("a+b", False), ("(a|ab)c", True),
    ]  # fmt: skip


def test_a_text_that_takes_too_many_looks_is_left_to_re2() -> None:
    text = "a" * 20_000

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def replaced(texts: tf.Tensor) -> tf.Tensor:
        return tf.strings.regex_replace(texts, "a+b", "-")

    assert replaced([text, "aab"]).numpy().tolist() == [text.encode(), b"-"]
