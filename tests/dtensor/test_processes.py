"""What the environment says of processes, of which there is one."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

dtensor = tf.experimental.dtensor


@pytest.mark.parametrize("number", ["-1", "1", "x"])
def test_a_process_has_a_number_below_that_of_all(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DTENSOR_CLIENT_ID", number)

    with pytest.raises(ValueError, match=number):
        dtensor.client_id()


@pytest.mark.parametrize("task", [1, -1, "a"])
def test_there_is_no_task_but_the_first(task: Any) -> None:
    with pytest.raises(ValueError, match="one process"):
        dtensor.full_job_name(task)
