"""Who takes part in a program that several processes run: `tf.train.ClusterSpec`, and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from .messages import documented, message

ClusterDef: Final[Any] = documented(
    "ClusterDef",
    """Jobs of tasks: what `tf.train.ClusterSpec` says, as a message.

    >>> tf.train.ClusterDef(job=[tf.train.JobDef(name="worker")]).job[0].name
    'worker'
    """,
)
JobDef: Final[Any] = documented(
    "JobDef",
    """The addresses of the tasks of a job, by their numbers.

    >>> tf.train.JobDef(name="worker", tasks={0: "host:2222"}).tasks[0]
    'host:2222'
    """,
)
ServerDef: Final[Any] = documented(
    "ServerDef",
    """One task of a cluster.

    >>> tf.train.ServerDef(job_name="worker", task_index=1).task_index
    1
    """,
)


class ClusterSpec:
    """The network addresses of the tasks of each job.

    cluster: a dict from jobs to lists of addresses, or to dicts from numbers to addresses; a
    `tf.train.ClusterDef`, or a ClusterSpec.

    >>> cluster = tf.train.ClusterSpec({"worker": ["a:2222", "b:2222"], "ps": {3: "c:2222"}})
    >>> cluster.jobs, cluster.num_tasks("worker"), cluster.task_address("ps", 3)
    (['worker', 'ps'], 2, 'c:2222')

    Raises:
        TypeError: it is none of these, or an address is no text.
        ValueError: a task has no number.
    """

    def __init__(self, cluster: Any) -> None:
        jobs: Any = cluster
        if isinstance(cluster, ClusterSpec):
            jobs = cluster.as_dict()
        elif isinstance(cluster, message("ClusterDef")):
            jobs = {job.name: dict(job.tasks) for job in cluster.job}
        if not isinstance(jobs, Mapping):
            raise TypeError(
                "`cluster` must be a dictionary from job names to lists of network addresses, or a "
                f"`ClusterDef`, not {cluster!r}"
            )
        given = cast("Mapping[str, Any]", jobs)
        self._jobs = {name: _tasks(name, tasks) for name, tasks in given.items()}

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._jobs)

    def as_dict(self) -> dict[str, Any]:
        """Jobs with the lists of their addresses, or with dicts where numbers are left out."""
        return {
            name: list(tasks.values()) if _is_row(tasks) else dict(tasks)
            for name, tasks in self._jobs.items()
        }

    def as_cluster_def(self) -> Any:
        """The same as a message."""
        made = message("ClusterDef")()
        for name in sorted(self._jobs):
            job = made.job.add(name=name)
            for number, address in self._jobs[name].items():
                job.tasks[number] = address
        return made

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has; a ValueError where there is no such job."""
        return len(self._tasks_of(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of a job's tasks in order; a ValueError where there is no such job."""
        return list(self._tasks_of(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task; a ValueError where there is no such one."""
        found = self._tasks_of(job_name).get(task_index)
        if found is None:
            raise ValueError(f"No task with index {task_index} in job {job_name!r}")
        return found

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of a job, None for numbers that no task has."""
        tasks = self._tasks_of(job_name)
        return [tasks.get(number) for number in range(max(tasks, default=-1) + 1)]

    def _tasks_of(self, job_name: str) -> dict[int, str]:
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._jobs)))

    def __repr__(self) -> str:
        shown = {name: self.as_dict()[name] for name in sorted(self._jobs)}
        return f"ClusterSpec({shown!r})"


def _tasks(job: str, tasks: Any) -> dict[int, str]:
    """The addresses by their numbers, in order."""
    if isinstance(tasks, (list, tuple)):
        tasks = dict(enumerate(cast("Sequence[Any]", tasks)))
    if not isinstance(tasks, Mapping):
        raise TypeError(
            f"The tasks for job {job!r} must be a list or a dictionary from integers to strings, "
            f"not {tasks!r}"
        )
    numbered = {int(number): one for number, one in cast("Mapping[Any, Any]", tasks).items()}
    for address in numbered.values():
        if not isinstance(address, (str, bytes)):
            raise TypeError(f"Task address {address!r} must be bytes or unicode")
    return {
        number: one.decode() if isinstance(one, bytes) else one
        for number, one in sorted(numbered.items())
    }


def _is_row(tasks: dict[int, str]) -> bool:
    return list(tasks) == list(range(len(tasks)))
