"""TensorFlow GNN's graphs as values: messages between nodes, layers that learn, batches."""

import numpy as np
import tensorflow as tf
import tensorflow_gnn as gnn


def _graph(nodes=4, seed=0):
    numbers = np.random.RandomState(seed)
    features = numbers.normal(size=(nodes, 3)).astype("float32")
    source, target = numbers.randint(0, nodes, (2, 6))
    return gnn.GraphTensor.from_pieces(
        context=gnn.Context.from_fields(features={"label": tf.constant([float(seed)])}),
        node_sets={
            "paper": gnn.NodeSet.from_fields(
                sizes=[nodes], features={gnn.HIDDEN_STATE: tf.constant(features)}
            )
        },
        edge_sets={
            "cites": gnn.EdgeSet.from_fields(
                sizes=[6],
                features={"weight": tf.constant(numbers.uniform(size=6).astype("float32"))},
                adjacency=gnn.Adjacency.from_indices(("paper", source), ("paper", target)),
            )
        },
    )


def messages_are_pooled():
    graph = _graph()
    sent = gnn.broadcast_node_to_edges(graph, "cites", gnn.SOURCE, feature_name=gnn.HIDDEN_STATE)
    kinds = "sum", "mean", "max_no_inf", "min_no_inf"
    at_nodes = {
        kind: gnn.pool_edges_to_node(graph, "cites", gnn.TARGET, kind, feature_value=sent)
        for kind in kinds
    }
    whole = gnn.pool_nodes_to_context(graph, "paper", "sum", feature_name=gnn.HIDDEN_STATE)
    weights = gnn.softmax_edges_per_node(graph, "cites", gnn.TARGET, feature_name="weight")
    return at_nodes, whole, weights


def graphs_go_through_functions():
    graph = _graph()

    @tf.function
    def doubled(graph):
        states = graph.node_sets["paper"][gnn.HIDDEN_STATE]
        return graph.replace_features(node_sets={"paper": {gnn.HIDDEN_STATE: 2.0 * states}})

    found = doubled(graph)
    return found.node_sets["paper"][gnn.HIDDEN_STATE], found.edge_sets["cites"].adjacency.source


def graphs_are_batched_and_merged():
    graphs = [_graph(seed=seed) for seed in range(2)]
    data = tf.data.Dataset.from_tensors(graphs[0]).concatenate(
        tf.data.Dataset.from_tensors(graphs[1])
    )
    merged = next(iter(data.batch(2))).merge_batch_to_components()
    return (
        merged.num_components, merged.node_sets["paper"].sizes,
        merged.edge_sets["cites"].adjacency.target, merged.context["label"],
    )  # fmt: skip


def layers_learn():
    tf.keras.utils.set_random_seed(3)
    graph = _graph()
    update = gnn.keras.layers.GraphUpdate(
        node_sets={
            "paper": gnn.keras.layers.NodeSetUpdate(
                {
                    "cites": gnn.keras.layers.SimpleConv(
                        tf.keras.layers.Dense(5, "relu"), "sum", receiver_tag=gnn.TARGET
                    )
                },
                gnn.keras.layers.NextStateFromConcat(tf.keras.layers.Dense(3)),
            )
        }
    )
    losses = []
    optimizer = tf.keras.optimizers.legacy.SGD(0.05)
    for _ in range(4):
        with tf.GradientTape() as tape:
            states = update(graph).node_sets["paper"][gnn.HIDDEN_STATE]
            loss = tf.reduce_mean((states - 1.0) ** 2)
        slopes = tape.gradient(loss, update.trainable_variables)
        optimizer.apply_gradients(zip(slopes, update.trainable_variables, strict=True))
        losses.append(loss)
    return losses, update.trainable_variables


def schemas_are_read():
    schema = gnn.parse_schema(
        'node_sets { key: "paper" value { features { key: "hidden_state" value {'
        " dtype: DT_FLOAT shape { dim { size: 3 } } } } } }"
        ' edge_sets { key: "cites" value { source: "paper" target: "paper" } }'
    )
    spec = gnn.create_graph_spec_from_schema_pb(schema)
    example = gnn.write_example(
        gnn.homogeneous(
            source=tf.constant([0, 1]), target=tf.constant([1, 2]), node_features=tf.eye(3)
        )
    )
    return (
        spec.node_sets_spec["paper"]["hidden_state"].shape.as_list(),
        sorted(example.features.feature),
    )
