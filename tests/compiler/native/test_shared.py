"""Rules that programs share are what their level-2 functions say, and compiled once."""

from __future__ import annotations

import ctypes

import pytest

import tensormill as tf
from tensormill.compiler.loops.evaluate import call
from tensormill.compiler.loops.memory import Memory
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library, shared
from tensormill.config import settings
from tensormill.ops.random.compiled_rejection import binomial_number, gamma_number, poisson_number

WORDS = (5, 2**32 - 1, 17, 0)
GIVEN = [
    *[(gamma_number, (*WORDS, group, alpha)) for group, alpha in ((0, 0.3), (2**33, 8.0))],
    *[(poisson_number, (*WORDS, 3, rate)) for rate in (2.5, 40.0)],
    *[(binomial_number, (*WORDS, 3, n, 0.3, n < 20)) for n in (9.0, 500.0)],
]
CTYPES = {"u32": ctypes.c_uint32, "i64": ctypes.c_int64, "f64": ctypes.c_double,
          "bool": ctypes.c_bool}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("rule", "operands"), GIVEN)
def test_machine_code_of_a_shared_rule_gives_what_its_loops_do(rule, operands) -> None:
    function = library.function(rule.name)
    types = [CTYPES[one] for one in (rule.result, *rule.parameters)]
    native = ctypes.CFUNCTYPE(*types)(shared.address(rule.name))
    verify_function(function, library.SIGNATURES)

    assert call(function, operands, {}, Memory()) == pytest.approx(native(*operands), rel=1e-14)


def test_programs_call_one_copy_of_a_shared_rule() -> None:
    assert shared.address(gamma_number.name) == shared.address(gamma_number.name)
    for shape in ([3], [2, 2]):
        draw = tf.function(lambda shape=shape: tf.random.gamma(shape, 2.0))
        assert draw().shape == shape
        assert "in Python" not in str(draw.report())


def test_they_are_made_with_the_effort_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, made = shared.address("tm_chunk"), {}
    for effort in (0, 2):
        monkeypatch.setattr(settings, "effort", effort)
        made[effort] = shared.address(gamma_number.name)
        assert made[effort] == shared.address(gamma_number.name)

    assert made[0] != made[2]
    assert shared.address("tm_chunk") == kept
