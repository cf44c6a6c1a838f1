"""JAX's collectives between the CPUs of several processes, which Gloo carries.

They exchange rows of bytes and of numbers: shapes are NumPy's affair. One thread calls this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import jax
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.extend.backend import get_backend
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ..errors import FailedPreconditionError, UnavailableError
from .scope import wide

AXIS: Final = "workers"
AFTER_JAX: Final = (
    "JAX computed something before the processes were connected: make the strategy first, at the "
    "beginning of the program"
)


def connect(address: str, bind_address: str, size: int, rank: int, seconds: float) -> Gloo:
    """Connect this process, number `rank` of `size`, to the others.

    address: where process 0 is found. bind_address: where it listens. seconds: how long that may
    take.

    Once all are connected nobody needs JAX's service for that any more, which would end every
    process when one of them goes. From then on a process that ends closes its connections, and
    that the others notice.

    Raises:
        FailedPreconditionError: JAX was used before.
        UnavailableError: JAX does not get through to the others.
    """
    config: Any = jax.config
    config.update("jax_cpu_collectives_implementation", "gloo")
    with _service(
        address, size, rank,
        cluster_detection_method="deactivate",
        coordinator_bind_address=bind_address,
        initialization_timeout=int(seconds) + 1,
        shutdown_timeout_seconds=int(seconds) + 1,
    ):  # fmt: skip
        connection = Gloo(size, rank)
        with _output_as_errors():
            connection.rows(np.zeros(1, np.uint8))
    return connection


@contextmanager
def _output_as_errors() -> Generator[None]:
    """Gloo says on the standard output that it is connected: that is the program's own."""
    sys.stdout.flush()
    kept = os.dup(1)
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def _service(*args: Any, **kwargs: Any) -> Generator[None]:
    if jax.distributed.is_initialized():
        raise FailedPreconditionError(AFTER_JAX)
    try:
        jax.distributed.initialize(*args, **kwargs)
    except RuntimeError as error:
        # Both are plain RuntimeErrors, and whether JAX has begun it tells nobody in public.
        if "before any JAX" in str(error):
            raise FailedPreconditionError(AFTER_JAX) from None
        raise UnavailableError(f"JAX cannot connect the workers: {error}") from None
    try:
        yield
    finally:
        jax.distributed.shutdown()


class Gloo:
    """One CPU of each process, as a mesh of JAX's."""

    def __init__(self, size: int, rank: int) -> None:
        devices: Any = get_backend("cpu").devices()
        first = {device.process_index: device for device in reversed(devices)}
        row = np.array([first[number] for number in range(size)])
        self._size: Final = size
        self._here: Final = first[rank]
        self._mesh: Final = Mesh(row, (AXIS,))
        self._sharding: Final = NamedSharding(self._mesh, PartitionSpec(AXIS))
        self._program: Final = cache(self._make)

    def rows(self, row: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """The bytes of all, by rank: uint8[size, n]."""
        return self._run(row, "rows")

    def reduced(self, numbers: npt.NDArray[Any], merge: str) -> npt.NDArray[Any]:
        """Their sum ("Add"), product ("Mul"), or the least ("Min") or largest ("Max") of each."""
        return self._run(numbers, merge)

    def _run(self, local: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
        with wide():
            placed = jax.device_put(local[None], self._here)
            whole = jax.make_array_from_single_device_arrays(
                (self._size, *local.shape), self._sharding, [placed]
            )
            return np.asarray(self._program(what)(whole).addressable_data(0))

    def _make(self, what: str) -> Callable[[Any], Any]:
        """A program: JAX keeps one for each dtype and size."""
        mapped = jax.shard_map(
            _RULES[what], mesh=self._mesh, in_specs=PartitionSpec(AXIS), out_specs=PartitionSpec(),
            check_vma=False,
        )  # fmt: skip
        return jax.jit(mapped)


_RULES: Final[dict[str, Callable[[Any], Any]]] = {
    "rows": lambda x: lax.all_gather(x, AXIS, tiled=True),
    "Add": lambda x: lax.psum(x, AXIS)[0],
    "Min": lambda x: lax.pmin(x, AXIS)[0],
    "Max": lambda x: lax.pmax(x, AXIS)[0],
    "Mul": lambda x: lax.all_gather(x, AXIS, tiled=True).prod(0, dtype=x.dtype),
}
