# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.summary`: messages for TensorBoard that graphs make."""

from ..graph.proto.session_messages import Event as Event
from ..version_one.event_writer import FileWriter as FileWriter
from ..version_one.event_writer import FileWriterCache as FileWriterCache
from ..graph.proto.session_messages import SessionLog as SessionLog
from ..graph.proto.session_messages import Summary as Summary
from ..graph.proto.session_messages import SummaryDescription as SummaryDescription
from ..graph.proto.session_messages import TaggedRunMetadata as TaggedRunMetadata
from ..version_one.summaries import all_v2_summary_ops as all_v2_summary_ops
from ..version_one.summaries import audio as audio
from ..version_one.summaries import get_summary_description as get_summary_description
from ..version_one.summaries import histogram as histogram
from ..version_one.summaries import image as image
from ..version_one.summaries import initialize as initialize
from ..version_one.summaries import merge as merge
from ..version_one.summaries import merge_all as merge_all
from ..version_one.summaries import scalar as scalar
from ..version_one.summaries import tensor_summary as tensor_summary
from ..version_one.summaries import text as text

__all__ = ['Event', 'FileWriter', 'FileWriterCache', 'SessionLog', 'Summary', 'SummaryDescription', 'TaggedRunMetadata', 'all_v2_summary_ops', 'audio', 'get_summary_description', 'histogram', 'image', 'initialize', 'merge', 'merge_all', 'scalar', 'tensor_summary', 'text']
