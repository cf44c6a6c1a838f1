"""Two processes over loopback exchange tensors: `make distributed` runs longer programs."""

import pytest

from tests.distributed.processes import run

# By arithmetic; the gradients are what TensorFlow's all_reduce and all_gather give.
EXPECTED = [
    ["sum, mean", [3, 20], [2.25, 15.0]],
    ["gather", [[0, 0], [1, 1], [1, 1]]],
    ["broadcast", [[1, 2, 3]]],
]


@pytest.mark.sampled(among="processes of several devices")
def test_two_processes_exchange_tensors() -> None:
    first, second = run("exchange", TENSORMILL_EFFORT="0")

    assert (first.code, second.code) == (0, 0), first.errors + second.errors
    step = ["step", [2.0, 3.0, 3.0], 6.0]
    for rank, (found, gradient) in enumerate([(first, 11.0), (second, 27.0)]):
        differ = ["different", f"the workers run different programs: worker {rank}"]
        assert found.told == [*EXPECTED, [*step, gradient], differ]
