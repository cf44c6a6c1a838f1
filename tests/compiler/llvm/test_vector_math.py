"""Elementary functions in machine code: against mpmath, and against the same recipes in NumPy."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from operator import add, mul
from typing import Any

import mpmath
import numpy as np
import pytest

from tensormill.compiler.llvm.vector_math import error_function, exponential, logarithm, series
from tensormill.compiler.llvm.vector_math import library as vector_math
from tensormill.compiler.llvm.vector_math.arrays import ArrayReader, evaluate
from tensormill.compiler.llvm.vector_math.chebyshev import powers
from tensormill.compiler.llvm.vector_math.emulation import EMULATIONS, exact_product, exact_sum
from tensormill.compiler.llvm.vector_math.language import Kind, Term
from tensormill.compiler.machine.jit import WITHOUT_VECTORS, Readable, Target, host, readable
from tests.compiler.elementwise import DTYPE, Array, error_in_ulps, loop_text, native
from tests.compiler.llvm import chebyshev
from tests.compiler.llvm.minimax import coefficients, greatest_error

INF, NAN = math.inf, math.nan
# No FMA, no SSE4.1: the least that a 64-bit x86 processor has. Others have no such old members.
OLDEST = Target("x86-64", "", host().triple) if host().is_x86 else host()

# The true function, and where it is sampled (None: everywhere).
TRUTH: dict[str, tuple[Callable[[Any], Any], tuple[float, float] | None]] = {
    "exp": (mpmath.exp, (-750, 715)),
    "exp2": (lambda x: mpmath.power(2, x), (-1080, 1030)),
    "expm1": (mpmath.expm1, (-60, 715)),
    "sigmoid": (lambda x: 1 / (1 + mpmath.exp(-x)), (-750, 60)),
    "log": (mpmath.log, (0, INF)),
    "log1p": (lambda x: mpmath.log1p(x) if x > -1 else mpmath.nan, (-1, INF)),
    "log2": (lambda x: mpmath.log(x, 2), (0, INF)),
    "log10": (mpmath.log10, (0, INF)),
    "tanh": (mpmath.tanh, (-30, 30)),
    "sinh": (mpmath.sinh, (-715, 715)),
    "cosh": (mpmath.cosh, (-715, 715)),
    "asinh": (mpmath.asinh, None),
    "acosh": (mpmath.acosh, (1, INF)),
    "atanh": (mpmath.atanh, (-1, 1)),
    "sin": (mpmath.sin, None),
    "cos": (mpmath.cos, None),
    "tan": (mpmath.tan, None),
    "asin": (mpmath.asin, (-1, 1)),
    "acos": (mpmath.acos, (-1, 1)),
    "atan": (mpmath.atan, None),
    "erf": (mpmath.erf, (-7, 7)),
    "erfc": (mpmath.erfc, (-7, 28)),
    "lgamma": (lambda x: mpmath.loggamma(x).real, (0, 1e30)),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), (0, INF)),
}
LIMIT = {"f32": 2.0, "f64": 2.5}
LIMITS = {("erfc", "f32"): 5.0, ("erfc", "f64"): 3.5, ("lgamma", "f64"): 4.0}

# What IEEE 754 and C say of 0, -0, infinity, -infinity and NaN.
SPECIAL: dict[str, list[float]] = {
    "exp": [1, 1, INF, 0, NAN],
    "exp2": [1, 1, INF, 0, NAN],
    "expm1": [0.0, -0.0, INF, -1, NAN],
    "sigmoid": [0.5, 0.5, 1, 0, NAN],
    "log": [-INF, -INF, INF, NAN, NAN],
    "log1p": [0.0, -0.0, INF, NAN, NAN],
    "log2": [-INF, -INF, INF, NAN, NAN],
    "log10": [-INF, -INF, INF, NAN, NAN],
    "tanh": [0.0, -0.0, 1, -1, NAN],
    "sinh": [0.0, -0.0, INF, -INF, NAN],
    "cosh": [1, 1, INF, INF, NAN],
    "asinh": [0.0, -0.0, INF, -INF, NAN],
    "acosh": [NAN, NAN, INF, NAN, NAN],
    "atanh": [0.0, -0.0, NAN, NAN, NAN],
    "sin": [0.0, -0.0, NAN, NAN, NAN],
    "cos": [1, 1, NAN, NAN, NAN],
    "tan": [0.0, -0.0, NAN, NAN, NAN],
    "asin": [0.0, -0.0, NAN, NAN, NAN],
    "acos": [math.pi / 2, math.pi / 2, NAN, NAN, NAN],
    "atan": [0.0, -0.0, math.pi / 2, -math.pi / 2, NAN],
    "erf": [0.0, -0.0, 1, -1, NAN],
    "erfc": [1, 1, 0, 2, NAN],
    "lgamma": [INF, INF, INF, INF, NAN],
    "digamma": [NAN, NAN, INF, NAN, NAN],
    "rsqrt": [INF, -INF, 0, NAN, NAN],
    "bessel_i0": [1, 1, INF, INF, NAN],
    "bessel_i1": [0.0, -0.0, INF, -INF, NAN],
    "bessel_i0e": [1, 1, 0, 0, NAN],
    "bessel_i1e": [0.0, -0.0, 0, -0.0, NAN],
    "bessel_j0": [1, 1, 0, 0, NAN],
    "bessel_j1": [0.0, -0.0, 0, -0.0, NAN],
    "bessel_k0": [INF, INF, 0, NAN, NAN],
    "bessel_k1": [INF, INF, 0, NAN, NAN],
    "bessel_k0e": [INF, INF, 0, NAN, NAN],
    "bessel_k1e": [INF, INF, 0, NAN, NAN],
    "bessel_y0": [-INF, -INF, 0, NAN, NAN],
    "bessel_y1": [-INF, -INF, 0, NAN, NAN],
    "dawsn": [0.0, -0.0, 0, -0.0, NAN],
    "expint": [-INF, -INF, INF, -0.0, NAN],
    "fresnel_sin": [0.0, -0.0, 0.5, -0.5, NAN],
    "fresnel_cos": [0.0, -0.0, 0.5, -0.5, NAN],
    "spence": [math.pi**2 / 6, math.pi**2 / 6, -INF, NAN, NAN],
}
FUNCTIONS = sorted(vector_math.SUPPORTED)


def real(number: Any) -> Any:
    return number.real


def every_size(kind: Kind, count: int, seed: int = 0) -> Array:
    """Floats of every exponent, positive and negative, subnormals among them."""
    width = 32 if kind == "f32" else 64
    drawn = np.random.default_rng(seed).integers(0, 1 << (width - 1), count, dtype=np.uint64)
    signs = np.arange(count, dtype=np.uint64) % 2 << (width - 1)
    numbers = (drawn | signs).astype(f"u{width // 8}").view(DTYPE[kind])
    return numbers[np.isfinite(numbers)]


def samples(kind: Kind, interval: tuple[float, float] | None, count: int = 150) -> Array:
    """Floats of every size that are inside the interval, and as many spread evenly over it."""
    numbers = every_size(kind, 4 * count)
    low, high = interval or (-INF, INF)
    inside = numbers[(numbers > low) & (numbers < high)][:count]
    middle = np.linspace(max(low, -20.0), min(high, 20.0), count + 2)[1:-1]
    spread = np.linspace(max(low, -1e5), min(high, 1e5), count + 2)[1:-1]
    return np.concatenate([inside, middle, spread]).astype(DTYPE[kind])


def worst(found: Array, true: list[Any], kind: Kind) -> float:
    return max(
        error_in_ulps(float(number), truth, kind) for number, truth in zip(found, true, strict=True)
    )


def same(expected: Array, found: Array) -> bool:
    """Equal bit for bit, but for what a NaN carries."""
    agree = (expected == found) & (np.signbit(expected) == np.signbit(found))
    return bool(np.all(agree | (np.isnan(expected) & np.isnan(found))))


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("function", sorted(TRUTH))
def test_functions_are_right_to_a_few_units_in_the_last_place(function: str, kind: Kind):
    truth, interval = TRUTH[function]
    x = samples(kind, interval)

    with mpmath.workprec(1200 if function in ("sin", "cos", "tan") else 200):
        error = worst(native(function, kind)(x), [truth(mpmath.mpf(float(v))) for v in x], kind)

    assert error <= LIMITS.get((function, kind), LIMIT[kind])


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("function", sorted(SPECIAL))
def test_special_values_are_those_of_the_c_library(function: str, kind: Kind):
    expected = np.array(SPECIAL[function], DTYPE[kind])

    assert same(expected, native(function, kind)([0.0, -0.0, INF, -INF, NAN]))


def test_every_function_has_a_test():
    others = {"pow", "atan2", "truncate_modulo", "zeta"}

    assert {function for function, _ in FUNCTIONS} == {*SPECIAL, *others}


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_pow_is_right_where_its_result_has_any_size(kind: Kind):
    generator = np.random.default_rng(0)
    limit = 127.0 if kind == "f32" else 1023.0
    exponents = np.concatenate(
        [generator.uniform(-limit, limit, 300), np.linspace(-0.01, 0.01, 300)]
    )
    x = np.exp2(exponents).astype(DTYPE[kind])
    x = x[x != 1]
    y = generator.uniform(-limit - 20, limit, x.size) / np.log2(x.astype(np.float64))
    y = np.clip(y, -1e30, 1e30).astype(DTYPE[kind])

    with mpmath.workprec(200):
        pairs = zip(x.astype(float), y.astype(float), strict=True)
        true = [mpmath.power(mpmath.mpf(base), mpmath.mpf(power)) for base, power in pairs]
        error = worst(native("pow", kind)(x, y), true, kind)

    assert error <= 1.1


def grid(kind: Kind, *extra: float) -> tuple[Array, Array]:
    numbers = [0.0, -0.0, INF, -INF, NAN, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1.5, 1e30, -1e30, *extra]
    x, y = np.meshgrid(np.array(numbers, DTYPE[kind]), np.array(numbers, DTYPE[kind]))
    return x.ravel(), y.ravel()


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize(
    ("function", "reference"),
    [("pow", np.power), ("atan2", np.arctan2), ("truncate_modulo", np.fmod)],
)
def test_special_pairs_are_those_of_numpy(function: str, reference: Any, kind: Kind):
    x, y = grid(kind, 5e-324 if kind == "f64" else 1e-45)
    with np.errstate(all="ignore"):
        expected = reference(x, y)

    found = native(function, kind)(x, y)

    plain = np.isfinite(expected) & (expected != 0)
    assert same(np.where(plain, 0, expected), np.where(plain, 0, found))
    np.testing.assert_array_max_ulp(expected[plain], found[plain], 2)


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_atan2_is_right_in_all_directions(kind: Kind):
    y, x = samples(kind, (-INF, INF)), samples(kind, (-INF, INF))[::-1]
    y = np.concatenate([y, x[:100] * np.linspace(-3, 3, 100, dtype=DTYPE[kind])])
    x = np.concatenate([x, x[:100]])
    with mpmath.workprec(200):
        pairs = zip(y.astype(float), x.astype(float), strict=True)
        true = [mpmath.atan2(mpmath.mpf(a), mpmath.mpf(b)) for a, b in pairs]
        error = worst(native("atan2", kind)(y, x), true, kind)

    assert error <= LIMIT[kind]


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_remainders_are_exact_for_quotients_of_any_size(kind: Kind):
    x, y = every_size(kind, 4000), every_size(kind, 4000, seed=1)
    size = min(x.size, y.size)

    assert same(np.fmod(x[:size], y[:size]), native("truncate_modulo", kind)(x[:size], y[:size]))


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_digamma_is_right_absolutely_near_its_zeros_and_relatively_elsewhere(kind: Kind):
    x = samples(kind, (-50.5, 1e6))
    with mpmath.workprec(200):
        true = [float(real(mpmath.digamma(mpmath.mpf(float(v))))) for v in x]

    found = native("digamma", kind)(x).astype(np.float64)

    tolerance = 1e-6 if kind == "f32" else 4e-15
    expected = np.array(true).astype(DTYPE[kind]).astype(np.float64)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_lgamma_is_right_absolutely_below_zero(kind: Kind):
    x = samples(kind, (-50.5, -1e-3))
    with mpmath.workprec(200):
        true = [float(real(mpmath.loggamma(mpmath.mpf(float(v))))) for v in x]

    tolerance = 3e-7 if kind == "f32" else 4e-15
    np.testing.assert_allclose(native("lgamma", kind)(x), true, rtol=tolerance, atol=tolerance * 10)


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("function", ["sin", "cos", "tan"])
def test_angles_closest_to_multiples_of_a_right_angle_keep_their_precision(function: str):
    # The f64 that is closest to a multiple of π/2 (Kahan), then neighbours of small multiples.
    x = np.array([6381956970095103.0 * 2.0**797, *np.arange(1, 2000) * (math.pi / 2)])
    with mpmath.workprec(1400):
        true = [TRUTH[function][0](mpmath.mpf(float(v))) for v in x]
        error = worst(native(function, "f64")(x), true, "f64")

    assert error <= LIMIT["f64"]


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_tanh_and_erf_reach_one_and_never_pass_it(kind: Kind):
    x = np.linspace(3.0, 40.0, 2000)

    for function in ("tanh", "erf", "sigmoid"):
        found = native(function, kind)(x)
        assert found[-1] == 1.0
        assert np.all(found <= 1.0)


@pytest.mark.sampled
@pytest.mark.parametrize(("function", "kind"), FUNCTIONS)
def test_machine_code_and_numpy_read_a_recipe_alike(function: str, kind: Kind):
    numbers = samples(kind, None)
    arguments = [numbers, numbers[::-1].copy()][: vector_math.arity(function)]

    expected = evaluate(vector_math.recipe(function, kind), kind, *arguments)

    # NumPy's fused multiply-add of f64 is emulated, and not always rounded right.
    exact = kind == "f32" and host().has("fma") and function not in THROUGH_F64
    found = native(function, kind)(*arguments)
    if exact:
        assert same(expected, found)
    else:
        finite = np.isfinite(expected)
        assert same(np.where(finite, 0, np.abs(expected)), np.where(finite, 0, np.abs(found)))
        np.testing.assert_allclose(
            found[finite], expected[finite], rtol=1e-6 if kind == "f32" else 1e-12
        )


def test_series_are_found_again():
    found = [float(one) for one in chebyshev.coefficients(chebyshev.FORMS["SPENCE"], 20)[:13]]

    np.testing.assert_allclose(found, series.SPENCE.coefficients[:13], rtol=1e-6)


def test_a_series_is_the_polynomial_that_it_stands_for():
    numbers = (0.5, -0.25, 0.125, 0.75)
    t = np.linspace(-1, 1, 9)

    expected = np.polynomial.chebyshev.chebval(t, numbers)
    np.testing.assert_allclose(np.polynomial.polynomial.polyval(t, powers(numbers)), expected)


THROUGH_F64 = {"lgamma", "digamma"}


@cache
def on_this_processor(function: str, kind: Kind) -> Readable:
    return readable(loop_text(function, kind))


@pytest.mark.sampled
@pytest.mark.parametrize(("function", "kind"), FUNCTIONS)
def test_no_processor_needs_the_c_library(function: str, kind: Kind):
    # Without vectors where they take most of the time: they need no functions that numbers do not.
    text = loop_text(function, kind, OLDEST)
    oldest = readable(text, effort=WITHOUT_VECTORS, target=OLDEST)
    for one in (oldest, on_this_processor(function, kind)):
        assert re.findall(r"^\s+(?:callq?|jmpq?|bl)\s+(?!\.L)\S+", one.assembly, re.M) == []


@pytest.mark.sampled
@pytest.mark.parametrize(("function", "kind"), FUNCTIONS)
def test_loops_are_vectorised(function: str, kind: Kind):
    vectors = re.search(r"store <\d+ x \w+>", on_this_processor(function, kind).ir)
    assert bool(vectors) == ((function, kind) != ("truncate_modulo", "f64"))


@pytest.mark.sampled
@pytest.mark.parametrize("function", ["exp", "log", "tanh", "sin", "erf", "pow", "truncate_modulo"])
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_old_processors_compute_nearly_the_same(function: str, kind: Kind):
    numbers = samples(kind, (0, 50))
    arguments = [numbers, numbers[::-1].copy()][: vector_math.arity(function)]

    found = native(function, kind, OLDEST)(*arguments)

    expected = native(function, kind)(*arguments)
    np.testing.assert_array_max_ulp(found, expected, 2 if kind == "f32" else 4)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_rounding_is_emulated_where_it_is_missing(kind: Kind):
    numbers = [0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 8388609.0, -0.0, 1e30, INF, -INF, NAN]
    x = np.array([*numbers, 2.0**52 + 1], DTYPE[kind])
    reader = ArrayReader()

    for name, expected in (
        ("floor", np.floor),
        ("ceil", np.ceil),
        ("trunc", np.trunc),
        ("rint", np.rint),
    ):
        recipe = EMULATIONS[name]
        assert same(expected(x), recipe(Term(reader, kind, x)).payload)


@pytest.mark.parametrize(("recipe", "operator"), [(exact_sum, add), (exact_product, mul)])
def test_what_rounding_loses_is_known_exactly(recipe: Any, operator: Any):
    numbers = np.random.default_rng(0).standard_normal((2, 200))
    x, y = (Term(ArrayReader(), "f64", one) for one in numbers)

    rounded, lost = recipe(x, y)

    exact = [operator(Fraction(a), Fraction(b)) for a, b in numbers.T.tolist()]
    told = zip(rounded.payload.tolist(), lost.payload.tolist(), strict=True)
    assert exact == [Fraction(a) + Fraction(b) for a, b in told]


@pytest.mark.sampled(among="functions of vectors")
def test_polynomials_are_found_again():
    def q(r: Any) -> Any:
        return (mpmath.expm1(r) - r) / r**2

    found = coefficients(q, (-0.347, 0.347), 5, "f32", weight=lambda r: r * r)

    np.testing.assert_allclose(found, exponential.Q["f32"], rtol=1e-3)
    assert greatest_error(q, (-0.347, 0.347), exponential.Q["f32"], lambda r: r * r) < 2**-28


@pytest.mark.sampled(among="functions of vectors")
def test_polynomials_are_as_close_as_their_comments_say():
    def log_rest(f: Any) -> Any:
        return (mpmath.log1p(f) - f + f * f / 2) / f**3

    def erf_rest(u: Any) -> Any:
        return mpmath.erf(mpmath.sqrt(u)) / mpmath.sqrt(u) - 1

    def weight(f: Any) -> Any:
        return f**3 / mpmath.log1p(f)

    third = 1 / 3 + 1e-7
    assert greatest_error(log_rest, (-third, third), logarithm.F32, weight) < 2**-27.6
    assert greatest_error(erf_rest, (1e-9, 0.7225), error_function.SMALL_F32) < 2**-27


def test_a_function_that_is_not_there_is_an_error():
    with pytest.raises(KeyError, match="no vector math for gamma of f32"):
        vector_math.definition("gamma", "f32")


def test_a_recipe_cannot_mix_types():
    reader = ArrayReader()

    with pytest.raises(TypeError, match="mixes f32 and f64"):
        Term(reader, "f32", np.float32(1)).apply("add", Term(reader, "f64", np.float64(1)))
