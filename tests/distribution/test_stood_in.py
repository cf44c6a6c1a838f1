"""Programs for TPUs and GPUs run on devices of the host, as on such devices where JAX has them.

JAX counts its devices once in a process, so child processes with four of them tell all of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.sampled(among="processes of several devices")


def told(*arguments: str, backend: str | None) -> Any:
    environment = os.environ | {
        "TENSORMILL_EFFORT": "0",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
    }
    environment.pop("TENSORMILL_BACKEND", None)
    if backend is not None:
        environment["TENSORMILL_BACKEND"] = backend
    command = [sys.executable, "-m", "tests.distribution.stood_in", *arguments]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.fixture(scope="module")
def tpus() -> Any:
    return told(backend="xla")


@pytest.fixture(scope="module")
def gpus() -> Any:
    return told("GPU", backend=None)


@pytest.mark.parametrize("kind", ["cuda", "tpu"])
def test_that_jax_finds_no_device_is_told_in_one_sentence(kind: str) -> None:
    environment = os.environ | {"TENSORMILL_BACKEND": "xla", "JAX_PLATFORMS": kind}
    program = "import tensormill as tf; tf.function(lambda x: x + 1.0)(tf.constant(1.0))"
    command = [sys.executable, "-c", program]

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    assert ended.returncode == 1
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("tensormill.errors.InternalError: JAX finds no device: ")
    assert last.endswith(f"JAX_PLATFORMS={kind!r} is all that it may look for")


def test_a_resolver_knows_the_tpus_and_how_they_lie(tpus: Any) -> None:
    assert tpus["resolver"] == [{"TPU": 4}, "", "worker"]
    assert tpus["core"] == "/task:0/device:TPU:2"
    assert tpus["cores"] == 4
    assert tpus["logical"] == [f"/device:TPU:{k}" for k in range(4)]


def test_a_strategy_has_a_replica_on_each_tpu(tpus: Any) -> None:
    assert tpus["knows"] == [4, True]
    assert tpus["tpus"]["places"] == [f"device:TPU:{k}" for k in range(4)]
    assert tpus["tpus"]["devices"] == [0, 1, 2, 3]
    assert tpus["first"] == 4


def test_keras_trains_on_tpus_as_on_other_devices(tpus: Any) -> None:
    found, expected = tpus["tpus"], tpus["cpus"]
    assert expected["places"] == [f"device:CPU:{k}" for k in range(4)]
    for name in ("history", "predicted", "tested", "weights"):
        assert found[name] == expected[name], name


def test_what_tpus_of_this_machine_are_not_is_refused(tpus: Any) -> None:
    refused = tpus["refused"]
    assert refused["eager"].startswith("NotImplementedError: TPUStrategy.run(fn, ...) does not")
    assert refused["other"].startswith("ValueError: 'grpc://10.0.0.2:8470': only the 4 TPUs of")
    assert refused["assigned"].startswith("ValueError: TPUStrategy: each replica has one TPU")


def test_gpus_are_listed_and_may_be_hidden(gpus: Any) -> None:
    assert gpus["physical"] == [f"/physical_device:GPU:{k}" for k in range(3)]
    assert gpus["logical"] == ["/device:CPU:0", "/device:GPU:0", "/device:GPU:1"]
    assert gpus["available"] == [True, "/device:GPU:0"]
    assert gpus["growth"]


def test_functions_and_variables_are_on_the_first_gpu_that_is_not_hidden(gpus: Any) -> None:
    assert gpus["result"] == [[2], [2.0, 4.0]]
    assert gpus["variable"] == [2]
    assert gpus["changed"] == [3.0, 5.0]


def test_functions_are_programs_of_xla_where_a_gpu_is_visible(gpus: Any) -> None:
    assert gpus["engines"] == ["xla", "cpu", "xla"]


def test_names_of_gpus_mean_them(gpus: Any) -> None:
    there = [f"/job:localhost/replica:0/task:0/device:GPU:{k}" for k in range(2)]
    assert gpus["meant"] == there[1]
    assert gpus["mirrored"] == gpus["central"] == there


def test_recurrent_layers_of_keras_do_without_the_library_of_the_gpu(gpus: Any) -> None:
    assert gpus["recurrent"] == ["/job:localhost/replica:0/task:0/device:GPU:0"] * 2


def test_what_jax_does_not_do_with_gpus_is_refused(gpus: Any) -> None:
    refused = gpus["refused"]
    assert refused["divided"].startswith("RuntimeError: Virtual devices cannot be modified after")
    assert refused["late"].startswith("RuntimeError: Visible devices cannot be modified after")
    assert refused["uncounted"].startswith("ValueError: Allocator stats not available for device")
    assert refused["hidden"].startswith("ValueError: No matching devices found for 'GPU:2'")
