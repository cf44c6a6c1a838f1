"""Tables that several feature columns have in common: kept in a collection of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...feature_columns.dense import SharedEmbeddingColumn
from ...graph.by_hand.default_graph import root_graph


def owner(column: Any) -> str:
    """Whose variables those of a column are: its own, or those of all that share them."""
    if isinstance(column, SharedEmbeddingColumn):
        return column.shared_embedding_collection_name
    return column.name


def shared(column: Any, make: Callable[[], Any]) -> Any:
    """The variable of a column: that which others share with it, or a new one."""
    graph = root_graph()
    if graph is None or not isinstance(column, SharedEmbeddingColumn):
        return make()
    collection = column.shared_embedding_collection_name
    kept = graph.get_collection(collection)
    if not kept:
        graph.add_to_collection(collection, made := make())
        return made
    wanted = [column.categorical_column.num_buckets, column.dimension]
    if len(kept) > 1 or wanted != kept[0].shape.as_list():
        raise ValueError(
            f"Collection {collection} can only contain one variable, of the shape {wanted} that "
            f"{column.name} needs; it holds {kept}. Suggested fix: name it in no other place, by "
            "shared_embedding_collection_name"
        )
    return kept[0]
