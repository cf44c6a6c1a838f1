# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.profiler`: how many parameters a graph has, and what its operations calculate."""

from ..graph.serialized.profiler_messages import AdviceProto as AdviceProto
from ..graph.proto.session_messages import GraphNodeProto as GraphNodeProto
from ..graph.proto.session_messages import MultiGraphNodeProto as MultiGraphNodeProto
from ..graph.serialized.profiler_messages import OpLogProto as OpLogProto
from ..version_one.profiles.options import ProfileOptionBuilder as ProfileOptionBuilder
from ..version_one.profiles.profile import profile as profile

__all__ = ['AdviceProto', 'GraphNodeProto', 'MultiGraphNodeProto', 'OpLogProto', 'ProfileOptionBuilder', 'profile']
