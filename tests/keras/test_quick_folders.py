"""The folders of Keras's own tests that need little time, and no JAX to compare dtypes with."""

from __future__ import annotations

from pathlib import Path

from tests.keras.suite import known_failures, name_of, outcome_of, reason_for, run_suite

# initializer_test.py wants JAX, which the environment of development does not have.
QUICK = (
    "tree", "regularizers", "activations", "losses", "optimizers", "metrics",
    "initializers/constant_initializers_test.py", "initializers/random_initializers_test.py",
)  # fmt: skip


def test_quick_folders_pass() -> None:
    known = known_failures()

    outcome = run_suite(QUICK)

    assert [] == outcome.unexpected(known), outcome.log
    assert [] == [name for name in outcome.passed if reason_for(name, known)]
    assert len(outcome.passed) > 900


def test_every_known_failure_has_a_reason() -> None:
    lines = [
        line for line in Path(__file__).with_name("known_failures.txt").read_text().split("\n")
    ]
    named = [line for line in lines if line and not line.startswith("#")]

    assert len(named) == len(known_failures())


def test_names_are_paths() -> None:
    assert "layers/core/dense_test.py::DenseTest::test_a" == name_of(
        "layers.core.dense_test.DenseTest", "test_a"
    )
    assert "trainers/trainer_test.py" == name_of("", "trainers.trainer_test")


def test_a_star_stands_for_the_rest_of_a_name() -> None:
    known = {"ops/core_test.py::A::test_float8*": "float8", "tree/b.py": "b"}

    assert "float8" == reason_for("ops/core_test.py::A::test_float8_e5m2", known)
    assert "b" == reason_for("tree/b.py", known)
    assert None is reason_for("tree/c.py", known)


def test_outcomes_are_read_from_the_report(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="a_test.A" name="t" time="0.5"/>'
        '<testcase classname="a_test.A" name="u" time="1"><failure/></testcase>'
        '<testcase classname="a_test.A" name="v" time="0"><skipped/></testcase>'
        "</testsuite></testsuites>"
    )

    outcome = outcome_of(report, "log")

    assert (["a_test.py::A::t"], ["a_test.py::A::u"]) == (outcome.passed, outcome.failed)
    assert (["a_test.py::A::v"], 1.5) == (outcome.skipped, outcome.seconds)
