"""`tf.distribute.ParameterServerStrategy`: named by programs that ask what their strategy is."""

from __future__ import annotations

from typing import Any

from ..errors import UnimplementedError
from .strategy import Strategy


class ParameterServerStrategy(Strategy):
    """Variables on some machines, and work on others: no strategy is of this class.

    >>> isinstance(tf.distribute.get_strategy(), tf.distribute.ParameterServerStrategy)
    False

    Raises:
        UnimplementedError: always; other strategies share work between processes.
    """

    # Asked for by clients that hand out work to other processes.
    _should_use_with_coordinator: bool = True

    def __init__(self, cluster_resolver: Any, variable_partitioner: Any = None) -> None:
        raise UnimplementedError(
            "ParameterServerStrategy: there are no parameter servers here; use "
            "tf.distribute.MultiWorkerMirroredStrategy for several processes, "
            "tf.distribute.MirroredStrategy within one"
        )
