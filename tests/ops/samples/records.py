"""Samples of operations that read and write records."""

from __future__ import annotations

from ...ops.records.wire_bytes import example
from .sample import Table, array, case, f32, i64

NO_TEXTS = array("str", [])
FULL = example(a=[1], b=[1.5, -2.0], c=[b"x", b"yy"], d=[300, -1, 7])
BARE = example(a=[2])
BATCH = array("str", [FULL, BARE])
NO_INTEGERS = array("i64", [])
EVERY = {
    "num_sparse": 1, "sparse_types": ["str"], "ragged_value_types": ["i64"],
    "ragged_split_types": ["i32"], "dense_shapes": [[], [2], [None]],
}  # fmt: skip
KEYS = (array("str", ["c"]), array("str", ["a", "b", "q"]), array("str", ["d"]))
DEFAULTS = (NO_INTEGERS, f32(0.5, 0.25), array("str", ""))

SAMPLES: Table = {
    "ParseExampleV2": [
        case(BATCH, NO_TEXTS, *KEYS, DEFAULTS, **EVERY),
        case(array("str", FULL), NO_TEXTS, *KEYS, DEFAULTS, **EVERY),
        case(BATCH, array("str", ["one", "two"]), *KEYS, DEFAULTS, **EVERY),
    ],
    "ParseExample": [
        case(
            BATCH, NO_TEXTS, (array("str", "c"), array("str", "d")),
            (array("str", "a"), array("str", "b")), DEFAULTS[:2],
            Nsparse=2, sparse_types=["str", "i64"], dense_shapes=[[], [2]],
        ),
    ],
    "ParseSingleExample": [
        case(
            array("str", FULL), DEFAULTS[:2], num_sparse=2, sparse_keys=["c", "d"],
            dense_keys=["a", "b"], sparse_types=["str", "i64"], dense_shapes=[[], [2]],
        ),
        case(
            array("str", BARE), (i64(7),), num_sparse=0, sparse_keys=[],
            dense_keys=["d"], sparse_types=[], dense_shapes=[[1]],
        ),
    ],
}  # fmt: skip
