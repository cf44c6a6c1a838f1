"""Samples of operations that read and write records."""

from __future__ import annotations

import zlib

import numpy as np

from ...ops.records.wire_bytes import example, part, sequence_example
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

TENSOR = bytes.fromhex("080112041202080222080000c03f00002040")  # TensorFlow's for [1.5, 2.5]
# A sparse tensor of TensorFlow's: 1.5 at [0, 1] and 2.5 at [2, 0] of [3, 4].
SPARSE = np.empty(3, object)
SPARSE[:] = (
    bytes.fromhex("0809120812020802120208022220") + i64([0, 1], [2, 0]).tobytes(),
    TENSOR,
    bytes.fromhex("0809120412020802221003000000000000000400000000000000"),
)
# The rows [1.5], [] and [2.5].
ROWS = "080112041202080122040000c03f", "0801120412020801220400002040"
RAGGED = np.empty(2, object)
RAGGED[:] = TENSOR, bytes.fromhex("08091204120208042220") + i64(0, 1, 1, 2).tobytes()
SPARSE_PARTS = (i64([0, 1], [2, 0]), f32(1.5, 2.5), i64(3, 4))
LINES = array("str", ['1,"a,b",2.5', ',"",', '-7,"say ""x""",1e3'])

STEPS = sequence_example(
    example(a=[7], c=[b"x", b"yy"]), x=[[1, 2], [3, 4]], y=[[b"a"], [], [b"b", b"c"]],
    z=[[0.5], [1.5, 2.5]],
)  # fmt: skip
FEW_STEPS = sequence_example(example(a=[8]), x=[[5, 6]])

NUMBERS = part(1, b"\x05\x07")  # an Int64List
JSON = '{"features": {"feature": {"b": {"bytesList": {"value": ["aGk="]}}}}}'

# A Summary with one number.
LOSS = bytes.fromhex("0a0b0a046c6f73731500002040")

SAMPLES: Table = {
    "HistogramSummary": [
        case(array("str", "h"), f32([1.0, 2.0, -3.0], [0.0, 5.5, 1e-13])),
        case(array("str", "h"), i64(1, 2, 3, 3, 1_000_000)),
        case(array("str", ""), f32()),
    ],
    # Files of pictures differ from libpng's; tests/summary/test_older_summaries.py reads them.
    "ImageSummary": [
        case(array("str", "i"), np.zeros([0, 2, 3, 1], np.float32), expected=array("str", "")),
    ],
    "MergeSummary": [case((array("str", LOSS), array("str", [b"", b""])))],
    "ScalarSummary": [
        case(array("str", "loss"), np.float32(2.5)),
        case(array("str", ["a", "b"]), i64(3, -4)),
    ],
    "TensorSummaryV2": [
        case(array("str", "t"), f32(1.0, 2.0), array("str", b"\x1a\x01x")),
        case(array("str", "t"), array("str", ["x", "y"]), array("str", "")),
    ],
    "TensorSummary": [
        case(f32([1.0, 2.0], [0.5, -1.0]), description="x", display_name="y", labels=["z"]),
        case(array("str", ["x", "y"])), case(i64()),
    ],
    "DecodeJSONExample": [case(array("str", [["{}", JSON]]))],
    "DecodeProtoV2": [
        case(array("str", [NUMBERS, b""]), message_type="tensorflow.Int64List",
             field_names=["value"], output_types=["i64"]),
        case(array("str", BARE), message_type="tensorflow.Example",
             field_names=["features"], output_types=["str"]),
        case(array("str", "value: 0.5"), message_type="tensorflow.FloatList",
             field_names=["value"], output_types=["f32"], message_format="text"),
    ],
    "EncodeProto": [
        case(np.array([[2], [1]], np.int32), (i64([5, 7], [9, 0]),),
             message_type="tensorflow.Int64List", field_names=["value"]),
    ],
    "ParseSequenceExampleV2": [
        case(
            array("str", [STEPS, FEW_STEPS]), NO_TEXTS, array("str", ["c"]), array("str", ["a"]),
            NO_TEXTS, array("str", ["y"]), array("str", ["x", "w"]), array("str", ["z"]),
            np.array([False, True]), (NO_INTEGERS,),
            Ncontext_sparse=1, context_sparse_types=["str"], context_dense_shapes=[[]],
            Nfeature_list_sparse=1, Nfeature_list_dense=2,
            feature_list_sparse_types=["str"], feature_list_dense_types=["i64", "f32"],
            feature_list_dense_shapes=[[2], []], feature_list_ragged_value_types=["f32"],
            feature_list_ragged_split_types=["i64"],
        ),
    ],
    "ParseSequenceExample": [
        case(
            array("str", [STEPS, FEW_STEPS]), NO_TEXTS, (NO_INTEGERS,),
            feature_list_dense_missing_assumed_empty=["w"], context_sparse_keys=["c"],
            context_dense_keys=["a"], feature_list_sparse_keys=["y"],
            feature_list_dense_keys=["x", "w"], Ncontext_sparse=1, Ncontext_dense=1,
            Nfeature_list_sparse=1, Nfeature_list_dense=2, context_sparse_types=["str"],
            context_dense_shapes=[[]], feature_list_sparse_types=["str"],
            feature_list_dense_types=["i64", "f32"], feature_list_dense_shapes=[[2], []],
        ),
    ],
    "ParseSingleSequenceExample": [
        case(
            array("str", STEPS), array("str", ["w"]), (array("str", "c"),), (array("str", "a"),),
            (array("str", "y"),), (array("str", "x"), array("str", "w")), (NO_INTEGERS,),
            array("str", ""), Ncontext_sparse=1, Nfeature_list_sparse=1,
            context_sparse_types=["str"], context_dense_shapes=[[]],
            feature_list_sparse_types=["str"], feature_list_dense_types=["i64", "f32"],
            feature_list_dense_shapes=[[2], []],
        ),
    ],
    "SerializeTensor": [
        case(f32(1.5, 2.5)), case(np.array(3, np.int32)), case(array("str", ["a", "bc"])),
        case(np.zeros((2, 0), np.float32)), case(np.array([[True], [False]])),
    ],
    "ParseTensor": [case(array("str", TENSOR), out_type="f32")],
    "SerializeRagged": [
        case((i64(0, 1, 1, 2),), f32(1.5, 2.5), batched_input=False, expected=RAGGED),
        case(
            (i64(0, 1, 2),), f32(1.5, 2.5), batched_input=True,
            expected=array("str", [[bytes.fromhex(one)] for one in ROWS]),
        ),
        case((), f32(1.5, 2.5), batched_input=False, expected=array("str", [TENSOR])),
        case((), f32([1.5, 2.5]), batched_input=True, expected=array("str", [[TENSOR]])),
    ],
    "DeserializeRagged": [
        case(
            RAGGED, ragged_rank=1, shape=[None], dtype="f32",
            expected=(i64(0, 1, 1, 2), f32(1.5, 2.5)),
        ),
        case(
            array("str", [[TENSOR], [TENSOR]]), ragged_rank=1, shape=[None], dtype="f32",
            expected=(i64(0, 2, 4), f32(1.5, 2.5, 1.5, 2.5)),
        ),
    ],
    "SerializeSparse": [case(*SPARSE_PARTS)],
    "SerializeManySparse": [case(*SPARSE_PARTS)],
    "DeserializeSparse": [
        case(SPARSE, dtype="f32"), case(np.stack([SPARSE, SPARSE])[None], dtype="f32"),
    ],
    "DeserializeManySparse": [case(np.stack([SPARSE, SPARSE]), dtype="f32")],
    "EncodeBase64": [
        case(array("str", [b"", b"a", b"ab", b"\xff\xfe\xfd"])),
        case(array("str", [[b"a"], [b"ab"]]), pad=True),
    ],
    "DecodeBase64": [case(array("str", ["", "YQ", "YQ==", "YWI", "__79"]))],
    "DecodeCompressed": [
        case(array("str", [zlib.compress(b"one"), zlib.compress(b"")]), compression_type="ZLIB"),
        case(array("str", [b"as", b"it is"])),
    ],
    "DecodeCSV": [
        case(LINES, (i64(5), array("str", ["none"]), f32(0.5))),
        case(LINES, (i64(5), f32(0.5)), select_cols=[0, 2]),
        case(array("str", "a;NA;b"), (array("str", ""), array("str", "x"), array("str", "")),
             field_delim=";", na_value="NA", use_quote_delim=False),
    ],
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
