"""Programs of two or three processes over loopback: `make distributed`.

Each claim runs programs, and fails if they tell something else. Expected values are TensorFlow's,
run as two processes or with two logical CPUs, or those of one process with the same global batch.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .processes import PROGRAMS, ROOT, Ended, addresses, end_of, ends_of, run, started, task

FOR_BOTH = [
    ["replicas", 2, True],
    ["from the first", 1.0, [0.0, 1.0]],
    ["mean of integers", 4.5],
    ["local", [1, 2]],
    ["changed", [1.5, 2.5], 3.0],
    ["read", 3.0, 1.5],
    ["assigned", 8.0],
    ["reduce", 3, 0.8],
    ["gather", [[0, 1, 1], [0, 1, 1]]],
    ["merged", 6.0, 2.0, 3.0],
    ["written", 2],
]
FOR_EACH = [
    [
        ["gradients 0", 8.0, 6.0, 12.0], ["gradients 0", 8.0, 6.0, 12.0],
        ["data 0", [[0, 1], [4, 5], [8, 9]]], ["odd 0", [[0, 1, 2], [5, 6, 7], [10]]],
        ["own 0", [[0, 2], [4, 6]]], ["files 0", [[0, 20], [1, 21], [2, 22]]],
    ],
    [
        ["gradients 1", 12.0, 9.0, 1980.0], ["gradients 1", 12.0, 9.0, 1980.0],
        ["data 1", [[2, 3], [6, 7], [10]]], ["odd 1", [[3, 4], [8, 9], []]],
        ["own 1", [[1, 3], [5, 7]]], ["files 1", [[10, 11], [12], []]],
    ],
]  # fmt: skip


def told(ended: Ended) -> Any:
    """What the last line says."""
    assert ended.told, ended.errors[-3000:]
    return ended.told[-1]


def replicas_exchange_as_in_tensorflow(folder: Path) -> str:
    first, second = run("strategies", folder)
    for rank, one in enumerate((first, second)):
        assert one.code == 0, one.errors[-3000:]
        wanted = sorted(map(str, [*FOR_BOTH, *FOR_EACH[rank]]))
        found = sorted(map(str, _rounded(one.told)))
        assert found == wanted, set(found) ^ set(wanted)
    return f"{len(first.told)} values each"


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return round(value, 5) if isinstance(value, float) else value


def examples_print_the_same_everywhere(folder: Path) -> str:
    example = ROOT / "examples" / "distributed.py"
    one = told(end_of(started(example, None)))
    four = told(end_of(started(example, None, "--devices", 4)))
    both = addresses(2)
    two = [told(end) for end in ends_of([started(example, task(both, rank)) for rank in (0, 1)])]
    assert two[0] == two[1]
    assert [one["replicas"], four["replicas"], two[0]["replicas"]] == [1, 4, 2]
    for other in (four, two[0]):
        for name in ("by hand", "keras"):
            pairs = zip(one[name], other[name], strict=True)
            assert all(abs(a - b) < 2e-4 for a, b in pairs), (name, one, other)
    return f"losses by hand {one['by hand']}"


def _fault(mode: str, seconds: float, limits: list[tuple[str | None, float]]) -> str:
    ends = run("faults", mode, seconds)
    for end, (name, limit) in zip(ends, limits, strict=True):
        if name is None:
            continue
        error, waited, text = told(end)
        assert error == name, (error, text)
        assert waited < limit, (waited, text)
    return ", ".join(f"{told(end)[0]} after {told(end)[1]:.1f} s" for end in ends if end.told)


def a_killed_worker_is_unavailable(folder: Path) -> str:
    return _fault("killed", 0, [("UnavailableError", 5.0), (None, 0.0)])


def a_worker_that_ended_is_unavailable(folder: Path) -> str:
    return _fault("left", 0, [("UnavailableError", 10.0), (None, 0.0)])


def a_silent_worker_is_waited_for_as_long_as_is_told(folder: Path) -> str:
    return _fault("silent", 5, [("DeadlineExceededError", 8.0), (None, 0.0)])


def other_shapes_are_different_programs(folder: Path) -> str:
    return _fault("other shape", 0, [("InvalidArgumentError", 5.0)] * 2)


def other_operations_are_different_programs(folder: Path) -> str:
    return _fault("other operation", 0, [("InvalidArgumentError", 5.0)] * 2)


def a_worker_that_never_comes_is_told_by_name(folder: Path) -> str:
    both = addresses(2)
    error, waited, text = told(end_of(started(PROGRAMS / "faults.py", task(both, 0), "", 3)))
    assert error == "DeadlineExceededError", text
    assert f"worker 1 ({both[1]}) did not come within 3 s" in text
    assert waited < 10.0
    return f"{error} after {waited:.1f} s"


def a_taken_port_is_told(folder: Path) -> str:
    both = addresses(2)
    with socket.create_server(("127.0.0.1", int(both[0].rpartition(":")[2]))):
        error, waited, text = told(end_of(started(PROGRAMS / "faults.py", task(both, 0), "", 3)))
    assert error == "UnknownError", text
    return f"{error} after {waited:.1f} s"


def training_goes_on_after_a_kill(folder: Path) -> str:
    lines = []
    for kind in ("loop", "fit"):
        for rank in (0, 1):
            calm, hit = folder / f"{kind} {rank} calm", folder / f"{kind} {rank} hit"
            wanted = [told(end) for end in run("resumed", kind, calm)]
            begin = time.monotonic()
            ends = run("resumed", kind, hit, rank)
            assert ends[rank].code == -9, ends[rank].errors[-2000:]
            assert told(ends[1 - rank]) == "UnavailableError"
            again = [told(end) for end in run("resumed", kind, hit)]
            assert [one[1] for one in again] == [one[1] for one in wanted], (again, wanted)
            assert again[0][0] == again[1][0] > 0
            lines.append(f"{kind}: worker {rank} killed, {time.monotonic() - begin:.0f} s")
    return "; ".join(lines)


def three_wait_for_one_that_begins_late(folder: Path) -> str:
    begin = time.monotonic()
    ends = run("three", "late", 20, size=3)
    wanted = [[0.0, *(3.0 * (1 + number) for number in range(6))], 63.0]
    assert [told(end) for end in ends] == [wanted] * 3, ends
    return f"{time.monotonic() - begin:.0f} s for all of it"


def whoever_runs_out_of_data_waits_for_the_others(folder: Path) -> str:
    ends = run("three", "uneven", 0, size=3)
    assert [told(end) for end in ends] == [[[3.0, 10.0, 9.0], 22.0]] * 3, ends
    return "datasets of 2, 4 and 6 numbers"


def an_error_in_one_of_three_ends_all(folder: Path) -> str:
    lines = []
    for mode, error in (("raises", "ValueError"), ("asserts", "InvalidArgumentError")):
        ends = run("three", mode, 0, size=3)
        names, seconds = zip(*map(told, ends), strict=True)
        assert names == ("UnavailableError", error, "UnavailableError"), ends
        assert max(seconds) < 15.0, seconds
        lines.append(f"{error}, all over after {max(seconds):.1f} s")
    return "; ".join(lines)


def a_kill_while_a_checkpoint_is_written_leaves_the_one_before(folder: Path) -> str:
    ends = run("three", "saving", 0, folder, size=3)
    assert ends[0].code == -9, ends[0].errors[-2000:]
    assert [told(end)[0] for end in ends[1:]] == ["UnavailableError"] * 2, ends
    again = [told(end) for end in run("three", "again", 0, folder, size=3)]
    saved = again[0][0][0]  # the third checkpoint, or the fourth where it was ready by then
    assert saved in (18.0, 30.0), again
    assert [(one[0][0], one[1]) for one in again] == [(saved, saved + 63.0)] * 3, again
    return f"from {saved:g}"


def checkpoints_restore_under_other_strategies(folder: Path) -> str:
    def by_workers(what: str) -> list[Ended]:
        return run("checkpoints", what, folder, 2)

    def by_logical_devices(what: str) -> list[Ended]:
        return [end_of(started(PROGRAMS / "checkpoints.py", None, what, folder, 3))]

    for save, restore in ((by_workers, by_logical_devices), (by_logical_devices, by_workers)):
        for end in (*save("save"), *restore("restore")):
            assert told(end) == [[1.0, 2.0], 6.0], end
    return "two workers and three logical CPUs, both ways"


def all_save_when_one_is_told_to_stop(folder: Path) -> str:
    saved = folder / "preempted"
    wanted = [told(end) for end in run("preempted", folder / "calm")]
    ends = run("preempted", saved, "stopped")
    assert [end.code for end in ends] == [42, 42], ends[0].errors[-2000:]
    again = [told(end) for end in run("preempted", saved)]
    assert [one[1:] for one in again] == [one[1:] for one in wanted] == [[24.0, 16.0]] * 2
    assert {one[0] for one in again} == {4}
    return f"stopped after step {again[0][0]}"


def a_transformer_on_a_mesh_learns_as_on_one_device(folder: Path) -> str:
    program = PROGRAMS / "transformer.py"
    ends = [
        end_of(started(program, None, kind, TENSORMILL_BACKEND="xla"))
        for kind in ("whole", "divided")
    ]
    (one, whole), (four, parts) = map(told, ends)
    assert whole == [[16, 64]], whole
    assert parts == [[16, 32]] * 4, parts
    assert all(abs(a - b) < 1e-5 for a, b in zip(one, four, strict=True)), (one, four)
    return f"losses {four[0]:.4f} to {four[-1]:.4f}"


def keras_on_four_devices_learns_as_on_one(folder: Path) -> str:
    program = PROGRAMS / "mirrored.py"
    ends = [
        end_of(started(program, None, kind, TENSORMILL_BACKEND="xla")) for kind in ("one", "four")
    ]
    (one, _), (four, devices) = map(told, ends)
    assert devices == [0, 1, 2, 3], devices
    for name, wanted in one.items():
        found, wanted = np.array(four[name]), np.array(wanted)
        assert np.allclose(found, wanted, rtol=1e-3), (name, found, wanted)
    return f"losses {four['loss'][0]:.4f} to {four['loss'][-1]:.4f}"


def a_block_is_planned_for_512_devices(folder: Path) -> str:
    block = ROOT / "tests" / "cli" / "plans" / "block.py"
    options = ["--mesh", "64x8", "--shape", "x=1024,32,64"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "tensormill", "plan", f"{block}:step", *options]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr[-3000:]
    exchanges = [line.split() for line in found.stdout.splitlines() if "all-reduce" in line]
    # Activations of 16 examples, of 32 places and 64 floats each; an eighth of 49152 weights, and
    # the loss; by the links of a node and by the network between nodes.
    amounts = [" ".join(one[1:5]) for one in exchanges], [" ".join(one[-4:]) for one in exchanges]
    assert amounts[0] == ["3 x 131 kB", "1 x 24.6 kB"], found.stdout
    assert amounts[1] == ["450 GB/s along model", "50 GB/s along batch"], found.stdout
    return "; ".join(" ".join(one) for one in exchanges)


CLAIMS: list[Callable[[Path], str]] = [
    replicas_exchange_as_in_tensorflow, examples_print_the_same_everywhere,
    a_killed_worker_is_unavailable, a_worker_that_ended_is_unavailable,
    a_silent_worker_is_waited_for_as_long_as_is_told,
    other_shapes_are_different_programs, other_operations_are_different_programs,
    a_worker_that_never_comes_is_told_by_name, a_taken_port_is_told,
    training_goes_on_after_a_kill, three_wait_for_one_that_begins_late,
    whoever_runs_out_of_data_waits_for_the_others, an_error_in_one_of_three_ends_all,
    a_kill_while_a_checkpoint_is_written_leaves_the_one_before,
    checkpoints_restore_under_other_strategies,
    all_save_when_one_is_told_to_stop, a_transformer_on_a_mesh_learns_as_on_one_device,
    keras_on_four_devices_learns_as_on_one, a_block_is_planned_for_512_devices,
]  # fmt: skip


def main(names: list[str]) -> int:
    failed = 0
    for claim in CLAIMS:
        if names and claim.__name__ not in names:
            continue
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                told_of = claim(Path(folder))
            except AssertionError as error:
                failed, told_of = failed + 1, f"FAILED {error}"
        words = claim.__name__.replace("_", " ")
        print(f"{time.monotonic() - begin:5.0f} s  {words}: {told_of}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
