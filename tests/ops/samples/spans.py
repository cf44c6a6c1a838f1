"""Samples of what is done to strings where they lie; expected results are those of the strings."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import Table, array, bools, case, i32, i64, scalar


def spans(texts: Any) -> tuple[Any, Any, Any]:
    """Where strings lie in a row: starts, stops, bytes."""
    strings = array("str", texts)
    stops = i64(*map(len, strings.reshape(-1))).cumsum()
    starts = np.concatenate([i64(0), stops])[: stops.size]
    row = np.frombuffer(b"".join(strings.reshape(-1)), np.uint8)
    return starts.reshape(strings.shape), stops.reshape(strings.shape), row


def u64(*values: Any) -> Any:
    return np.array(values, np.uint64)


TEXTS = [["ab", " C d\t"], ["", "é"]]
ROW = np.frombuffer(b"xx hello\0  \n-", np.uint8)
STARTS, STOPS = i64(2, 3, 0, 12, 9), i64(10, 8, 0, 13, 12)  # some lie in others
NUMBERS = [["0", "-1"], [f"{-(2**63)}", f"{2**63 - 1}"]]
WORDS = [b" hello\0 ", b"hello", b"", b"-", b"  \n"]

# Two bytes of three and three alone: four mistakes, as Unicode counts them.
ILL_FORMED = b"a\xe2\x82\xc3\xa9\xff\xe2\x82\xac\xf0\x9f\x98\x80\x80\xc0b"
CODED = [["YQ", "aGU"], ["", "37_fvz8"]]  # in base64

# Slots of the hashes of three strings, and of three numbers (ops/state/table_index.py).
SLOTS_OF_TEXTS = i64(-1, -1, 2, 1, 0, -1, -1, -1)
SLOTS_OF_NUMBERS = i64(2, -1, 1, 0, -1, -1, -1, -1)

SAMPLES: Table = {
    "SpansOfStrings": [
        case(array("str", TEXTS), expected=spans(TEXTS)),
        case(array("str", []), expected=spans([])),
    ],
    "StringsOfSpans": [
        case(*spans(TEXTS), expected=array("str", TEXTS)),
        case(STARTS, STOPS, ROW, expected=array("str", WORDS)),
    ],
    "PackSpans": [
        case(*spans(TEXTS), expected=spans(TEXTS)), case(*spans("a"), expected=spans("a")),
        case(STARTS, STOPS, ROW, expected=spans(WORDS)),
    ],
    "SpansEqual": [
        case(*spans(TEXTS), *spans(["ab", "é"]), expected=bools([True, False], [False, True])),
        case(STARTS, STOPS, ROW, *spans("hello"), expected=bools(False, True, False, False, False)),
    ],
    "SpanCharacters": [case(*spans(TEXTS), expected=i32([2, 5], [0, 1]))],
    "StripSpans": [
        case(
            STARTS, STOPS, ROW, expected=(i64(3, 3, 0, 12, 12), i64(9, 8, 0, 13, 12)),
        )
    ],
    "SubstrSpans": [
        case(
            STARTS, STOPS - STARTS, i64(-2, 1, 0, 1, -3), i64(1, 9, 5, 0, -1), i64(0, 0, 0, 0, 0),
            expected=(i64(8, 4, 0, 13, 9), i64(9, 8, 0, 13, 12)),
        ),
    ],
    "FarmHashes": [  # whose remainders are TensorFlow's buckets
        case(STARTS, STOPS, ROW, expected=u64(
            2897554422505073005, 13009744463427800296, 11160318154034397263, 5100925659296341771,
            17520803046453296475,
        )),
        case(*spans(["x" * k for k in (16, 32, 64, 65, 200)]), expected=u64(
            3320895591121647644, 12901576723999808517, 6916188127298655160, 4935023790501551929,
            13938988265971950527,
        )),
    ],
    "SipHashes": [
        case(STARTS, STOPS, ROW, key=(1, 2), expected=u64(
            6595030021462797616, 2957200328589801622, 9667169246107117435, 12339919526313436315,
            3128662400188008283,
        )),
        case(*spans([["x" * 16], ["x" * 65]]), key=(1, 2), expected=u64(
            [11307348137588239363], [10007428448295874040],
        )),
    ],
    "MurmurHashes": [
        case(STARTS, STOPS, ROW, expected=u64(
            1567962823376800505, 5943547241907780938, 9328806548029283899, 11323376542721667122,
            8770437952120892516,
        )),
        case(*spans("x" * 200), expected=u64(1680667619926591871)[0]),
    ],
    "CharacterPlaces": [
        case(
            *spans(["a\u00e9b", "a\u00e9b", "a\u00e9b", "", "\u00e9"]), i64(2, -2, 5, -1, 1),
            expected=(i64(3, 5, 12, 12, 14), i64(0, 0, 2, 1, 0)),
        ),
        case(
            *spans([b"\x80\x80a", b"\x80\x80a"]), i64(1, -2),
            expected=(i64(2, 3), i64(0, 0)),
        ),
    ],
    "FoundPlaces": [case(i64(3, 1), i64(0, 0), i64(0, 0), expected=i64(3, 1))],
    "WrongTexts": [case(*spans([[ILL_FORMED], [b"\xe2\x82"]]), expected=i64([4], [1]))],
    "CharactersOfSpans": [
        case(
            *spans([ILL_FORMED, b"", b"\t"]), i64(0, 0, 0), keeps_wrong=True, replacement=63,
            keeps_controls=True,
            expected=(
                i64(0, 9, 9, 10), i32(97, 63, 233, 63, 8364, 128512, 63, 63, 98, 9),
                i64(0, 1, 3, 5, 6, 9, 13, 14, 15, 0),
            ),
        ),
        case(
            *spans([ILL_FORMED, b"", b"\t"]), i64(0, 0, 0), keeps_wrong=False, replacement=63,
            keeps_controls=False,
            expected=(i64(0, 5, 5, 5), i32(97, 233, 8364, 128512, 98), i64(0, 3, 6, 9, 15)),
        ),
    ],
    "TextsOfNumbers": [
        case(
            i32(97, 233, 8364, 128513, -1, 0xD800), i64(0, 2, 2, 6), output_encoding=encoding,
            errors=errors, replacement=63,
            expected=spans([one.encode(encoding) for one in texts]),
        )
        for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE")
        for errors, texts in (
            ("replace", ["a\u00e9", "", "\u20ac\U0001f601??"]),
            ("ignore", ["a\u00e9", "", "\u20ac\U0001f601"]),
        )
    ],
    "NumbersOfSpans": [
        case(
            *spans([" 1.5e1 ", "-.25", "5.", "0x1", "1e999"]), out_type="f32",
            expected=(np.array([15, -0.25, 5, 0, 0], np.float32), bools(0, 0, 0, 1, 1)),
        ),
        case(
            *spans([["9007199254740993", "1e23"], ["-0", "123456789012345678901"]]),
            out_type="f64",
            expected=(
                np.array([[9007199254740992.0, 1e23], [-0.0, 0]]), bools([0, 0], [0, 1]),
            ),
        ),
        case(
            *spans(["-2147483648", "2147483648", " +7", "7.", ""]), out_type="i32",
            expected=(i32(-(2**31), 0, 7, 0, 0), bools(0, 1, 0, 1, 1)),
        ),
    ],
    "FloatsAsSpans": [
        case(
            np.array([[1.5, -0.0], [999.9996, 2.0**63]]), decimals=3,
            expected=(*spans([["1.500", "-0.000"], ["1000.000", "0.000"]]), bools([0, 0], [0, 1])),
        ),
        case(
            np.array([0.5, 1.5, np.inf], np.float32), decimals=0,
            expected=(*spans(["0", "2", "0"]), bools(0, 0, 1)),
        ),
    ],
    "SignificantAsSpans": [
        case(
            np.array([[1.5, -0.0, 123456.5], [999999.6, np.nan, -1e-5]]), digits=6,
            expected=(
                *spans([["1.5", "-0", "123456"], ["1e+06", "0", "-1e-05"]]),
                bools([0, 0, 0], [0, 1, 0]),
            ),
        ),
        case(
            np.array([0.0001, 1234567, np.inf, 2.5], np.float32), digits=1,
            expected=(*spans(["0.0001", "1e+06", "0", "2"]), bools(0, 0, 1, 0)),
        ),
    ],
    "CsvSpans": [
        case(
            *spans(["a,,bc", ",", "", 'a,",b', "a,b,c,d"]), delimiter=44, has_quotes=True,
            columns=(0, 1, 2), is_all=True,
            expected=(
                i64([0, 5, 6, 6, 11], [2, 6, 0, 8, 13], [3, 0, 0, 10, 15]),
                i64([1, 5, 6, 7, 12], [2, 6, 0, 9, 14], [5, 0, 0, 11, 16]),
                bools(0, 1, 1, 1, 1),
            ),
        ),
        case(
            *spans(["a;,;\nc", "b;x"]), delimiter=59, has_quotes=False, columns=(1,), is_all=False,
            expected=(i64([2, 8]), i64([3, 9]), bools(0, 0)),
        ),
    ],
    "DistinctSpans": [
        case(
            *spans(["b", "", "a", "b", "", "b"]), u64(5, 0, 5, 5, 0, 5), out_idx="i32",
            expected=(i64(0, 1, 2), i32(0, 1, 2, 0, 1, 0), i32(3, 2, 1)),
        ),
        case(
            *spans([]), u64(), out_idx="i64", expected=(i64(), i64(), i64()),
        ),
    ],
    "Base64Spans": [
        case(*spans([["a", "he"], ["", "\u07ff\u07ff?"]]), expected=spans(CODED)),
        case(STARTS, STOPS, ROW, pad=True, expected=spans(
            ["IGhlbGxvACA=", "aGVsbG8=", "", "LQ==", "ICAK"]
        )),
    ],
    "Base64Letters": [
        case(
            *spans(["YQ", "YQ==", "aGU=", "Y", "a=a", "", "===="]),
            expected=(i64(2, 4, 9, 11, 14, 14, 16), i64(0, 0, 0, 1, 2, 0, 2)),
        ),
    ],
    "ReadBase64": [
        case(
            *spans(CODED), i64([0, 0], [0, 0]),
            expected=spans([["a", "he"], ["", "\u07ff\u07ff?"]]),
        ),
    ],
    "NumbersInSpans": [
        case(
            i64(0, 4), i64(4, 4), ROW, scalar(4, "i64"), out_type="i16",
            expected=np.frombuffer(b"xx hello", np.int16).reshape(2, 2),
        ),
        case(
            i64([0], [4]), i64([3], [9]), ROW, scalar(8, "i64"), out_type="f32", padded=True,
            expected=np.frombuffer(b"xx " + bytes(5) + b"ello\0  \n", np.float32).reshape(2, 1, 2),
        ),
        case(
            scalar(0, "i64"), scalar(8, "i64"), np.arange(8, dtype=np.uint8), scalar(8, "i64"),
            out_type="c64", little_endian=False,
            expected=np.arange(8, dtype=np.uint8).view(">c8").astype(np.complex64),
        ),
        case(
            i64(0, 1), i64(1, 1), np.array([0, 1], np.uint8), scalar(1, "i64"), out_type="bool",
            expected=bools([False], [True]),
        ),
    ],
    "SplitSpans": [
        case(
            *spans(["a b ", "", " c"]), sep="",
            expected=(i64([0, 0], [0, 1], [2, 0]), i64(0, 2, 5), i64(1, 3, 6), i64(3, 2)),
        ),
        case(
            *spans(["a--b--", "--", "-c-"]), sep="--", maxsplit=1,
            expected=(
                i64([0, 0], [0, 1], [1, 0], [1, 1], [2, 0]), i64(0, 3, 6, 8, 8),
                i64(1, 6, 6, 8, 11), i64(3, 2),
            ),
        ),
    ],
    "IntegersAsSpans": [
        case(i64([0, -1], [-(2**63), 2**63 - 1]), expected=spans(NUMBERS)),
        case(np.array([2**64 - 1, 10, 9], np.uint64), expected=spans([f"{2**64 - 1}", "10", "9"])),
        case(np.array([-128, 99], np.int8), expected=spans(["-128", "99"])),
        case(scalar(-7), expected=spans("-7")),
    ],
    "OtherCase": [
        case(
            np.frombuffer(b"aZ[z{\xe9@", np.uint8), letters="AZ",
            expected=np.frombuffer(b"az[z{\xe9@", np.uint8),
        )
    ],
    "SplitSpansAtAny": [
        case(
            *spans(["a,;b", "", ";c"]), delimiter=",;", skip_empty=False,
            expected=(
                i64([0, 0], [0, 1], [0, 2], [2, 0], [2, 1]), i64(0, 2, 3, 4, 5),
                i64(1, 2, 4, 4, 6), i64(3, 3),
            ),
        ),
        case(
            *spans(["a,;b", "", ";c"]), delimiter=",;", skip_empty=True,
            expected=(i64([0, 0], [0, 1], [2, 0]), i64(0, 3, 5), i64(1, 4, 6), i64(3, 2)),
        ),
        case(
            *spans(["ab", "", "c"]), delimiter="", skip_empty=False,
            expected=(i64([0, 0], [0, 1], [2, 0]), i64(0, 1, 2), i64(1, 2, 3), i64(3, 2)),
        ),
    ],
    "MatchSpans": [
        case(*spans([["ab", "b"], ["", "aab\n"]]), pattern="^a*b$", expected=bools([1, 1], [0, 0])),
        case(STARTS, STOPS, ROW, pattern=r".*\s.{2,}|-", expected=bools(1, 0, 0, 1, 0)),
    ],
    "ReplaceMatches": [
        case(
            *spans(["ab1", "", "x12"]), pattern="[12]+", pieces=("<", 0, 0), everywhere=True,
            expected=(*spans(["ab<11", "", "x<1212"]), bools(0, 0, 0)),
        ),
        case(
            STARTS, STOPS, ROW, pattern="l(?:o|)", pieces=(), everywhere=False,
            expected=(
                *spans([b" helo\0 ", b"helo", b"", b"-", b"  \n"]), bools(0, 0, 0, 0, 0),
            ),
        ),
        case(
            *spans("caaadab"), pattern="(a)(?:a|(b))", pieces=(2, ".", 1), everywhere=True,
            expected=(*spans("c.aadb.a"), np.bool_(0)),
        ),
        case(
            *spans(["aab", "ba"]), pattern="^a+", pieces=("x",),
            everywhere=True, expected=(*spans(["xb", "ba"]), bools(0, 0)),
        ),
    ],
    "FindSpans": [
        case(
            i64(1, 3), SLOTS_OF_TEXTS, *spans(["ab", "", "long" * 9, ""]),
            *spans([["", "ab"], ["x", "long" * 9]]), expected=i64([1, 0], [-1, 2]),
        ),
        case(i64(1, 0), i64(-1, -1), *spans([""]), *spans(["", "a"]), expected=i64(-1, -1)),
    ],
    "FindIntegers": [
        case(
            i64(1, 3), SLOTS_OF_NUMBERS, i64(7, -(2**63), 0, 0), i64(0, 8, -(2**63), 7),
            expected=i64(2, -1, 1, 0),
        ),
        case(i64(1, 0), i64(-1, -1), i32(0), i32([0], [1]), expected=i64([-1], [-1])),
    ],
    "JoinRuns": [
        case(
            *spans(["a", "", "b"]), i64(0, 1, 2, 1, 0), i64([0, 1], [3, 5]), i64([3, 3], [5, 5]),
            separator="--", expected=spans([["a----b", "--b"], ["--a", ""]]),
        ),
        case(
            *spans(["a", "", "b"]), i64(1, 0, 1, 2), i64(0, 1, 4), i64(4, 4, 4), separator="-",
            filled=True, expected=spans(["a--b", "a--b", ""]),
        ),
        case(*spans(["a", "b"]), i64(1, 0), i64(0), i64(2), expected=spans(["ba"])),
    ],
    "SegmentRuns": [
        case(
            i64(0, 0, 0, 0), i32(2, 0, 2, 2), scalar(3),
            expected=(i64(1, 0, 2, 3), i64(0, 1, 1), i64(1, 1, 4)),
        ),
        case(
            i64([0, 0], [0, 0]), i64(1, 1), scalar(2, "i64"),
            expected=(i64(0, 2, 1, 3), i64([0, 0], [0, 2]), i64([0, 0], [2, 4])),
        ),
    ],
    "NGramRuns": [
        case(
            i64(0, 0, 0, 0), i32(0, 3, 3, 4), ngram_widths=(2, 1), pad_width=0,
            preserve_short_sequences=False,
            expected=(i64(2, 3, 4, 5), i64(0, 1, 0, 1, 2, 3), i64(2, 3, 1, 2, 3, 4),
                i32(0, 5, 5, 6)),
        ),
        case(
            i64(0, 0, 0), i64(0, 2, 3), ngram_widths=(3,), pad_width=-1,
            preserve_short_sequences=False,
            expected=(
                i64(0, 0, 2, 3, 1, 1, 0, 0, 4, 1, 1), i64(0, 1, 2, 3, 6, 7, 8),
                i64(3, 4, 5, 6, 9, 10, 11), i64(0, 4, 7),
            ),
        ),
        case(
            i64(0, 0, 0), i64(0, 2, 2, 3), ngram_widths=(4,), pad_width=0,
            preserve_short_sequences=True,
            expected=(i64(2, 3, 4), i64(0, 2), i64(2, 3), i64(0, 1, 1, 2)),
        ),
    ],
    "JoinSpans": [
        case(
            (STARTS, scalar(3, "i64"), STARTS), (STOPS, scalar(4, "i64"), STOPS), (ROW, ROW, ROW),
            separator="--", expected=spans([one + b"--h--" + one for one in WORDS]),
        ),
        case((i64(2), i64(3)), (i64(3), i64(3)), (ROW, ROW), expected=spans([" "])),
    ],
}  # fmt: skip
