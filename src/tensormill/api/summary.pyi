# Written by `make stubs` from the table beside it.

"""`tf.summary`: what TensorBoard shows."""

from ..summary.summaries import SummaryWriter as SummaryWriter
from ..summary.summaries import audio as audio
from ..summary.summaries import create_file_writer as create_file_writer
from ..summary.summaries import create_noop_writer as create_noop_writer
from . import summary_experimental as experimental
from ..summary.summaries import flush as flush
from ..summary.function_traces import graph as graph
from ..summary.summaries import histogram as histogram
from ..summary.summaries import image as image
from ..summary.summaries import record_if as record_if
from ..summary.summaries import scalar as scalar
from ..summary.summaries import should_record_summaries as should_record_summaries
from ..summary.summaries import text as text
from ..summary.function_traces import trace_export as trace_export
from ..summary.function_traces import trace_off as trace_off
from ..summary.function_traces import trace_on as trace_on
from ..summary.summaries import write as write

__all__ = ['SummaryWriter', 'audio', 'create_file_writer', 'create_noop_writer', 'experimental', 'flush', 'graph', 'histogram', 'image', 'record_if', 'scalar', 'should_record_summaries', 'text', 'trace_export', 'trace_off', 'trace_on', 'write']
