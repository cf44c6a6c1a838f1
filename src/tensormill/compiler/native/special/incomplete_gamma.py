"""The incomplete gamma functions of arrays, and their derivative by the shape, in vectors of f64.

Numbers are sorted by what suits them: the series of P (Abramowitz and Stegun 6.5.29), the continued
fraction of Q (6.5.31), Temme's expansion where a is large and x close to it (Gil, Segura and Temme
2012, "Efficient and accurate algorithms for the computation and inversion of the incomplete gamma
function ratios"), the series of Q where both are small. Sixteen of a kind are computed together,
until all have settled. What is rare and delicate is left to SciPy.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from ...llvm.vector_math.chebyshev import powers
from ...llvm.vector_math.gamma import LGAMMA
from ...llvm.vector_math.series import STIRLING
from .formulas import formula, horner, lets

LANES: Final = 16
BLOCK: Final = 512  # numbers that are sorted together: their arrays lie on the stack
_SETTLED: Final = {"f32": 1e-10, "f64": 1e-17}
_STEPS: Final = 20_000  # of four terms; a = x = 1e5 takes 700
_UNIFORM: Final = 25  # coefficients of Temme's expansion


def stirling(indent: int, a: str, short: str) -> str:
    """`g_<a>` and `h_<a>`: g exp(h) is sqrt(a / 2π) over what Stirling's formula leaves of
    gamma(a), which is also a^a e^-a / gamma(a).
    """
    count = STIRLING.short if short == "f32" else len(STIRLING.coefficients)
    rest = horner(f"u_{a}", powers(STIRLING.coefficients[:count]))
    return lets(indent, f"""
        u_{a} = 2 / maximum({a}, 1.0) - 1
        low_{a} = where({a} < 0.5, {a}, minimum({a}, 1.0) - 1)
        shifted_{a} = low_{a} * {horner(f"low_{a}", LGAMMA)}
        log_{a} = where({a} < 0.5, shifted_{a} - log1p(minimum({a}, 1.0)), shifted_{a})
        g_{a} = where({a} < 1, {a}, sqrt({a} * {1 / (2 * math.pi)!r}) / {rest})
        h_{a} = where({a} < 1, {a} * log({a}) - {a} - log_{a}, 0.0)
    """)  # fmt: skip


def excess(indent: int, mu: str, ratio: str, short: str) -> str:
    """`excess_<mu>`: mu - log1p(mu), given also 1 + mu."""
    terms = [1 / (2 * k + 3) for k in range(9 if short == "f32" else 17)]
    return lets(indent, f"""
        half_{mu} = {mu} / ({mu} + 2)
        square_{mu} = half_{mu} * half_{mu}
        bent_{mu} = 2 * half_{mu} * square_{mu} * {horner(f"square_{mu}", terms)}
        near_{mu}? = ({mu} > -0.45) & ({mu} < 0.8)
        excess_{mu} = where(near_{mu}, {mu} * half_{mu} - bent_{mu}, {mu} - log({ratio}))
    """)  # fmt: skip


def density(indent: int, short: str) -> str:
    """`density`: x^a e^-x / gamma(a + 1)."""
    start = lets(indent, "mu = (x - a) / a\nratio = x / a")
    end = lets(indent, "density = g_a / a * exp(h_a - a * excess_mu)")
    return start + stirling(indent, "a", short) + excess(indent, "mu", "ratio", short) + end


def uniform_coefficients() -> list[float]:
    """Those of η / (λ - 1) in η, where η²/2 = λ - 1 - log λ."""
    alpha = [Fraction(0), Fraction(1)]
    for n in range(3, _UNIFORM + 5):
        others = sum((alpha[k] * alpha[n - k] for k in range(2, n - 1)), Fraction(0))
        alpha.append(alpha[n - 2] / n - others / 2)
    found = [Fraction(1)]
    for n in range(1, _UNIFORM + 2):
        found.append(-sum((alpha[k + 1] * found[n - k] for k in range(1, n + 1)), Fraction(0)))
    return [float(one) for one in found]


# ---------------------------------------------------------------- sorting


def sorted_block(
    name: str,
    short: str,
    operands: int,
    kind: str,
    certain: str,
    methods: dict[str, str],
    loop: str,
) -> str:
    """A function that sorts numbers by `kind` (0: SciPy's loop; 1: `certain` is the result; from 2
    on the methods, each the suffix of a function, with what becomes of its result r).
    """
    letters = "abx" if operands == 3 else "ax"
    binds = "".join(f"  bind in_{c}: {short}[count] at x{k}\n" for k, c in enumerate(letters))
    room = "".join(f"  allocate all_{c}: f64[{BLOCK + LANES}]\n" for c in letters)
    read = "".join(f"    let {c}: f64 = cast:f64(in_{c}[k])\n" for c in letters)
    gathered = "".join(f"      all_{c}[k] = cast:f64(in_{c}[place])\n" for c in letters)
    addresses = ", ".join(f"&all_{c}" for c in letters)
    runs = "".join(
        _run(name, short, number, method, result, gathered, addresses)
        for number, (method, result) in enumerate(methods.items(), 2)
    )
    parameters = ", ".join(f"x{k}: ptr" for k in range(operands + 1))
    return f"""
function {name}.block({parameters}, count: i64):
{binds}  bind out: {short}[count] at x{operands}
  allocate places: i64[{BLOCK * (len(methods) + 2)}]
  allocate counts: i64[{len(methods) + 2}]
  allocate kinds: i64[{BLOCK}]
{room}  allocate all_r: f64[{BLOCK + LANES}]
  for method in {len(methods) + 2}:
    counts[method] = 0
  for k in count:
{read}{kind}
    out[k] = cast:{short}({formula(certain)})
  for k in count:
    let method: i64 = kinds[k]
    places[((method * {BLOCK}) + counts[method])] = k
    counts[method] = (counts[method] + 1)
{runs}{_scipys(short, letters, gathered, loop) if loop else ""}"""


def _scipys(short: str, letters: str, gathered: str, loop: str) -> str:
    arrays = "".join(
        f"    arrays[{k}] = &all_{c}\n    steps[{k}] = 8\n" for k, c in enumerate([*letters, "r"])
    )
    return f"""\
  if (counts[0] > 0):
    allocate arrays: ptr[{len(letters) + 1}]
    allocate sizes: i64[1]
    allocate steps: i64[{len(letters) + 1}]
    sizes[0] = counts[0]
{arrays}    for k in counts[0]:
      let place: i64 = places[k]
{gathered}    call tm_loop_{loop}(&arrays, &sizes, &steps)
    for k in counts[0]:
      out[places[k]] = cast:{short}(all_r[k])
"""


def _run(
    name: str, short: str, number: int, method: str, result: str, gathered: str, addresses: str
) -> str:
    return f"""\
  let count_{number}: i64 = counts[{number}]
  if (count_{number} > 0):
    let filled_{number}: i64 = (truncate_divide((count_{number} + {LANES - 1}), {LANES}) * {LANES})
    for k in filled_{number}:
      let place: i64 = places[({number * BLOCK} + min(k, (count_{number} - 1)))]
{gathered}    call {name}.{method}({addresses}, &all_r, filled_{number})
    for k in count_{number}:
      let r: f64 = all_r[k]
      out[places[({number * BLOCK} + k)]] = cast:{short}({formula(result)})
"""


def settled_groups(
    name: str, operands: str, state: dict[str, str], step: str, end: str, tolerance: float
) -> str:
    """A function that goes through groups of lanes: state by its beginning, a step (which lets
    `change` be how far it is from settled), and the result r.
    """
    parameters = ", ".join(f"at_{c}: ptr" for c in (*operands, "r"))
    binds = "".join(f"  bind all_{c}: f64[count] at at_{c}\n" for c in (*operands, "r"))
    room = "".join(f"  allocate {one}: f64[{LANES}]\n" for one in [*state, "change"])
    read = "".join(f"{{0}}let {c}: f64 = all_{c}[((group * {LANES}) + lane)]\n" for c in operands)
    begin = lets(6, "\n".join(f"{one}[lane] = {value}" for one, value in state.items()))
    return f"""
function {name}({parameters}, count: i64):
{binds}{room}  for group in truncate_divide(count, {LANES}):
    for lane in {LANES}:
{read.format(" " * 6)}{begin}    set n: f64 = 0.0f64
    set going: bool = true
    while going:
      for lane in {LANES}:
{read.format(" " * 8)}{lets(8, step)}      set n = (n + 4.0f64)
      set most: f64 = 0.0f64
      for lane in {LANES}:
        set most = max(most, change[lane])
      set going = ((most > {tolerance!r}f64) & (n < {4.0 * _STEPS!r}f64))
    for lane in {LANES}:
{read.format(" " * 6)}{end}      all_r[((group * {LANES}) + lane)] = r
"""


def straight(name: str, operands: str, body: str) -> str:
    """A function that computes r of each number."""
    parameters = ", ".join(f"at_{c}: ptr" for c in (*operands, "r"))
    binds = "".join(f"  bind all_{c}: f64[count] at at_{c}\n" for c in (*operands, "r"))
    read = "".join(f"    let {c}: f64 = all_{c}[k]\n" for c in operands)
    return f"""
function {name}({parameters}, count: i64):
{binds}  for k in count:
{read}{body}    all_r[k] = r
"""


# ---------------------------------------------------------------- P and Q


def texts(name: str, function: str, short: str) -> list[str]:
    """What sorts, and what computes P (`gammainc`) or Q (`gammaincc`) by each way."""
    upper = function == "gammaincc"
    methods = {
        "series": "1 - r" if upper else "r",
        "fraction": "r" if upper else "1 - r",
        "uniform": "r",
        **({"small": "r"} if upper else {}),
    }
    return [
        sorted_block(
            name, short, 2, _kinds(upper), f"where((x > a) == {upper}, 0.0, 1.0)", methods, function
        ),
        _series(f"{name}.series", short),
        _fraction(f"{name}.fraction", short),
        _uniform(f"{name}.uniform", short, upper),
        *([_small(f"{name}.small", short)] if upper else []),
    ]  # fmt: skip


def _kinds(upper: bool) -> str:
    """Where both are small, 1 - P would cancel; x^a is close to 1 there."""
    small = "(x < 1.1) & where(x <= 0.5, a * log(x) >= -0.4, a <= 1.1 * x)"
    found = lets(4, f"""
        usual? = (a > 1e-290) & (x > 1e-290) & (a < 1e290) & (x < 1e290)
        ratio = x / a
        close? = (a >= 20) & (ratio > 0.56) & (ratio < 1.79)
        apart? = (maximum(a, x) > 2e4) & logical_not(close)
        inner? = (x < 1.1) | (x <= a)
        small? = {small if upper else "False"}
    """)  # fmt: skip
    return f"""{found}    let way: i64 = where(small, 5, where(inner, 2, 3))
    let kind: i64 = where(apart, 1, where(close, 4, way))
    kinds[k] = where(usual, kind, 0)"""


def _series(name: str, short: str) -> str:
    """P is the density times the sum of x^n / ((a + 1) ... (a + n)), four terms in each step."""
    step = """
        c1 = a + n + 1
        c2 = c1 + 1
        c3 = c1 + 2
        c4 = c1 + 3
        back = c3 * c4
        inverse = term[lane] / (c1 * c2 * back)
        added = inverse * x * (c2 * back + x * (back + x * (c4 + x)))
        square = x * x
        last = inverse * square * square
        sum = total[lane] + added
        term[lane] = last
        total[lane] = sum
        change[lane] = last / sum
    """
    end = density(6, short) + lets(6, "r = density * total[lane]")
    state = {"term": "1.0", "total": "1.0"}
    return settled_groups(name, "ax", state, step, end, _SETTLED[short])


# Steed's way to sum a continued fraction of tops and bottoms: `share` is 1 / (bottom + top share),
# and what a step adds the last addition times -top share share'.
STEED: Final = {"share": "{0}", "addition": "{0}", "value": "{0}"}
STEED_BEGINS: Final = "d0 = share[lane]\ne0 = addition[lane]\nv0 = value[lane]\n"
STEED_ENDS: Final = """
    share[lane] = d4
    addition[lane] = e4
    value[lane] = v4
    change[lane] = abs(e4) / v4
"""


def steed(k: int) -> str:
    """Step k of the four, with top<k> and bottom<k>."""
    return f"""
        turned{k} = top{k} * d{k - 1}
        d{k} = 1 / (bottom{k} + turned{k})
        e{k} = -e{k - 1} * turned{k} * d{k}
        v{k} = v{k - 1} + e{k}
    """


def parts_of_fraction(k: int) -> str:
    """Of Q."""
    return f"top{k} = (n + {k}) * (a - (n + {k}))\nbottom{k} = x + 2 * (n + {k}) + 1 - a\n"


def _fraction(name: str, short: str) -> str:
    steps = [parts_of_fraction(k) + steed(k) for k in range(1, 5)]
    state = {one: begin.format("1 / (x + 1 - a)") for one, begin in STEED.items()}
    end = density(6, short) + lets(6, "r = density * a * value[lane]")
    step = "".join([STEED_BEGINS, *steps, STEED_ENDS])
    return settled_groups(name, "ax", state, step, end, _SETTLED[short])


def _uniform(name: str, short: str, upper: bool) -> str:
    """The complementary error function, and a remainder: a power series of which the coefficients
    follow from each other (Gil, Segura and Temme 2012, section 2.3.2).
    """
    given, count = uniform_coefficients(), _UNIFORM
    lines = [f"b{count} = {given[count + 1]!r}", f"s{count} = b{count}"]
    for n in range(count, 0, -1):
        after = "0.0" if n == count else f"b{n + 1}"
        lines.append(f"b{n - 1} = {n + 1} * inverse * {after} + {given[n]!r}")
        lines.append(f"s{n - 1} = fma(s{n}, eta, b{n - 1})")
    body = lets(4, "mu = (x - a) / a\nratio = x / a\ninverse = 1 / a")
    body += excess(4, "mu", "ratio", short)
    body += lets(4, "\n".join([
        "eta = where(mu < 0, -sqrt(2 * excess_mu), sqrt(2 * excess_mu))",
        *lines,
        "power = a * excess_mu",
        f"remainder = exp(-power) / sqrt({2 * math.pi!r} * a) * s0 / (1 + b1 * inverse)",
        "half = 0.5 * erfc(sqrt(power))",
        "tail = where(mu < 0, half - remainder, half + remainder)",
        f"r = where((mu < 0) == {upper}, 1 - tail, tail)",
    ]))  # fmt: skip
    return straight(name, "ax", body)


def _small(name: str, short: str) -> str:
    """Q is 1 - x^a / gamma(a + 1) less the rest of the series of P, whose terms alternate."""
    count = 13 if short == "f32" else 21
    terms = [f"{(-1) ** n / math.factorial(n)!r} / (a + {n})" for n in range(count, 0, -1)]
    lines = [f"s{count} = {terms[0]}"]
    lines += [
        f"s{count - k} = fma(s{count - k + 1}, x, {one})" for k, one in enumerate(terms[1:], 1)
    ]
    body = stirling(4, "a", short) + lets(4, "\n".join([
        "logarithm = a * log(x) - where(a < 1, log_a, lgamma(a + 1))",
        *lines,
        "r = 0 - expm1(logarithm) - exp(logarithm) * a * x * s1",
    ]))  # fmt: skip
    return straight(name, "ax", body)


# ---------------------------------------------------------------- the derivative by the shape


def by_shape_texts(name: str, short: str) -> list[str]:
    """The derivative of P(a, x) by a over that by x: see ops/math/gamma_derivatives.py, which is
    the slow twin.
    """
    kind = lets(4, "above? = (x > 1) & (x > a)\nright? = (a > 0) & (x > 0) & (a < 1e9) & (x < 1e9)")
    kind += "    kinds[k] = where(right, where(above, 3, 2), 1)"
    methods = {"series": "r", "fraction": "r"}
    return [
        sorted_block(name, short, 2, kind, "nan", methods, ""),
        _shape_series(f"{name}.series", short),
        _shape_fraction(f"{name}.fraction", short),
    ]


def _shape_series(name: str, short: str) -> str:
    lines = ["t1 = term[lane]", "f1 = factor[lane]", "s1 = total[lane]"]
    for k in range(1, 5):
        lines += [
            f"inverse{k} = 1 / (a + n + {k})",
            f"s{k + 1} = fma(t{k}, f{k}, s{k})",
            f"t{k + 1} = t{k} * x * inverse{k}",
            f"f{k + 1} = f{k} - inverse{k}",
        ]
    lines += ["term[lane] = t5", "factor[lane] = f5", "total[lane] = s5",
              "change[lane] = abs(t5) * abs(f5) / abs(s5)"]  # fmt: skip
    state = {"term": "x / a", "factor": "log(x) - digamma(a + 1)", "total": "0.0"}
    end = lets(6, "r = total[lane]")
    return settled_groups(name, "ax", state, "\n".join(lines), end, _SETTLED[short])


def _shape_fraction(name: str, short: str) -> str:
    """By Steed's way, of which every step is differentiated by a: -1 is the slope of the bottoms,
    k that of the tops.
    """
    lines = [STEED_BEGINS, "sd0 = slope_share[lane]\nse0 = slope_addition[lane]\n",
             "sv0 = slope_value[lane]\n"]  # fmt: skip
    for k in range(1, 5):
        lines.append(
            parts_of_fraction(k)
            + steed(k)
            + f"""
            sturned{k} = (n + {k}) * d{k - 1} + top{k} * sd{k - 1}
            sd{k} = (1 - sturned{k}) * d{k} * d{k}
            both{k} = sturned{k} * d{k} + turned{k} * sd{k}
            se{k} = -se{k - 1} * turned{k} * d{k} - e{k - 1} * both{k}
            sv{k} = sv{k - 1} + se{k}
        """
        )
    lines.append(
        STEED_ENDS
        + """
        slope_share[lane] = sd4
        slope_addition[lane] = se4
        slope_value[lane] = sv4
        change[lane] = maximum(abs(e4) / v4, abs(se4) / abs(sv4))
    """
    )
    first = "1 / (x + 1 - a)"
    state = {one: begin.format(first) for one, begin in STEED.items()}
    state |= {f"slope_{one}": f"{first} * {first}" for one in STEED}
    end = lets(6, "r = 0 - x * (slope_value[lane] + value[lane] * (log(x) - digamma(a)))")
    return settled_groups(name, "ax", state, "".join(lines), end, _SETTLED[short])
