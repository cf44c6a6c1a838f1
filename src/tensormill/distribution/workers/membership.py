"""Which processes run a program together, and which of them this is, as a resolver says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from ...errors import InvalidArgumentError

# The jobs whose tasks train together, in the order of their ranks.
TRAINING: Final = ("chief", "worker")
EXAMPLE: Final = (
    '\'{"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": 0}}\''
)


class Membership(NamedTuple):
    """This process among those that train together.

    addresses: "host:port" of all of them, by rank; none where this one trains with nobody.
    """

    task_type: str | None
    task_id: int | None
    rank: int
    addresses: Sequence[str]

    @property
    def size(self) -> int:
        """How many processes train together."""
        return max(len(self.addresses), 1)

    @property
    def leads(self) -> bool:
        """Whether this is the one that the others meet at, and that writes files."""
        return self.rank == 0

    def named(self, rank: int) -> str:
        """A process of the cluster, for messages."""
        return f"worker {rank} ({self.addresses[rank]})"


def membership(resolver: Any) -> Membership:
    """What a resolver says of the cluster and of this process.

    Raises:
        ValueError: it does not know such a task, or the task is not one that trains.
        InvalidArgumentError: an address has no port.
    """
    cluster = resolver.cluster_spec()
    jobs: dict[str, Any] = cluster.as_dict() if cluster else {}
    task_type, task_id = resolver.task_type, resolver.task_id
    if not jobs:
        return Membership(task_type, task_id, 0, ())
    _require_known(jobs)
    if task_type is None and task_id is None and sum(map(len, jobs.values())) == 1:
        task_type, task_id = next(iter(jobs)), 0
    if task_type is None or task_id is None:
        raise ValueError(
            f"the cluster has the jobs {sorted(jobs)}, and nothing says which task this process "
            f"is: set TF_CONFIG to something like {EXAMPLE}"
        )
    _require_task(jobs, task_type, task_id)
    if task_type == "evaluator":
        return Membership(task_type, task_id, 0, ())
    training = [(job, number) for job in TRAINING for number in range(len(jobs.get(job, ())))]
    addresses = [cluster.task_address(job, number) for job, number in training]
    for address in addresses:
        _require_port(address)
    return Membership(task_type, task_id, training.index((task_type, task_id)), addresses)


def _require_known(jobs: dict[str, Any]) -> None:
    """Refuse jobs that are of no use here.

    Raises:
        ValueError: a job is no worker's, or there are several chiefs.
    """
    for job in jobs:
        if job not in (*TRAINING, "evaluator"):
            raise ValueError(
                f"the cluster has a job {job!r}: MultiWorkerMirroredStrategy has chief, worker and "
                "evaluator tasks, which exchange tensors directly"
            )
    if len(jobs.get("chief", ())) > 1:
        raise ValueError(f"There must be at most one 'chief' job, got {len(jobs['chief'])}")


def _require_task(jobs: dict[str, Any], task_type: str, task_id: int) -> None:
    """Refuse a task that is not in the cluster.

    Raises:
        ValueError: it is not.
    """
    if task_type not in jobs:
        raise ValueError(
            f"the task is of type {task_type!r}, and the cluster has only {sorted(jobs)}"
        )
    count = len(jobs[task_type])
    if not 0 <= task_id < count:
        raise ValueError(f"there is no task {task_type}:{task_id}: the cluster has {count} of them")


def _require_port(address: str) -> None:
    """Refuse an address where nobody can listen.

    Raises:
        InvalidArgumentError: it is not "host:port".
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise InvalidArgumentError(f"{address!r} is no address of a worker: give 'host:port'")
