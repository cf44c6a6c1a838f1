"""spektral's layers, data and models, with the Keras that it was written for (tf_keras)."""

import numpy as np
import scipy.sparse
import tensorflow as tf
from spektral.data import BatchLoader, Dataset, DisjointLoader, Graph, MixedLoader, SingleLoader
from spektral.layers import convolutional as conv
from spektral.layers import ops, pooling
from spektral.models import GCN, GeneralGNN
from spektral.transforms import GCNFilter, LayerPreprocess
from spektral.utils import convolution
from spektral.utils.sparse import sp_matrix_to_sp_tensor

NODES, FEATURES, EDGES, CHANNELS = 6, 3, 2, 4


def _adjacency(*graphs):
    """Symmetric, with loops."""
    drawn = np.random.uniform(size=(*graphs, NODES, NODES)) < 0.4
    turned = np.swapaxes(drawn, -1, -2)
    return (drawn | turned | np.eye(NODES, dtype=bool)).astype("float32")


def _normal(*shape):
    return np.random.normal(size=shape).astype("float32")


def _sparse(matrix):
    return sp_matrix_to_sp_tensor(scipy.sparse.coo_matrix(matrix))


def _edges(matrix):
    """Features of the edges, in the order of the sparse matrix."""
    return _normal(int(matrix.sum()), EDGES)


def _parts(found):
    flat = tf.nest.flatten(found)
    return [tf.sparse.to_dense(x) if isinstance(x, tf.SparseTensor) else x for x in flat]


def _tried(layer, inputs):
    """What a layer gives, eagerly and in a function, and its gradients."""
    with tf.GradientTape() as tape:
        found = _parts(layer(inputs))
        total = tf.add_n([tf.reduce_sum(x**2) for x in found if x.dtype.is_floating])
    slopes = tape.gradient(total, layer.trainable_variables)
    slopes = [None if one is None else tf.convert_to_tensor(one) for one in slopes]
    return found, slopes, _parts(tf.function(layer)(inputs)), layer.get_config()["name"]


def _of_one_graph(make, prepared=None):
    """On one graph with a sparse matrix, and with a dense one where the layer takes it."""
    tf.keras.utils.set_random_seed(3)
    a, x = _adjacency(), _normal(NODES, FEATURES)
    a = a if prepared is None else np.asarray(prepared(a), "float32")
    return _tried(make(), [x, _sparse(a)])


def _of_several(make, prepared=None):
    tf.keras.utils.set_random_seed(4)
    a, x = _adjacency(2), _normal(2, NODES, FEATURES)
    a = a if prepared is None else np.asarray(prepared(a), "float32")
    return _tried(make(), [x, a])


def _of_edges(make):
    tf.keras.utils.set_random_seed(5)
    a = _adjacency()
    return _tried(make(), [_normal(NODES, FEATURES), _sparse(a), _edges(a)])


def gcn_conv():
    return _of_one_graph(lambda: conv.GCNConv(CHANNELS, "relu"), convolution.gcn_filter)


def gcn_conv_of_several():
    return _of_several(lambda: conv.GCNConv(CHANNELS), convolution.gcn_filter)


def agnn_conv():
    return _of_one_graph(conv.AGNNConv)


def appnp_conv():
    return _of_one_graph(lambda: conv.APPNPConv(CHANNELS, mlp_hidden=[5], propagations=2))


def arma_conv():
    return _of_one_graph(lambda: conv.ARMAConv(CHANNELS, order=2, iterations=2, share_weights=True))


def cheb_conv():
    return _of_one_graph(lambda: conv.ChebConv(CHANNELS, K=3), convolution.normalized_laplacian)


def crystal_conv():
    return _of_edges(conv.CrystalConv)


def diffusion_conv():
    return _of_several(lambda: conv.DiffusionConv(CHANNELS, K=3))


def edge_conditioned_conv():
    return _of_edges(lambda: conv.ECCConv(CHANNELS, kernel_network=[4]))


def edge_conv():
    return _of_one_graph(lambda: conv.EdgeConv(CHANNELS, mlp_hidden=[5]))


def gat_conv():
    return _of_one_graph(lambda: conv.GATConv(CHANNELS, attn_heads=2, dropout_rate=0.0))


def gat_conv_of_several_with_attention():
    options = {"attn_heads": 2, "dropout_rate": 0.0, "return_attn_coef": True}
    return _of_several(lambda: conv.GATConv(CHANNELS, **options))


def gated_graph_conv():
    return _of_one_graph(lambda: conv.GatedGraphConv(CHANNELS, n_layers=2))


def gcs_conv():
    return _of_one_graph(lambda: conv.GCSConv(CHANNELS))


def general_conv():
    return _of_one_graph(lambda: conv.GeneralConv(CHANNELS, dropout=0.0))


def gin_conv():
    return _of_one_graph(lambda: conv.GINConv(CHANNELS, epsilon=0.2, mlp_hidden=[5]))


def graph_sage_conv():
    return _of_one_graph(lambda: conv.GraphSageConv(CHANNELS, aggregate="max"))


def tag_conv():
    return _of_one_graph(lambda: conv.TAGConv(CHANNELS, K=2), convolution.gcn_filter)


def xe_net_conv():
    return _of_edges(lambda: conv.XENetConv([5], CHANNELS, EDGES))


def messages_of_every_kind():
    a, x = _sparse(_adjacency()), _normal(NODES, FEATURES)
    kinds = ("sum", "mean", "max", "min", "prod")
    return [conv.MessagePassing(aggregate=kind)([x, a]) for kind in kinds]


def global_pools():
    x, segments = _normal(NODES, FEATURES), np.int64([0, 0, 1, 1, 1, 2])
    made = [
        pooling.GlobalSumPool(), pooling.GlobalAvgPool(), pooling.GlobalMaxPool(),
        pooling.GlobalAttentionPool(CHANNELS), pooling.GlobalAttnSumPool(),
    ]  # fmt: skip
    tf.keras.utils.set_random_seed(6)
    return [_parts(one([x, segments])) for one in made], pooling.GlobalAvgPool()(x[None])


def sort_pool():
    return _parts(pooling.SortPool(4)(_normal(2, NODES, FEATURES)))


def diff_pool():
    return _of_several(lambda: pooling.DiffPool(3, CHANNELS, return_selection=True))


def min_cut_pool():
    return _of_several(lambda: pooling.MinCutPool(3, mlp_hidden=[4]))


def d_mon_pool():
    return _of_several(lambda: pooling.DMoNPool(3))


def top_k_pool():
    return _of_one_graph(lambda: pooling.TopKPool(0.5, return_selection=True))


def sag_pool():
    return _of_one_graph(lambda: pooling.SAGPool(0.5))


def la_pool():
    return _of_one_graph(lambda: pooling.LaPool(shortest_path_reg=False))


def products_of_modes():
    a, b = tf.constant(_adjacency()), tf.constant(_normal(2, NODES, FEATURES))
    sparse, several = _sparse(a.numpy()), tf.constant(_adjacency(2))
    stacked = tf.sparse.from_dense(several)
    return [
        ops.modal_dot(sparse, b), ops.modal_dot(a, b), ops.modal_dot(stacked, b[0]),
        ops.dot(stacked, b), ops.dot(several, b), tf.sparse.to_dense(ops.dot(sparse, sparse)),
        ops.dot(tf.transpose(b[0]), sparse), tf.sparse.to_dense(ops.dot(stacked, stacked)),
        ops.matrix_power(a, 2),
    ]  # fmt: skip


def sparse_functions():
    a = _sparse(_adjacency())
    indices = ops.add_self_loops_indices(a.indices, NODES)
    return [
        indices, tf.sparse.to_dense(ops.add_self_loops(a)), ops.normalize_A(tf.sparse.to_dense(a)),
        ops.degrees(a), ops.unsorted_segment_softmax(_normal(4, 2), np.int64([0, 1, 0, 1]), 2),
    ]  # fmt: skip


class _Drawn(Dataset):
    """Graphs of several sizes, with a label each."""

    def __init__(self, count, **options):
        self.count = count
        super().__init__(**options)

    def read(self):
        drawn = np.random.default_rng(0)
        return [self.graph(drawn, size) for size in drawn.integers(3, 7, self.count)]

    def graph(self, drawn, size):
        a = (drawn.uniform(size=(size, size)) < 0.5).astype("float32")
        x = drawn.normal(size=(size, FEATURES)).astype("float32")
        a = scipy.sparse.csr_matrix(np.maximum(a, a.T))
        return Graph(x=x, a=a, y=np.eye(2, dtype="float32")[int(x.sum() > 0)])


class _Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = conv.GCSConv(8, activation="relu")
        self.pool = pooling.GlobalSumPool()
        self.dense = tf.keras.layers.Dense(2, "softmax")

    def call(self, inputs):
        x, a, i = inputs
        return self.dense(self.pool([self.conv([x, a]), i]))


def graphs_are_classified_by_a_loop():
    tf.keras.utils.set_random_seed(7)
    data, model = _Drawn(8), _Classifier()
    loader = DisjointLoader(data, batch_size=4, epochs=2, shuffle=False)
    optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function(input_signature=loader.tf_signature(), reduce_retracing=True)
    def step(inputs, target):
        with tf.GradientTape() as tape:
            found = model(inputs, training=True)
            loss = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(target, found))
        slopes = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(slopes, model.trainable_variables))
        return loss

    return [step(*batch) for batch in loader]


def graphs_are_classified_by_fit():
    tf.keras.utils.set_random_seed(8)
    data, model = _Drawn(8), _Classifier()
    model.compile("sgd", "categorical_crossentropy", metrics=["accuracy"])
    loader = DisjointLoader(data, batch_size=4, shuffle=False)
    fitted = model.fit(loader.load(), steps_per_epoch=loader.steps_per_epoch, epochs=2, verbose=0)
    again = DisjointLoader(data, batch_size=4, shuffle=False, epochs=1)
    return fitted.history, model.evaluate(again.load(), steps=2, verbose=0)


def batches_of_padded_graphs():
    tf.keras.utils.set_random_seed(9)
    model = GeneralGNN(2, activation="softmax", hidden=8, message_passing=2, dropout=0.0)
    model.compile("sgd", "categorical_crossentropy")
    loader = DisjointLoader(_Drawn(4), batch_size=2, epochs=1, shuffle=False)
    history = model.fit(loader.load(), steps_per_epoch=2, epochs=1, verbose=0).history
    padded = [tf.nest.flatten(one) for one in BatchLoader(_Drawn(4), 2, epochs=1, shuffle=False)]
    return history, padded


class _Citations(Dataset):
    def read(self):
        drawn = np.random.default_rng(1)
        a = (drawn.uniform(size=(12, 12)) < 0.3).astype("float32")
        y = np.eye(3, dtype="float32")[drawn.integers(0, 3, 12)]
        x = drawn.normal(size=(12, FEATURES)).astype("float32")
        return [Graph(x=x, a=scipy.sparse.csr_matrix(np.maximum(a, a.T)), y=y)]


def nodes_are_classified():
    tf.keras.utils.set_random_seed(10)
    data = _Citations(transforms=[LayerPreprocess(conv.GCNConv)])
    model = GCN(n_labels=3, channels=4, dropout_rate=0.0)
    model.compile(
        tf.keras.optimizers.Adam(0.05), "categorical_crossentropy", weighted_metrics=["acc"]
    )
    loader = SingleLoader(data, sample_weights=np.float32(np.arange(12) < 6))
    fitted = model.fit(loader.load(), steps_per_epoch=1, epochs=3, verbose=0)
    return fitted.history, model.predict(loader.load(), steps=1, verbose=0)


def signals_on_one_graph():
    class Signals(Dataset):
        def read(self):
            drawn = np.random.default_rng(2)
            self.a = scipy.sparse.csr_matrix(np.ones((NODES, NODES), "float32"))
            rows = [drawn.normal(size=(NODES, FEATURES)).astype("float32") for _ in range(4)]
            return [Graph(x=x, y=np.float32([x.sum()])) for x in rows]

    loader = MixedLoader(Signals(), batch_size=2, epochs=1, shuffle=False)
    return [_parts(one) for one in loader]


def filters():
    a = scipy.sparse.csr_matrix(_adjacency())
    graph = GCNFilter()(Graph(x=_normal(NODES, 2), a=a.copy()))
    return [
        graph.a.toarray(), convolution.chebyshev_filter(a, 2)[2].toarray(),
        convolution.gcn_filter(a).toarray(),
    ]  # fmt: skip
