"""`tf.DeviceSpec`."""

from __future__ import annotations

import pytest

import tensormill as tf

D = tf.DeviceSpec


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/job:w/replica:1/task:2/device:GPU:3", "/job:w/replica:1/task:2/device:GPU:3"),
        ("/cpu:0", "/device:CPU:0"),
        ("/job:w/device:CPU:*", "/job:w/device:CPU:*"),
        ("", ""),
        ("/CPU", "/device:CPU:*"),
        ("/CUSTOM:0", "/device:CUSTOM:0"),
        ("/device:foo:0", "/device:foo:0"),
        ("/device:Cpu:1", "/device:Cpu:1"),
        ("//cpu:01/job:*/", "/job:*/device:CPU:1"),
        ("/job:a/job:b", "/job:b"),
    ],
)
def test_a_name_is_read_and_written(given: str, expected: str) -> None:
    spec = D.from_string(given)

    assert expected == spec.to_string()
    assert repr(spec) == str(spec)
    assert spec == D.from_string(expected)
    assert hash(spec) == hash(D.from_string(expected))


def test_facts_are_merged_and_replaced() -> None:
    job, gpu = D(job="w"), D(device_type="gpu", device_index=1)

    assert "/job:w/device:GPU:1" == job.make_merged_spec(gpu).to_string()
    assert "/device:GPU:2" == gpu.replace(device_index=2).to_string()
    assert ("w", None, None) == (job.job, job.replica, job.task)
    assert ("GPU", 1) == (gpu.device_type, gpu.device_index)
    assert (
        "<DeviceSpec(job=w, replica=None, task=None, device_type=None, device_index=None)>"
        == repr(job)
    )


@pytest.mark.parametrize(
    "wrong", ["/foo:3", "/device:CPU:0/device:GPU:1", "/cpu:0:1", "/XLA_CPU:0", "/job:x:y"]
)
def test_what_is_no_device_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="while parsing the device spec"):
        D.from_string(wrong)


@pytest.mark.parametrize("wrong", ["/task:*", "/replica:x", "/CPU:x"])
def test_numbers_are_numbers(wrong: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        D.from_string(wrong)


def test_kinds_stay_as_they_are_written() -> None:
    assert "/device:cPu:1" == D(device_type="cPu", device_index=1).to_string()


def test_operations_are_placed_by_a_spec() -> None:
    with tf.device(D(device_type="CPU", device_index=0)):
        assert 3 == int(tf.constant(1) + 2)
