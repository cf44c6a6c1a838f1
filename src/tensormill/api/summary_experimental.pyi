# Written by `make stubs` from the table beside it.

"""`tf.summary.experimental`: the step of summaries, and their names."""

from ..summary.summaries import get_step as get_step
from ..summary.summaries import set_step as set_step
from ..summary.summaries import summary_scope as summary_scope
from ..summary.summaries import write_raw_pb as write_raw_pb

__all__ = ['get_step', 'set_step', 'summary_scope', 'write_raw_pb']
