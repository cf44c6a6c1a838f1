"""Samples of operations on strings."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import NAN, Table, array, bools, case, f32, i32, scalar, unit

TEXTS = array("str", [["ab", " C d\t"], ["", "é"]])
NUMBERS = f32(1 / 3, 1e10, -1, NAN)

# A sparse matrix of texts, one of integers, and dense ones of both.
PLACES = array("i64", [[0, 0], [0, 1], [1, 0], [3, 2]])
WORDS = array("str", ["a", "a longer text, of more than 32 bytes", "", "é"])
SHAPE = array("i64", [4, 3])
PAIRS = array("i64", [[0, 1], [0, 2], [2, 0], [3, 0], [3, 1]])
INTEGERS = array("i64", [1, -2, 3, 2**62, -5])
SPARSE = ((PLACES, PAIRS), (WORDS, INTEGERS), (SHAPE, SHAPE))
TEXT_MATRIX = array("str", [["p", "q"], ["r", "s"], ["t", ""], ["v", "w"]])
INTEGER_MATRIX = array("i64", [[7], [-8], [9], [10]])
NONE = ((), (), ())


def hashed(buckets: int, key: int = 956888297470, internal: str = "i64") -> dict[str, Any]:
    """The attributes of SparseCross that gives numbers."""
    return {
        "hashed_output": True,
        "num_buckets": buckets,
        "hash_key": key,
        "out_type": "i64",
        "internal_type": internal,
    }


def salted(buckets: int, strong: bool = False) -> tuple[Any, ...]:
    """The last operands of SparseCrossHashed."""
    return scalar(buckets, "i64"), scalar(strong, "bool"), array("i64", [7, -9])


def ordered(letters: str, out: str = "str", splits: str = "i64", **attrs: Any) -> dict[str, Any]:
    """The attributes of RaggedCross."""
    defaults = {"hashed_output": out == "i64", "num_buckets": 0, "hash_key": 956888297470}
    kinds = {"out_values_type": out, "out_row_splits_type": splits}
    return {"input_order": letters, **defaults, **kinds, **attrs}


SPLITS = array("i64", [0, 2, 2, 3, 4])

SAMPLES: Table = {
    "StringLower": [case(array("str", ["ABC É"])), case(array("str", ["ABC É"]), encoding="utf-8")],
    "StringUpper": [case(array("str", ["abc é"])), case(array("str", ["abc é"]), encoding="utf-8")],
    "StringStrip": [case(TEXTS), case(array("str", " a\n"))],
    "StringJoin": [
        case((TEXTS, array("str", "x"), TEXTS), separator="-"),
        case((array("str", "x"), array("str", "y"))), case((TEXTS,)),
    ],
    "ReduceJoin": [
        case(TEXTS, scalar(0)), case(TEXTS, i32(1, 0)),
        case(TEXTS, i32(-1), separator=",", keep_dims=True), case(TEXTS, i32()),
    ],
    "UnicodeScript": [case(i32(1041, 97, 0x3042, -1, 0x110000, 48)), case(i32())],
    "Fingerprint": [
        case(TEXTS, array("str", "farmhash64")), case(WORDS, array("str", "farmhash64")),
        case(NUMBERS, array("str", "farmhash64")), case(INTEGER_MATRIX, array("str", "farmhash64")),
    ],
    "StringLength": [case(TEXTS), case(TEXTS, unit="UTF8_CHAR")],
    "Substr": [
        case(array("str", ["hello", "word"]), scalar(1), scalar(2)),
        case(array("str", ["hello", "word"]), i32(-2, 1), i32(5, 1)),
        case(array("str", "héllo"), scalar(1), scalar(2), unit="UTF8_CHAR"),
    ],
    "StringToNumber": [
        case(array("str", ["1", " 2.5 ", "-1e3", "inf", "nan"])),
        case(array("str", ["12", "-7"]), out_type="i64"),
    ],
    "AsString": [
        case(NUMBERS), case(NUMBERS, precision=2), case(NUMBERS, scientific=True),
        case(NUMBERS, shortest=True),
        case(NUMBERS, width=8, fill="0"), case(NUMBERS, width=8, fill="-"),
        case(i32(1, -22), width=5, fill="0"),
        case(bools(True, False)), case(unit(2).astype("complex64")), case(TEXTS),
        case(array("u8", [200])),
    ],
    "StaticRegexReplace": [
        case(array("str", ["abcabc"]), pattern="b", rewrite="X"),
        case(array("str", ["abcabc"]), pattern="(b)", rewrite="<\\1>", replace_global=False),
    ],
    "RegexReplace": [
        case(array("str", ["abc", "é"]), array("str", "[^a]"), array("str", "<\\0>")),
    ],
    "RegexFullMatch": [case(array("str", ["abc", "xabc"]), array("str", "a.*"))],
    "StaticRegexFullMatch": [case(array("str", ["abc", "xabc"]), pattern="a.*")],
    "SparseCross": [
        case(*SPARSE, (TEXT_MATRIX, INTEGER_MATRIX), **hashed(0)),
        case(*SPARSE, (), **hashed(100)), case(*NONE, (TEXT_MATRIX,), **hashed(7, 1, "str")),
        case(*NONE, (INTEGER_MATRIX, TEXT_MATRIX), **hashed(1000, -3)),
        case(*NONE, (), **hashed(0, internal="str")),
        case(
            *NONE, (TEXT_MATRIX, TEXT_MATRIX),
            **hashed(0, internal="str") | {"hashed_output": False, "out_type": "str"},
        ),
    ],
    "SparseCrossHashed": [
        case(*SPARSE, (TEXT_MATRIX, INTEGER_MATRIX), *salted(0)),
        case(*SPARSE, (), *salted(100)), case(*NONE, (), *salted(7, True)),
        case(*NONE, (TEXT_MATRIX, TEXT_MATRIX), *salted(0, True)),
        case(*NONE, (TEXT_MATRIX,), *salted(1000, True)),
    ],
    "SparseCrossV2": [
        case(*SPARSE, (TEXT_MATRIX, INTEGER_MATRIX), array("str", "_X_")),
        case(*SPARSE, (), array("str", "")), case(*NONE, (TEXT_MATRIX,), array("str", "-")),
        case(*NONE, (), array("str", "-")),
        case(
            (array("i64", np.zeros((0, 2))),), (array("str", []),), (array("i64", [4, 0]),),
            (TEXT_MATRIX,), array("str", "-"),
        ),
    ],
    "RaggedCross": [
        case((WORDS, INTEGERS[:4]), (SPLITS, SPLITS), *NONE, (), **ordered("RR")),
        case((WORDS,), (SPLITS,), *SPARSE, (TEXT_MATRIX,), **ordered("DSRS")),
        case((WORDS,), (SPLITS,), *SPARSE, (TEXT_MATRIX,), **ordered("SDSR", "i64")),
        case(
            (INTEGERS[:4],), (SPLITS.astype("int32"),), *NONE, (INTEGER_MATRIX,),
            **ordered("RD", "i64", "i32", num_buckets=10, hash_key=0),
        ),
        case((), (), *NONE, (), **ordered("")),
    ],
    "StringFormat": [
        case((i32(1, 2), array("str", "b")), template="{} x {}", placeholder="{}"),
        case((f32([0.1, 1 / 3], [1e10, -0.0]),), template="a {}", placeholder="{}", summarize=1),
        case(
            (np.zeros((2, 0)), np.zeros((3, 2, 0)), np.zeros((0, 3)), np.zeros((2, 0, 3))),
            template="{}, {}, {}, {}", placeholder="{}",
        ),
    ],
    "TextOrder": [
        case(array("str", ["b", "a", "", "b", "ab"]), expected=array("i64", [2, 1, 4, 0, 3])),
        case(array("str", []), expected=array("i64", [])),
    ],
    "RaggedTensorToText": [
        case(
            array("str", ["1", "2", "3"]), (array("i64", [0, 2, 2]), array("i64", [0, 1, 3])),
            expected=array("str", "[[[1], [2, 3]], []]"),
        ),
        case(
            array("str", [["1", "2"], ["3", "4"], ["5", "6"]]), (array("i32", [0, 3]),),
            summarize=1, expected=array("str", "[[[1, 2], ..., [5, 6]]]"),
        ),
    ],
    "Print": [
        case(f32(1.5, -2.0), (i32([1, 2], [3, 4]), array("str", ["a"])), message="printed: "),
        case(INTEGERS, (), first_n=0), case(TEXTS, (TEXTS, f32()), summarize=-1),
    ],
    "PrintV2": [case(array("str", "printed"), output_stream="stderr", end="!\n")],
    "StringToHashBucket": [
        case(array("str", ["", "a", "abcdefg", "abcdefgh", "hello world, this is long"]),
             num_buckets=1 << 62),
        case(array("str", [["é", "b"]]), num_buckets=7),
    ],
    "StringToHashBucketFast": [
        case(array("str", [[b"", b"a"], [b"abcd", b"hello wo"]]), num_buckets=1000),
        case(
            array("str", [b"x" * n for n in (16, 17, 32, 33, 64, 65, 128, 200)]),
            num_buckets=2**62,
        ),
    ],
    "StringToHashBucketStrong": [
        case(array("str", [b"", b"abc", b"x" * 40]), num_buckets=2**62, key=[1, 2]),
        case(array("str", b"word"), num_buckets=7, key=[-5, 2**62]),
    ],
}  # fmt: skip
