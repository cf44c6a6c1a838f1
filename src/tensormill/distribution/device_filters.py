"""`tf.config.experimental.ClusterDeviceFilters`: which devices of others a task may see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class ClusterDeviceFilters:
    """For tasks of a cluster, what the names of the devices that they see begin with.

    >>> filters = tf.config.experimental.ClusterDeviceFilters()
    >>> filters.set_device_filters("worker", 0, ["/job:ps"])
    """

    def __init__(self) -> None:
        self.filters: dict[str, dict[int, list[str]]] = {}

    def set_device_filters(
        self, job_name: str, task_index: int, device_filters: Iterable[Any]
    ) -> None:
        """Let one task see the devices whose names begin so, and its own.

        Raises:
            TypeError: `device_filters` has something else than text.
        """
        wanted = list(device_filters)
        if not all(isinstance(one, str) for one in wanted):
            raise TypeError(f"device_filters must be a list of text, not {device_filters!r}")
        self.filters.setdefault(job_name, {})[task_index] = wanted
