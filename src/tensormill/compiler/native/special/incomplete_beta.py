"""The regularised incomplete beta function of arrays, in vectors of f64.

Its continued fraction where x is below the mean, or that of 1 - x (Didonato and Morris 1992,
"Significant digit computation of the incomplete beta function ratios", equations 9 and 10). Numbers
are sorted as incomplete_gamma.py does it; SciPy has those whose shapes are very large or small.
"""

from __future__ import annotations

from .formulas import lets
from .incomplete_gamma import (
    STEED,
    STEED_BEGINS,
    STEED_ENDS,
    excess,
    settled_groups,
    sorted_block,
    steed,
    stirling,
)

_SETTLED = {"f32": 1e-11, "f64": 1e-16}
_LEAST = {"f32": 1e-3, "f64": 0.1}  # 1 - the complement would cancel below it


def texts(name: str, short: str) -> list[str]:
    """What sorts, and the continued fraction."""
    kind = lets(4, f"""
        usual? = (minimum(a, b) > 1e-30) & (maximum(a, b) < 1e6) & (x >= 0) & (x <= 1)
        turned? = x * (a + b + 2) > a + 1
        delicate? = turned & (minimum(a, b) < {_LEAST[short]!r})
        end? = (x == 0) | (x == 1)
    """)  # fmt: skip
    kind += "    let way: i64 = where(delicate, 0, where(turned, 3, 2))\n"
    kind += "    kinds[k] = where(usual, where(end, 1, way), 0)"
    methods = {"direct": "r", "turned": "1 - r"}
    return [
        sorted_block(name, short, 3, kind, "x", methods, "betainc"),
        _fraction(f"{name}.direct", short, turned=False),
        _fraction(f"{name}.turned", short, turned=True),
    ]


def _fraction(name: str, short: str, turned: bool) -> str:
    """Of a, b, x, or of b, a, 1 - x."""
    given = "c = b\nd = a\ny = x\nz = 1 - x" if turned else "c = a\nd = b\ny = 1 - x\nz = x"
    lines = [given, "excess = c * y - d * z", STEED_BEGINS, "inverse1 = 1 / (c + 2 * n + 1)"]
    for step in range(1, 5):
        k = f"(n + {step})"
        lines.append(f"""
            share{step} = {k} * (d - {k}) * z * inverse{step}
            top{step} = (c + {k} - 1) * (c + d + {k} - 1) * z * inverse{step} * share{step}
            inverse{step + 1} = 1 / (c + 2 * {k} + 1)
            rest{step} = (c + {k}) * (excess + 1 + {k} * (1 + y)) * inverse{step + 1}
            bottom{step} = {k} + share{step} + rest{step}
        """)
        lines.append(steed(step))
    lines.append(STEED_ENDS)
    first = "(b + 1) / (b * ((b * x - a * (1 - x)) + 1))" if turned else (
        "(a + 1) / (a * ((a * (1 - x) - b * x) + 1))")  # fmt: skip
    state = {one: begin.format(first) for one, begin in STEED.items()}
    end = lets(
        6,
        """
        both = a + b
        excess = a * (1 - x) - b * x
        mu = -excess / a
        nu = excess / b
        ratio = x * (both / a)
        other = (1 - x) * (both / b)
    """,
    )
    end += "".join(stirling(6, one, short) for one in ("a", "b", "both"))
    end += excess(6, "mu", "ratio", short) + excess(6, "nu", "other", short)
    end += lets(
        6,
        """
        logarithm = h_a + h_b - h_both - a * excess_mu - b * excess_nu
        r = g_a * g_b / g_both * exp(logarithm) * value[lane]
    """,
    )
    return settled_groups(name, "abx", state, "\n".join(lines), end, _SETTLED[short])
