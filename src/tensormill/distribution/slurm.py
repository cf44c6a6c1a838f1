"""Who takes part in a step of the batch system Slurm, read from its environment variables."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from ..graph.proto.clusters import ClusterSpec
from .cluster_resolvers import ClusterResolver, address_by

# One part of a list of hosts: `n1`, or `n[1-3,007]`; and of task counts: `2`, or `2(x3)`.
HOSTS: Final = re.compile(r"([^\[\],]+)(?:\[([\d,-]+)\])?(?:,|$)")
COUNTS: Final = re.compile(r"(\d+)(?:\(x(\d+)\))?(?:,|$)")


class SlurmClusterResolver(ClusterResolver):
    """Knows the tasks of a Slurm step: as many of each job, in the jobs' order, as `jobs` says.

    jobs: {job: number of tasks}; None: all are workers. port_base: the port of the first task of
    each host. tasks_per_node: a number, or one for each host; None: what Slurm says.
    gpus_per_node, gpus_per_task: how many GPUs; None: those that CUDA_VISIBLE_DEVICES or
    `nvidia-smi` names, in equal shares for the tasks of the host that has most. Where
    `auto_set_gpu` is true, CUDA_VISIBLE_DEVICES is set to those of this task. rpc_layer: the
    protocol of addresses.

    Raises:
        RuntimeError: this is no Slurm step, it has another number of tasks, or a host has too few
            GPUs.
        ValueError: Slurm's variables cannot be read.
    """

    def __init__(
        self,
        jobs: Mapping[str, int] | None = None,
        port_base: int = 8888,
        gpus_per_node: int | None = None,
        gpus_per_task: int | None = None,
        tasks_per_node: Any = None,
        auto_set_gpu: bool = True,
        rpc_layer: str = "grpc",
    ) -> None:
        rank, count = int(_variable("PROCID")), int(_variable("STEP_NUM_TASKS"))
        self.rpc_layer = rpc_layer
        wanted = dict(sorted((jobs or {"worker": count}).items()))
        hosts = _tasks_of_hosts(tasks_per_node)
        _require_tasks(sum(wanted.values()), sum(hosts.values()), count)
        gpus = _visible_gpus() if gpus_per_node is None else [*map(str, range(gpus_per_node))]
        most = max(hosts.values())
        self._gpus = len(gpus) // most if gpus_per_task is None else gpus_per_task
        if most * self._gpus > len(gpus):
            raise RuntimeError(
                f"Requested more GPUs per node than available: {self._gpus} for each of "
                f"{most} tasks, of {len(gpus)}"
            )
        places = [
            (host, number) for host, tasks in sorted(hosts.items()) for number in range(tasks)
        ]
        if not 0 <= rank < len(places):
            raise RuntimeError(f"SLURM_PROCID is {rank}, but there are {len(places)} tasks")
        addresses = iter([f"{host}:{port_base + number}" for host, number in places])
        self._jobs = {job: [*islice(addresses, tasks)] for job, tasks in wanted.items()}
        self.task_type, self.task_id = _task_of(rank, wanted)
        if auto_set_gpu and self._gpus:
            first = places[rank][1] * self._gpus
            os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(gpus[first : first + self._gpus])

    def cluster_spec(self) -> Any:
        """The addresses of the tasks of each job."""
        return ClusterSpec(self._jobs)

    def get_task_info(self) -> tuple[str | None, int | None]:
        """The job of this process, and its number in it."""
        return self.task_type, self.task_id

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or of this process.

        Raises:
            ValueError: there is no such task.
        """
        job, number = (
            self.get_task_info() if task_type is None or task_id is None else (task_type, task_id)
        )
        address = self.cluster_spec().task_address(str(job), number)
        return address_by(rpc_layer or self.rpc_layer, address)

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many GPUs each task has."""
        return {"GPU": self._gpus}


def _visible_gpus() -> list[str]:
    """The GPUs of this host that a process of the step may have, by their names for CUDA."""
    told = os.environ.get("CUDA_VISIBLE_DEVICES")
    if told is not None:
        return [one for one in told.split(",") if one]
    if (program := shutil.which("nvidia-smi")) is None:
        return []
    found = subprocess.run([program, "--list-gpus"], capture_output=True, text=True, check=False)
    return [str(number) for number, _ in enumerate(found.stdout.splitlines())]


def _variable(name: str) -> str:
    for key in (f"SLURM_{name}", f"SLURM_{name.removeprefix('STEP_')}"):
        if key in os.environ:
            return os.environ[key]
    raise RuntimeError(f"SLURM_{name} not found in environment. Not running inside a SLURM step?")


def _tasks_of_hosts(told: Any) -> dict[str, int]:
    """How many tasks each host has."""
    if isinstance(told, Mapping):
        return dict(told)
    hosts = _hosts(_variable("STEP_NODELIST"))
    if told is not None:
        return dict.fromkeys(hosts, int(told))
    return dict(zip(hosts, _counts(_variable("STEP_TASKS_PER_NODE")), strict=False))


def _require_tasks(wanted: int, there: int, count: int) -> None:
    if not wanted == there == count:
        other = there if wanted == count else count
        raise RuntimeError(f"Requested {wanted} tasks but only {other} were assigned.")


def _hosts(text: str) -> list[str]:
    """The hosts of Slurm's compressed list: n[1-2,04],m is n1, n2, n04 and m."""
    found: list[str] = []
    for prefix, numbers in _parts(HOSTS, text, "hostlist"):
        found += [f"{prefix}{number}" for number in _numbers(numbers)] if numbers else [prefix]
    return found


def _numbers(text: str) -> list[str]:
    found: list[str] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        width, end = len(first), int(last or first)
        found += [f"{number:0{width}}" for number in range(int(first), end + 1)]
    return found


def _counts(text: str) -> list[int]:
    """The numbers of Slurm's compressed list: 2(x3),1 is 2, 2, 2 and 1."""
    parts = _parts(COUNTS, text, "tasks-per-node list")
    return [int(number) for number, times in parts for _ in range(int(times or 1))]


def _parts(pattern: re.Pattern[str], text: str, what: str) -> list[tuple[str, str]]:
    found, place = [], 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            raise ValueError(f'Invalid {what} format "{text}": Invalid part: {text[place:]}')
        found.append((match[1], match[2] or ""))
        place = match.end()
    if not found:
        raise ValueError(f'Invalid {what} format "{text}": it is empty')
    return found


def _task_of(rank: int, jobs: Mapping[str, int]) -> tuple[str | None, int | None]:
    for job, count in jobs.items():
        if rank < count:
            return job, rank
        rank -= count
    return None, None
