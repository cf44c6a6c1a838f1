# Written by `make stubs` from the table beside it.

"""`tf.version`: which TensorFlow, which tensormill."""

from ..eager.version import COMPILER_VERSION as COMPILER_VERSION
from ..eager.version import GIT_VERSION as GIT_VERSION
from ..eager.version import GRAPH_DEF_VERSION as GRAPH_DEF_VERSION
from ..eager.version import GRAPH_DEF_VERSION_MIN_CONSUMER as GRAPH_DEF_VERSION_MIN_CONSUMER
from ..eager.version import GRAPH_DEF_VERSION_MIN_PRODUCER as GRAPH_DEF_VERSION_MIN_PRODUCER
from ..eager.version import TENSORMILL as TENSORMILL
from ..eager.version import VERSION as VERSION

__all__ = ['COMPILER_VERSION', 'GIT_VERSION', 'GRAPH_DEF_VERSION', 'GRAPH_DEF_VERSION_MIN_CONSUMER', 'GRAPH_DEF_VERSION_MIN_PRODUCER', 'TENSORMILL', 'VERSION']
