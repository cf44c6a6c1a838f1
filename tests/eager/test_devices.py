"""`tf.config`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tensormill as tf
from tensormill.config import settings, usable_cores
from tensormill.eager.devices import choices


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    threads, eagerly = settings.threads, settings.run_functions_eagerly
    optimizer = dict(choices.optimizer)
    yield
    settings.threads, settings.run_functions_eagerly = threads, eagerly
    choices.optimizer = optimizer


def test_there_is_one_device() -> None:
    (cpu,) = tf.config.list_physical_devices()

    assert "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')" == repr(cpu)
    assert "LogicalDevice(name='/device:CPU:0', device_type='CPU')" == repr(
        tf.config.list_logical_devices("CPU")[0]
    )
    assert [] == tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices([], "GPU")
    tf.config.set_visible_devices(tf.config.get_visible_devices())
    with pytest.raises(ValueError, match="Unrecognized device: 'foo'"):
        tf.config.set_visible_devices("foo")
    with pytest.raises(ValueError, match="Unrecognized device: None"):
        tf.config.set_visible_devices(None)


def test_a_cpu_is_not_chosen_among_gpus() -> None:
    with pytest.raises(ValueError, match=r"Unrecognized device: .*CPU:0.* is no GPU"):
        tf.config.set_visible_devices(tf.config.list_physical_devices("CPU"), "GPU")


def test_the_whole_cpu_has_no_limit_of_memory() -> None:
    (cpu,) = tf.config.list_physical_devices("CPU")
    with pytest.raises(ValueError, match="memory limit on CPU"):
        tf.config.set_logical_device_configuration(
            cpu, [tf.config.LogicalDeviceConfiguration(memory_limit=3)]
        )


def test_a_hidden_cpu_is_hidden_before_devices_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "hidden", frozenset())
    monkeypatch.setattr(choices, "has_listed_devices", False)

    tf.config.set_visible_devices([], "CPU")
    assert [] == tf.config.get_visible_devices()
    tf.config.list_logical_devices()
    with pytest.raises(RuntimeError, match="cannot be modified after being initialized"):
        tf.config.set_visible_devices(tf.config.list_physical_devices("CPU"), "CPU")


def test_functions_may_run_eagerly() -> None:
    assert not tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    assert tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(None)
    assert not tf.config.functions_run_eagerly()


def test_the_number_of_threads_can_be_chosen() -> None:
    assert 0 == tf.config.threading.get_intra_op_parallelism_threads()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    assert 1 == settings.threads
    assert 1 == tf.config.threading.get_intra_op_parallelism_threads()
    tf.config.threading.set_intra_op_parallelism_threads(0)
    assert usable_cores() == settings.threads
    assert 0 == tf.config.threading.get_intra_op_parallelism_threads()


def test_memory_growth_is_for_other_devices() -> None:
    with pytest.raises(ValueError, match="non-GPU"):
        tf.config.experimental.set_memory_growth(tf.config.list_physical_devices()[0], True)


def test_what_is_chosen_for_the_optimizer_can_be_read_back() -> None:
    optimizer = tf.config.optimizer
    before = optimizer.get_experimental_options()

    optimizer.set_experimental_options({"constant_folding": True})

    assert {"disable_model_pruning": False, "disable_meta_optimizer": False} == before
    assert before | {"constant_folding": True} == optimizer.get_experimental_options()
    assert "" == optimizer.get_jit()


@pytest.mark.parametrize("device", ["GPU:0", "CPU:1", "foo"])
def test_devices_that_are_not_there_have_no_memory(device: str) -> None:
    for function in (
        tf.config.experimental.get_memory_info,
        tf.config.experimental.get_memory_usage,
        tf.config.experimental.reset_memory_stats,
    ):
        with pytest.raises(ValueError, match=device):
            function(device)
        with pytest.raises(ValueError, match="stats not available for device '/device:CPU:0'"):
            function("/device:CPU:0")


def test_policies_are_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "device_policy", "silent")

    tf.config.experimental.set_device_policy("warn")
    assert "warn" == tf.config.experimental.get_device_policy()
    tf.config.experimental.set_device_policy(None)
    assert "silent" == tf.config.experimental.get_device_policy()
    with pytest.raises(ValueError, match="'loud'"):
        tf.config.experimental.set_device_policy("loud")


def test_operations_tell_where_they_run(capsys: pytest.CaptureFixture[str]) -> None:
    tf.debugging.set_log_device_placement(True)
    try:
        assert tf.debugging.get_log_device_placement()
        tf.constant(1) + 2
        tf.function(lambda x: x * 2)(tf.constant(3))
    finally:
        tf.debugging.set_log_device_placement(False)
    tf.constant(1) - 2

    cpu = "/job:localhost/replica:0/task:0/device:CPU:0"
    first, second, *_, last = capsys.readouterr().err.splitlines()
    assert f"Executing op AddV2 in device {cpu}" == first
    assert f"mul: (Mul): {cpu}" == second
    assert last.startswith("Executing function __inference_")
    assert not tf.debugging.get_log_device_placement()
