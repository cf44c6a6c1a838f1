"""Regular expressions are RE2's, whether RE2 or Python's `re` does the work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.strings import regular_expressions as expressions

# What TensorFlow 2.21 gives: text, pattern, rewrite, result.
REPLACED = [
    (b"ab\n", "b$", "!", b"ab\n"),
    (b"a\nb$", "$", "!", b"a\nb$!"),
    ("é".encode(), ".", "x", b"x"),
    (b"\xff\xfea", ".", "x", b"\xff\xfex"),
    (b"\xff\xfea", r"\C", "x", b"xxx"),
    (b"aXb", "[[:upper:]]", "-", b"a-b"),
    ("éa".encode(), r"\pL", "x", b"xx"),
    ("a中".encode(), "x*", "-", "-a-中-".encode()),
    (b"abc", "b*", "-", b"-a-c-"),
    (b"\xed\xa0\x80a", "x?", "-", b"-\xed\xa0\x80-a-"),
    (b"", "", "-", b"-"),
    (b"\x0b\t", r"\s", "x", b"\x0bx"),
    ("٣1".encode(), r"\d", "x", "٣x".encode()),
    (b"a.b", r"\Q.\E", "x", b"axb"),
    (b"abb", "(?U)b+", "x", b"axx"),
    (b"aa", "(?:a|(b))", r"[\1]", b"[][]"),
    (b"abc", "(b)", r"\1\0\\", b"abb\\c"),
    (b"a\0b", "\0", "x", b"axb"),
]


@pytest.mark.parametrize(("text", "pattern", "rewrite", "expected"), REPLACED)
def test_patterns_mean_what_they_mean_in_re2(
    text: bytes, pattern: str, rewrite: str, expected: bytes
) -> None:
    assert expected == tf.strings.regex_replace(text, pattern, rewrite).numpy()


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [("ab\n", "ab$", False), ("é", ".", True), (b"\xff", ".", False), ("ab", "a|ab", True)],
)
def test_all_of_a_text_is_matched_as_re2_does(
    text: str | bytes, pattern: str, expected: bool
) -> None:
    assert expected is bool(tf.strings.regex_full_match(text, pattern))


@pytest.mark.parametrize("pattern", ["(", "a++", r"(a)\1", "a(?=b)", r"b\Z", "a{1001}", "[b-a]"])
def test_what_re2_does_not_know_is_refused(pattern: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
        tf.strings.regex_replace("ab", pattern, "")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
        tf.function(lambda text: tf.strings.regex_full_match(text, pattern))("ab")


@pytest.mark.parametrize(
    ("rewrite", "words"), [(r"\q", "digit"), ("\\", "digit"), (r"\2", "has 1")]
)
def test_a_rewrite_that_names_no_group_is_refused(rewrite: str, words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.strings.regex_replace("ab", "(a)", rewrite)


def test_patterns_may_be_tensors() -> None:
    @tf.function
    def of(text: tf.Tensor, pattern: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        replaced = tf.strings.regex_replace(text, pattern, "-")
        return replaced, tf.strings.regex_full_match(text, pattern)

    replaced, matched = of(tf.constant(["aab", "b"]), tf.constant("a*"))

    assert [b"-b-", b"-b-"] == replaced.numpy().tolist()
    assert [False, False] == matched.numpy().tolist()


PARTS = ["a", "1", "\\d", "\\W", "\\s", ".", "[ab]", "[^a]", "[a-c1]", "[^\\w]", "\\.", "-", "[-a]"]
PLAIN = st.lists(
    st.tuples(st.sampled_from(PARTS), st.sampled_from(["", "+", "*", "?"])), min_size=1
)
TEXT = st.text("ab1 .-\n\x0bé_^", max_size=8).map(str.encode) | st.binary(max_size=6)


@given(PLAIN, TEXT, st.booleans())
def test_plain_patterns_give_what_re2_gives(
    parts: list[tuple[str, str]], text: bytes, everywhere: bool
) -> None:
    pattern = "".join(part + count for part, count in parts).encode()
    quick = expressions.replacing(pattern, b"\\\\x", everywhere)
    expected = expressions.replaced(expressions.compiled(pattern), [b"\\x"], text, everywhere)

    assert expected == quick(text)


@given(PLAIN, TEXT)
def test_plain_patterns_match_what_re2_matches(parts: list[tuple[str, str]], text: bytes) -> None:
    pattern = "".join(part + count for part, count in parts).encode()
    expected = expressions.compiled(pattern).fullmatch(text) is not None

    assert expected is expressions.matching(pattern)(text)


def test_patterns_that_could_match_in_many_ways_are_left_to_re2() -> None:
    many_ways = "a?" * 40 + "a" * 40  # Python's `re` would look at all 2**40

    assert tf.strings.regex_full_match("a" * 40, many_ways)


@pytest.mark.parametrize(
    "pattern", [rb"\s+", rb"[!\"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~']", b"<br />"]
)
def test_the_patterns_of_every_day_are_plain(pattern: bytes) -> None:
    assert expressions.plain(pattern) is not None


@pytest.mark.parametrize(
    "pattern", [b"a*", b"", b"a$", b"(a)", b"a{2}", b"[[:alpha:]]", b"[a&&b]", b"a|b"]
)
def test_what_python_may_read_otherwise_is_not_plain(pattern: bytes) -> None:
    assert expressions.plain(pattern) is None
