# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.logging`: levels, and how much is shown."""

from typing import Any as _Any
from ..compat.logging import DEBUG as DEBUG
from ..compat.logging import ERROR as ERROR
from ..compat.logging import FATAL as FATAL
from ..compat.logging import INFO as INFO
from ..compat.logging import TaskLevelStatusMessage as TaskLevelStatusMessage
from ..compat.logging import WARN as WARN
from ..compat.logging import debug as debug
from ..compat.logging import error as error
from ..compat.logging import fatal as fatal
from ..compat.logging import flush as flush
from ..compat.logging import get_verbosity as get_verbosity
from ..compat.logging import info as info
from ..compat.logging import log as log
from ..compat.logging import log_every_n as log_every_n
from ..compat.logging import log_first_n as log_first_n
from ..compat.logging import log_if as log_if
from ..compat.logging import set_verbosity as set_verbosity
from ..compat.logging import vlog as vlog
from ..compat.logging import warning as warning

__all__ = ['DEBUG', 'ERROR', 'FATAL', 'INFO', 'TaskLevelStatusMessage', 'WARN', 'debug', 'error', 'fatal', 'flush', 'get_verbosity', 'info', 'log', 'log_every_n', 'log_first_n', 'log_if', 'set_verbosity', 'vlog', 'warn', 'warning']

def warn(msg: _Any, *args: _Any, **kwargs: _Any) -> None:
    """Log a message of level WARN; `args` are what `msg % args` takes.

    >>> tf.compat.v1.logging.warning("loss is %.1f", 0.5)"""
