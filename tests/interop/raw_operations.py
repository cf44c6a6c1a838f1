"""Random calls of `tf.raw_ops`: what TensorFlow answers or refuses, and what we do, side by side.

    python tests/interop/raw_operations.py [COUNT [SEED [NAMES…]]]

COUNT calls of each operation without state (3): operands of random dtypes and shapes, 0 and 1
among the sizes, infinities and NaN among the numbers, attributes of what its definition allows.
TensorFlow runs in processes of its own, since there are operands of which it dies; such a call, and
one for which it has no kernel, does not count. `DIFFERS` tells where answers may differ, and why.
"""

from __future__ import annotations

import contextlib
import copy
import os
import pickle
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

Random = np.random.Generator
Call = dict[str, Any]
# A call: the operation, its operands, and TensorFlow's answer; the first is told before it runs.
Record = tuple[str, Call, Any]

COMMON = "float32 float64 int32 int64".split()
ANY = (*COMMON, "string", "bool", "float16", "uint8", "complex64", "bfloat16", "int8")
NUMBERS = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string",
    8: "complex64", 9: "int64", 10: "bool", 14: "bfloat16", 17: "uint16", 18: "complex128",
    19: "float16", 22: "uint32", 23: "uint64",
}  # fmt: skip
TEXTS = (b"", b"a", b"bc", b"12", b"a b", b"-1.5", b"\xc3\xa9x", b"0x1F")
TOLERANCES = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 5e-4, "complex64": 5e-4}
LACKING = "Could not find device|not supported|Unsupported|only supports|not available in GraphDef"
# They read files, call Python, need devices, or answer with what is in memory.
LEFT_OUT = (
    "Abort Assert Batch Collective Configure Cudnn Debug Empty FakeParam Host Merge Nccl Print "
    "PyFunc ReadFile Recv Restore Save Send ShardedFilename TPU Tpu Write Xla"
).split()

UNDEFINED = "operands that the operation's text excludes: TensorFlow does not look at them"
NO_NUMBERS = "what is beyond the domain is NaN here, what is infinite a limit (complex, too)"
VECTORS = "signs and order of vectors are LAPACK's"
MEMORY = "of operands without elements TensorFlow's answer is memory that nobody has written"
NOT_POSITIVE = "of a complex matrix that is not positive TensorFlow's answer is such memory, too"
INFINITIES = "sums with infinities are NaN or infinite by the order of additions"
ONE_INDEX = "one index alone, or one of no numbers, is as it is in gather_nd: this is its gradient"
NOTHING = "no element is there, and so nothing that could not fit"
RANKS = "a rank that one of the two refuses says the same as the next one"
DTYPES = "which dtype TensorFlow gives a NumPy array here depends on the calls before"
BYTES = "another compression of the same picture"
CLASSES = "a public function of ours refuses it, with its class"
DIFFERS = {
    NO_NUMBERS: "BesselI0 BesselI1 BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e "
    "BesselY0 BesselY1 Betainc Dawsn Digamma Expint Igamma Igammac IgammaGradA Lgamma Ndtri "
    "RandomGammaGrad Spence Zeta Polygamma RGBToHSV HSVToRGB Div DivNoNan RealDiv Xdivy Erf Erfc",
    UNDEFINED: "DataFormatDimMap DataFormatVecPermute Gather InvGrad TanhGrad SigmoidGrad SqrtGrad "
    "RsqrtGrad ReciprocalGrad TensorSummaryV2 TensorListReserve EmptyTensorList Round RaggedCross "
    "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 "
    "ScatterNdNonAliasingAdd",
    MEMORY: "RFFT2D RFFT3D IRFFT2D IRFFT3D",
    NOT_POSITIVE: "Cholesky",
    INFINITIES: "FFT FFT2D FFT3D IFFT IFFT2D IFFT3D",
    VECTORS: "Svd Qr SelfAdjointEig SelfAdjointEigV2 Eig",
    NOTHING: "ClipByValue DenseCountSparseOutput GatherNd Mfcc SparseSegmentMeanGrad "
    "SparseSegmentSqrtNGrad SparseSegmentSumGrad Substr TensorListFromTensor "
    "TensorScatterAdd TensorScatterMax TensorScatterMin TensorScatterSub TensorScatterUpdate "
    "UnicodeTranscode MatchingFiles GatherV2 LinSpace Unpack UnsortedSegmentMax "
    "UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum",
    RANKS: "Fill IsotonicRegression LowerBound MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3 "
    "Reshape Reverse ReverseV2 SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits "
    "StringNGrams UniqueV2 UnravelIndex UnsortedSegmentJoin UpperBound",
    DTYPES: "Angle Complex ComplexAbs Imag IRFFT LeakyRelu LeakyReluGrad NextAfter "
    "RFFT RaggedRange Range Real",
    BYTES: "EncodePng EncodeJpegVariableQuality HistogramSummary",
    CLASSES: "Cross ExtractImagePatches RaggedTensorToTensor ReduceJoin "
    "RequantizationRangePerChannel",
    ONE_INDEX: "ScatterNd",
}
EXCUSED = {name for names in DIFFERS.values() for name in names.split()}


# ---------------------------------------------------------------- what is asked


def shape(random: Random) -> tuple[int, ...]:
    return tuple(int(size) for size in random.choice([0, 1, 2, 2, 3, 3, 4], random.integers(0, 4)))


def values(random: Random, dtype: str, sizes: tuple[int, ...], kind: str) -> Any:
    if dtype == "string":
        picked = [TEXTS[k] for k in random.integers(0, len(TEXTS), int(np.prod(sizes)))]
        return np.array(picked, object).reshape(sizes)
    if dtype == "bool":
        return random.integers(0, 2, sizes).astype(bool)
    if "int" in dtype:
        low = 0 if dtype.startswith("u") or kind == "positive" else -1
        reach = (100 * low, 100) if kind == "wide" else (low, 4)
        return np.asarray(random.integers(*reach, sizes)).astype(dtype)
    numbers = np.asarray(random.normal(size=sizes) * random.choice([0.5, 2.0, 5.0]))
    if kind == "positive":
        numbers = abs(numbers)
    if kind == "wide" and numbers.size:
        special = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1e30]
        numbers.reshape(-1)[random.integers(numbers.size)] = random.choice(special)
    if dtype.startswith("complex"):
        numbers = numbers + 1j * random.normal(size=sizes)
    with np.errstate(all="ignore"):
        return numbers.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def attribute(random: Random, one: Any) -> Any:
    """A value of an attribute; LookupError: of no kind that is known here."""
    usual = one.HasField("default_value") and random.random() < 0.5
    if one.type == "type":
        allowed = [NUMBERS[k] for k in one.allowed_values.list.type if k in NUMBERS] or [*ANY]
        common = [dtype for dtype in allowed if dtype in COMMON]
        return str(random.choice(common if common and random.random() < 0.7 else allowed))
    if one.type == "string":
        texts = [text.decode() for text in one.allowed_values.list.s]
        return str(random.choice(texts)) if texts else one.default_value.s.decode()
    made = {
        "int": lambda: int(random.integers(min(max(one.minimum, -1), 3), 4)),
        "bool": lambda: bool(random.integers(2)),
        "float": lambda: float(random.choice([0.0, 0.5, 1.0, -1.0, 2.0])),
        "shape": lambda: [*shape(random)],
        "list(int)": lambda: [int(k) for k in random.integers(1, 4, random.integers(0, 5))],
        "list(float)": lambda: [float(k) for k in np.sort(random.integers(-4, 4, 3) / 2)],
        "list(type)": lambda: [str(k) for k in random.choice(COMMON, random.integers(1, 3))],
        "list(shape)": lambda: [[*shape(random)] for _ in range(random.integers(1, 3))],
    }[one.type]()
    defaults = {"int": "i", "bool": "b", "float": "f"}
    return (
        getattr(one.default_value, defaults[one.type]) if usual and one.type in defaults else made
    )


def call_of(random: Random, definition: Any) -> Call | None:
    """The arguments of a random call; None where the operation takes what cannot be made."""
    with contextlib.suppress(LookupError):
        attributes = {one.name: attribute(random, one) for one in definition.attr}
        operands = operands_of(random, definition, attributes)
        told = {one.type_attr or one.type_list_attr for one in definition.input_arg}
        told |= {one.number_attr for one in definition.input_arg}
        return operands | {name: one for name, one in attributes.items() if name not in told}
    return None


def operands_of(random: Random, definition: Any, attributes: Call) -> Call:
    common, are_alike = shape(random), random.random() < 0.5
    kind = str(random.choice(["plain", "positive", "wide"]))

    def operand(dtype: str) -> Any:
        sizes = common if are_alike and random.random() < 0.9 else shape(random)
        sizes = () if random.random() < 0.15 else sizes[-1:] if random.random() < 0.15 else sizes
        return values(random, dtype, sizes, kind)

    made: Call = {}
    for one in definition.input_arg:
        if one.type_list_attr:
            made[one.name] = [operand(dtype) for dtype in attributes[one.type_list_attr]]
            continue
        dtype = NUMBERS[one.type] if one.type else attributes[one.type_attr]
        count = max(attributes[one.number_attr], 0) if one.number_attr else None
        made[one.name] = operand(dtype) if count is None else [operand(dtype) for _ in range(count)]
    return made


# ---------------------------------------------------------------- what is answered


def answer(tf: Any, name: str, arguments: Call) -> Any:
    """Lists of (dtype, array), or the class of what is raised, its bases and its text."""
    try:
        return plain(tf, getattr(tf.raw_ops, name)(**arguments))
    except Exception as error:  # whatever it is: it is compared
        return {"raised": [one.__name__ for one in type(error).__mro__], "text": str(error)[:200]}


def plain(tf: Any, result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return [plain(tf, one) for one in result]
    if result is None or not hasattr(result, "dtype") or result.dtype in (tf.resource, tf.variant):
        return None
    return result.dtype.name, np.asarray(
        result.numpy(), object if result.dtype == tf.string else None
    )


def difference(theirs: Any, ours: Any) -> str | None:
    """What differs between two answers, in a word."""
    if isinstance(theirs, dict) or isinstance(ours, dict):
        return of_refusals(theirs, ours)
    if isinstance(theirs, list):
        if not isinstance(ours, list) or len(theirs) != len(ours):
            return "another number of results"
        found = [difference(one, other) for one, other in zip(theirs, ours, strict=True)]
        return next((one for one in found if one), None)
    if theirs is None or ours is None:
        return None
    (dtype, wanted), (own, found) = theirs, ours
    if (dtype, wanted.shape) != (own, found.shape):
        return f"{dtype} {wanted.shape} is {own} {found.shape}"
    return None if are_close(dtype, wanted, found) else "other values"


def of_refusals(theirs: Any, ours: Any) -> str | None:
    if not isinstance(ours, dict):
        lacks = any(words in theirs["text"] for words in LACKING.split("|"))
        return None if lacks else "only TensorFlow refuses it"
    if not isinstance(theirs, dict):
        return "only we refuse it"
    first = theirs["raised"][0]
    if first in ("NotFoundError", "UnimplementedError", "InternalError", "UnicodeDecodeError"):
        return None
    return None if first in ours["raised"] else f"{first} is {ours['raised'][0]}"


def are_close(dtype: str, wanted: Any, found: Any) -> bool:
    if wanted.dtype.kind in "ObiuU":
        return bool((wanted == found).all())
    if dtype == "bfloat16":
        wanted, found = wanted.astype(np.float32), found.astype(np.float32)
    tolerance = TOLERANCES.get(dtype, 1e-6)
    with np.errstate(all="ignore"):
        return np.allclose(wanted, found, rtol=tolerance, atol=tolerance, equal_nan=True)


# ---------------------------------------------------------------- both


def their_records(path: Path, count: int, seed: int, names: list[str]) -> None:
    """What TensorFlow answers, to a file; operations of which the file knows are left out."""
    import tensorflow as tf

    registry: Any = import_module("tensorflow.python.framework.op_def_registry")

    known = {name for name, _, _ in records(path)}
    with path.open("ab") as file:
        for name in names or [one for one in dir(tf.raw_ops) if one[0].isupper()]:
            definition = registry.get(name)
            if name in known or definition is None or not is_asked(definition):
                continue
            random = np.random.default_rng([seed, zlib.crc32(name.encode())])
            for _ in range(count):
                call = call_of(random, definition)
                if call is None:
                    break
                put(file, (name, call, None))
                told = copy.deepcopy(call)  # some operations change their operands
                put(file, (name, told, answer(tf, name, call)))


def is_asked(definition: Any) -> bool:
    takes = all(one.type in (0, *NUMBERS) and not one.is_ref for one in definition.input_arg)
    return takes and not definition.is_stateful and not definition.name.startswith(tuple(LEFT_OUT))


def put(file: Any, record: Record) -> None:
    pickle.dump(record, file)
    file.flush()


def records(path: Path) -> Iterator[Record]:
    if path.exists():
        with path.open("rb") as file, contextlib.suppress(EOFError):
            while True:
                yield pickle.load(file)


def answer_all(command: list[str], path: Path) -> None:
    """Run a process until it has asked all: each starts behind the operation of which one died."""
    told = -1
    while (done := subprocess.run(command, stderr=subprocess.PIPE, check=False)).returncode:
        if told == (told := path.stat().st_size if path.exists() else 0):
            raise RuntimeError(done.stderr.decode()[-2000:])


def main(*names: str, count: int = 3, seed: int = 0) -> int:
    import tensormill as tm

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "theirs"
        command = [sys.executable, __file__, "--theirs", str(path), str(count), str(seed), *names]
        answer_all(command, path)
        asked = [one for one in records(path) if one[2] is not None]
    told: set[tuple[str, str]] = set()
    for name, call, theirs in asked:
        if name in EXCUSED or not hasattr(tm.raw_ops, name):
            continue
        found = difference(theirs, answer(tm, name, call))
        if found and (name, found) not in told:
            told.add((name, found))
            print(f"{name}: {found}: {call!r:.300}")
    print(f"{len(asked)} calls, {len(told)} differences")
    return min(len(told), 1)


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if sys.argv[1:2] == ["--theirs"]:
        their_records(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
    else:
        numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
        asked = [one for one in sys.argv[1:] if not one.isdigit()]
        chosen = dict(zip(("count", "seed"), numbers, strict=False))
        sys.exit(main(*asked, **chosen))
