# Written by `make stubs` from the table beside it.

"""`tf.test.experimental`: waiting for devices."""

from ..testing.comparisons import sync_devices as sync_devices

__all__ = ['sync_devices']
