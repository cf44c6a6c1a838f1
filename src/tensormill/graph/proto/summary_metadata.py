"""`tf.compat.v1.SummaryMetadata`: the message that says which plugin shows a summary."""

from __future__ import annotations

from typing import Any, Final

from .messages import documented

SummaryMetadata: Final[Any] = documented(
    "SummaryMetadata",
    """What shows a summary: the plugin, with its own data, and how the summary is called there.

    >>> data = tf.compat.v1.SummaryMetadata.PluginData(plugin_name="scalars")
    >>> tf.compat.v1.SummaryMetadata(plugin_data=data, display_name="loss").display_name
    'loss'
    """,
)
