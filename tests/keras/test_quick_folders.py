"""The folders of Keras's own tests that need little time, and no JAX to compare dtypes with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.keras.folders import FOLDERS, OF_OTHERS
from tests.keras.optional import UNUSED
from tests.keras.run import main, read, report, write
from tests.keras.suite import (
    Outcome,
    keras_tests,
    known_failures,
    name_of,
    outcome_of,
    reason_for,
    run_suite,
)

# Each a process, and how many tests pass there, or more. initializer_test.py wants JAX, which the
# environment of development does not have.
QUICK = {
    "optimizers": (250, "optimizers", "backend/tensorflow/optimizer_distribute_test.py"),
    "metrics": (390, "metrics"),
    "layers": (70, "layers/layer_test.py", "legacy"),
    "functions": (370, "activations", "losses", "regularizers", "constraints", "random",
                  "initializers/constant_initializers_test.py",
                  "initializers/random_initializers_test.py"),
    "tools": (150, "tree", "dtype_policies", "testing", "datasets", "distribution"),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("topic", QUICK)
def test_quick_folders_pass(topic: str) -> None:
    known = known_failures()
    count, *paths = QUICK[topic]

    outcome = run_suite(paths, absent=UNUSED)

    assert [] == outcome.unexpected(known), outcome.log
    assert [] == [name for name in outcome.passed if reason_for(name, known)]
    assert len(outcome.passed) >= count


def test_every_test_of_keras_belongs_to_one_folder() -> None:
    root = keras_tests()
    files = [file.relative_to(root) for file in root.rglob("*_test.py")]
    places = [[one for one in (*FOLDERS, *OF_OTHERS) if file.is_relative_to(one)] for file in files]

    assert len(files) > 200
    assert [] == [str(file) for file, of in zip(files, places, strict=True) if len(of) != 1]


def test_what_was_run_is_kept(tmp_path: Path) -> None:
    outcomes = {"tree": Outcome(["a"], ["b"], ["c"], 1.5, "log")}

    write(tmp_path / "build" / "kept.json", outcomes)

    assert outcomes == read(tmp_path / "build" / "kept.json")
    assert {} == read(tmp_path / "none.json")


def test_the_list_and_what_happens_agree(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = Outcome(passed=["a.py::A::t", "a.py::A::u"], failed=["a.py::A::v", "a.py::A::w"])
    known = {"a.py::A::v": "fails", "b.py::B": "did not run"}

    assert 0 == report([Outcome(failed=["a.py::A::v"])], known)
    assert 1 == report([outcome], known | {"a.py::A::u*": "passes", "a.py::A::x": "is no test"})
    assert capsys.readouterr().out.splitlines() == [
        "fails, and is not known to: a.py::A::w",
        "passes, although it is listed in known_failures.txt: a.py::A::u",
        "is listed in known_failures.txt, and there is no such test: a.py::A::x",
    ]


def test_every_known_failure_has_a_cause() -> None:
    assert "a file that Keras's wheel leaves out" in known_failures().values()
    assert [] == [name for name, cause in known_failures().items() if not cause]


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


def test_a_folder_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["layers", "src/losses"])
    assert "src/losses is no folder or file" in capsys.readouterr().err
