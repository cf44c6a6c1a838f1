# Written by `make stubs` from the table beside it.

"""`tf.train.experimental`: Python objects in checkpoints, and checkpoints of several files."""

from ..checkpoint.sharding import MaxShardSizePolicy as MaxShardSizePolicy
from ..checkpoint.python_state import PythonState as PythonState
from ..checkpoint.sharding import ShardByTaskPolicy as ShardByTaskPolicy
from ..checkpoint.sharding import ShardableTensor as ShardableTensor
from ..checkpoint.sharding import ShardingCallback as ShardingCallback

__all__ = ['MaxShardSizePolicy', 'PythonState', 'ShardByTaskPolicy', 'ShardableTensor', 'ShardingCallback']
