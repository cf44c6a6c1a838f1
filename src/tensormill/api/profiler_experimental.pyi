# Written by `make stubs` from the table beside it.

"""`tf.profiler.experimental`: what ran, when, and on which line."""

from ..summary.profiler import Profile as Profile
from ..summary.profiler import ProfilerOptions as ProfilerOptions
from ..summary.profiler import ProfileTrace as Trace
from ..summary.profiler import start as start
from ..summary.profiler import stop as stop

__all__ = ['Profile', 'ProfilerOptions', 'Trace', 'start', 'stop']
