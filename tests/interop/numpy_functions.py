"""Random calls of `tf.experimental.numpy`: TensorFlow's results, dtypes and ours, side by side.

    python tests/interop/numpy_functions.py [COUNT [SEED]]

COUNT calls of each function (50). TensorFlow runs with its NumPy behaviour enabled: much of it
fails without. Where it refuses what NumPy takes, or answers otherwise than NumPy in a way that
`DIFFERS` tells, its answer does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

import tensormill as tm

Random = np.random.Generator
Args = tuple[list[Any], dict[str, Any]]

REALS = ("int8", "int32", "int64", "uint8", "float32", "float64")
ANY = (*REALS, "bool", "float16", "complex64", "complex128")

ELEMENTWISE = (
    "absolute angle arccos arccosh arcsin arcsinh arctan arctanh around bitwise_not cbrt ceil "
    "conjugate cos cosh deg2rad exp exp2 expm1 fabs fix floor imag iscomplex iscomplexobj isfinite "
    "isinf isnan isneginf isposinf isreal isrealobj log log10 log1p log2 logical_not negative "
    "positive rad2deg real reciprocal sign signbit sin sinc sinh sqrt square tan tanh ravel "
    "flatten transpose atleast_1d atleast_2d atleast_3d squeeze copy array asarray size ndim "
    "zeros_like ones_like isscalar nonzero flip diagflat ascontiguousarray asanyarray shape"
).split()
PAIRS = (
    "add arctan2 bitwise_and bitwise_or bitwise_xor true_divide divmod equal float_power "
    "floor_divide gcd greater greater_equal heaviside hypot lcm less less_equal logaddexp "
    "logaddexp2 logical_and logical_or logical_xor maximum minimum mod multiply nextafter "
    "not_equal power subtract isclose allclose array_equal outer kron append result_type "
    "broadcast_arrays"
).split()
REDUCTIONS = (
    "all amax amin any count_nonzero max mean min nanmean nanprod nansum prod ptp std sum var"
).split()
ALONG = "argmax argmin argsort average cumprod cumsum diff sort".split()


def array(random: Random, dtypes: Any = ANY, rank: int | None = None, least: int = 0) -> Any:
    shape = random.integers(1, 4, random.integers(least, 4) if rank is None else rank)
    dtype = np.dtype(str(random.choice(list(dtypes))))
    values = random.normal(size=shape) * random.choice([1, 3, 10])
    if dtype.kind == "c":
        values = values + 1j * random.normal(size=shape)
    if dtype.kind == "u":
        values = abs(values)
    made = np.asarray(values).astype(dtype)
    if dtype.kind == "f" and random.random() < 0.15 and made.ndim:
        made.reshape(-1)[0] = random.choice([np.nan, np.inf, -np.inf, 0.0])
    return as_given(random, made)


def as_given(random: Random, made: Any) -> Any:
    """An array as users pass it: as it is, or as lists and numbers of Python's."""
    return made.tolist() if random.random() < 0.3 else made


def pair(random: Random) -> list[Any]:
    one = np.asarray(array(random, ("float64",), least=1))
    shapes = [one.shape, one.shape[-1:], (), (*one.shape[:-1], 1)]
    found: list[Any] = []
    for _ in range(2):
        dtype = np.dtype(str(random.choice(list(ANY))))
        values = random.normal(size=shapes[random.integers(4)]) * 4
        values = abs(values) if dtype.kind == "u" else values
        found.append(as_given(random, np.asarray(values).astype(dtype)))
    return found


def axis_of(random: Random, x: Any) -> Any:
    rank = np.ndim(x)
    return None if not rank or random.random() < 0.3 else int(random.integers(-rank, rank))


def of_elements(random: Random, name: str) -> Args:
    return [array(random, rank=1 if name == "diagflat" else None)], {}


def of_pairs(random: Random, name: str) -> Args:
    return pair(random), {}


def of_reductions(random: Random, name: str) -> Args:
    x = array(random)
    options = {"axis": axis_of(random, x)}
    if name != "count_nonzero":
        options["keepdims"] = bool(random.integers(2))
    if name in ("sum", "prod", "mean") and random.random() < 0.3:
        options["dtype"] = random.choice(["float32", "float64"])
    return [x], options


def along(random: Random, name: str) -> Args:
    x = array(random, least=1)
    return [x], {"axis": axis_of(random, x) if name != "diff" else -1}


def matrix(random: Random, rows: int, columns: int) -> Any:
    dtype = str(random.choice(["int32", "int64", "float32", "float64", "complex64"]))
    return as_given(random, (random.normal(size=(rows, columns)) * 3).astype(dtype))


def products(random: Random, name: str) -> Args:
    rows, inner, columns = (int(n) for n in random.integers(1, 4, 3))
    second = (columns, inner) if name == "inner" else (inner, columns)
    a, b = matrix(random, rows, inner), matrix(random, *second)
    if random.random() < 0.3:
        a = np.asarray(a)[0]
    if name == "einsum":
        return ["ij,jk->ik", np.atleast_2d(a), b], {}
    if name == "vdot":
        return [a, a], {}
    return [a, b], {"axes": 1} if name == "tensordot" else {}


def crosses(random: Random, name: str) -> Args:
    sizes = random.integers(2, 4, 2)
    return [matrix(random, 2, int(sizes[0])), matrix(random, 2, int(sizes[1]))], {}


def several(random: Random, name: str) -> Args:
    shape = random.integers(1, 4, random.integers(1, 4))
    arrays = [
        as_given(random, (random.normal(size=shape) * 5).astype(str(random.choice(list(REALS)))))
        for _ in range(random.integers(1, 4))
    ]
    takes_axis = name in ("concatenate", "stack")
    return [arrays], {"axis": int(random.integers(0, len(shape)))} if takes_axis else {}


def number(random: Random) -> Any:
    value = float(random.normal() * 4)
    return (int(value), value, np.float32(value))[random.integers(3)]


def spaces(random: Random, name: str) -> Args:
    bounds: list[Any] = [float(random.uniform(0.5, 5)), float(random.uniform(0.5, 5))]
    if random.random() < 0.3:
        bounds[0] = np.float32(bounds[0])
    options: dict[str, Any] = {"num": int(random.integers(0, 7))}
    options["endpoint"] = bool(random.integers(2))
    return bounds, options


def ranges(random: Random, name: str) -> Args:
    bounds = [int(random.integers(-5, 5)), int(random.integers(-5, 9))]
    if random.random() < 0.4:
        bounds = [one + 0.5 for one in bounds]
    step = float(random.choice([1, 2, 0.5, -1]))
    return [*bounds, int(step) if step.is_integer() else step], {}


def fills(random: Random, name: str) -> Args:
    shape = tuple(int(n) for n in random.integers(0, 4, random.integers(0, 3)))
    dtype = random.choice(["int8", "float32", "float64", "bool"])
    if name in ("eye", "tri"):
        return [int(random.integers(0, 4)), int(random.integers(0, 4))], {
            "k": int(random.integers(-3, 4)), "dtype": str(dtype),
        }  # fmt: skip
    if name == "identity":
        return [int(random.integers(0, 4))], {"dtype": str(dtype)}
    if name == "full":
        return [shape, number(random)], {}
    return [shape], {"dtype": str(dtype)} if random.integers(2) else {}


def in_matrices(random: Random, name: str) -> Args:
    x = array(random, REALS, least=2)
    return [x], {"k" if name in ("tril", "triu") else "offset": int(random.integers(-3, 4))}


def diagonal_of(random: Random, name: str) -> Args:
    return [array(random, REALS, int(random.integers(1, 3)))], {"k": int(random.integers(-2, 3))}


def shaped(random: Random, name: str) -> Args:
    x = np.asarray(array(random, least=1))
    return SHAPED.get(name, two_axes)(random, x, int(random.integers(-x.ndim, x.ndim)))


def two_axes(random: Random, x: Any, axis: int) -> Args:
    return [x, axis, int(random.integers(-x.ndim, x.ndim))], {}


def reshape(random: Random, x: Any, axis: int) -> Args:
    return [x, (-1, x.shape[-1])], {"order": str(random.choice(["C", "F"]))}


def tile(random: Random, x: Any, axis: int) -> Args:
    return [x, [int(n) for n in random.integers(0, 3, random.integers(1, 4))]], {}


def pad(random: Random, x: Any, axis: int) -> Args:
    return [x, [(1, 1)] * x.ndim, str(random.choice(["constant", "symmetric"]))], {}


def clip(random: Random, x: Any, axis: int) -> Args:
    bounds = sorted(float(one) for one in random.normal(size=2))
    return [array(random, ("float32", "float64", "int64")), *bounds], {}


def take(random: Random, x: Any, axis: int) -> Args:
    places = random.integers(-1, 5, random.integers(1, 3, random.integers(0, 3)))
    return [x, places], {"axis": axis_of(random, x), "mode": str(random.choice(["clip", "wrap"]))}


def take_along_axis(random: Random, x: Any, axis: int) -> Args:
    shape = [*x.shape]
    shape[axis] = 2
    return [x, random.integers(0, x.shape[axis], shape)], {"axis": axis}


def select(random: Random, x: Any, axis: int) -> Args:
    return [[x.real > 0, x.real < 0], [x, number(random)]], {}


SHAPED: dict[str, Callable[[Random, Any, int], Args]] = {
    "reshape": reshape,
    "tile": tile,
    "pad": pad,
    "clip": clip,
    "take": take,
    "take_along_axis": take_along_axis,
    "select": select,
    "expand_dims": lambda random, x, axis: ([x, axis], {}),
    "roll": lambda random, x, axis: (
        [x, int(random.integers(-4, 5))], {"axis": axis_of(random, x)},
    ),
    "repeat": lambda random, x, axis: (
        [x, int(random.integers(0, 4))], {"axis": axis_of(random, x)},
    ),
    "broadcast_to": lambda random, x, axis: ([x, (2, *x.shape)], {}),
    "full_like": lambda random, x, axis: ([x, number(random)], {}),
    "compress": lambda random, x, axis: (
        [random.integers(0, 2, x.shape[axis]), x], {"axis": axis},
    ),
    "where": lambda random, x, axis: ([random.integers(0, 2, x.shape), x, number(random)], {}),
}  # fmt: skip


def planes(random: Random, name: str) -> Args:
    x = array(random, least=2)
    return [x], {"k": int(random.integers(-5, 6))} if name == "rot90" else {}


def others(random: Random, name: str) -> Args:
    vectors = [as_given(random, random.integers(0, 3, random.integers(1, 4))) for _ in range(2)]
    match name:
        case "polyval":
            return [array(random, REALS, 1), array(random, REALS)], {}
        case "vander":
            return [array(random, REALS, 1)], {"N": int(random.integers(0, 4)), "increasing": True}
        case "diag_indices":
            return [int(random.integers(0, 4))], {}
        case "promote_types" | "issubdtype":
            return [np.dtype(str(random.choice(list(ANY)))).type for _ in range(2)], {}
        case _:
            return vectors, {}


def parts(random: Random, name: str) -> Args:
    x = (random.normal(size=(4, 4, 4)) * 9).astype("int32")
    return [x, [[1, 2, 4], [1, 3], [0, 2, 2], [3]][random.integers(4)] if random.integers(2)
            else int(random.choice([1, 2, 4]))], {}  # fmt: skip


MAKERS: dict[Callable[[Random, str], Args], Sequence[str]] = {
    of_elements: ELEMENTWISE,
    of_pairs: PAIRS,
    of_reductions: REDUCTIONS,
    along: ALONG,
    products: "matmul dot inner vdot tensordot einsum".split(),
    crosses: ["cross"],
    several: "concatenate stack vstack hstack dstack".split(),
    spaces: "linspace logspace geomspace".split(),
    ranges: ["arange"],
    fills: "zeros ones empty full eye tri identity".split(),
    in_matrices: "tril triu diagonal trace".split(),
    diagonal_of: ["diag"],
    shaped: (
        "reshape expand_dims roll tile repeat broadcast_to full_like pad clip take "
        "take_along_axis compress where select moveaxis swapaxes"
    ).split(),
    planes: "rot90 fliplr flipud".split(),
    others: "polyval vander diag_indices promote_types issubdtype ix_ meshgrid".split(),
    parts: "split hsplit vsplit dsplit".split(),
}

# How TensorFlow answers otherwise than NumPy, which we follow there: function, and when.
DIFFERS: dict[str, Callable[[list[Any]], bool]] = {
    # The dtype is another one than the operand's, or the operands', where behaviour is enabled.
    "angle": lambda args: True,
    "log2": lambda args: True,
    "log10": lambda args: True,
    "hypot": lambda args: True,
    "logaddexp": lambda args: True,
    "logaddexp2": lambda args: True,
    # M=0 counts as none.
    "eye": lambda args: 0 in args,
    # What is not turned comes back as it was, though a list.
    "rot90": lambda args: isinstance(args[0], list),
    # Narrow integers stay narrow where there are two axes, but not where there are three.
    "trace": lambda args: True,
    # NaN comes first in a vector of them all.
    "sort": lambda args: bool(np.isnan(np.asarray(args[0], np.complex128)).any()),
    "argsort": lambda args: bool(np.isnan(np.asarray(args[0], np.complex128)).any()),
}


def calls(count: int, seed: int) -> Iterator[tuple[str, Args]]:
    for maker, names in MAKERS.items():
        for name in names:
            random = np.random.default_rng([seed, *name.encode()])
            for _ in range(count):
                yield name, maker(random, name)


def answer(namespace: Any, name: str, args: Args) -> Any:
    try:
        return leaves(getattr(namespace, name)(*args[0], **args[1]))
    except Exception as error:
        return error


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in leaves(one)]
    if hasattr(value, "as_list"):
        return [np.array(value.as_list())]
    if "dtype" in type(value).__name__.lower():
        return [np.dtype(getattr(value, "as_numpy_dtype", value))]
    return [np.asarray(value.numpy() if hasattr(value, "numpy") else value)]


def difference(ours: Any, theirs: Any) -> str:
    """What differs, or nothing. Where TensorFlow fails, anything goes."""
    if isinstance(theirs, Exception):
        return ""
    if isinstance(ours, Exception):
        if " holds " in str(ours):
            return ""  # numbers of lists that wrap around there
        return f"{type(ours).__name__}: {str(ours)[:200]}"
    if len(ours) != len(theirs):
        return f"{len(ours)} results, not {len(theirs)}"
    for one, other in zip(ours, theirs, strict=True):
        if isinstance(one, np.dtype) or isinstance(other, np.dtype):
            if one != other:
                return f"{one}, not {other}"
            continue
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{one.dtype} {one.shape}, not {other.dtype} {other.shape}"
        if not close(one, other):
            return f"{one!r}\n  not {other!r}"
    return ""


TOLERANCE = {"float16": 2e-2, "float32": 2e-5, "complex64": 2e-5}


def close(one: Any, other: Any) -> bool:
    if one.dtype.kind not in "fc":
        return bool(np.array_equal(one, other))
    allowed = TOLERANCE.get(str(one.dtype), 1e-12)
    with np.errstate(all="ignore"):
        return bool(np.allclose(one, other, allowed, allowed, equal_nan=True))


def main(count: int = 50, seed: int = 1) -> int:
    tf.experimental.numpy.experimental_enable_numpy_behavior()
    found: dict[str, list[str]] = {}
    total = 0
    for name, args in calls(count, seed):
        theirs = answer(tf.experimental.numpy, name, args)
        ours = answer(tm.experimental.numpy, name, args)
        total += 1
        if isinstance(theirs, Exception) and isinstance(ours, Exception):
            continue
        what = difference(ours, theirs)
        if what and not (name in DIFFERS and DIFFERS[name](args[0])):
            found.setdefault(name, []).append(f"{args}\n  {what}")
    for name, complaints in found.items():
        print(f"{name}: {len(complaints)} of {count} differ, such as {complaints[0]}")
    print(f"{total} calls of {sum(map(len, MAKERS.values()))} functions")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
