"""tensorflow-recommenders: retrieval, ranking, indices and crossed features, with Keras 2."""

import tempfile

import numpy as np
import tensorflow as tf
import tensorflow_recommenders as tfrs
import tf_keras as keras

USERS = [f"user {k}" for k in range(10)]
ITEMS = [f"item {k}" for k in range(20)]


def _embedding(words):
    rows = np.random.normal(size=(len(words) + 1, 8))
    return keras.Sequential(
        [
            keras.layers.StringLookup(vocabulary=words, mask_token=None),
            keras.layers.Embedding(
                len(words) + 1, 8, embeddings_initializer=keras.initializers.Constant(rows)
            ),
        ]
    )


class _Model(tfrs.Model):
    def __init__(self):
        super().__init__()
        self.users, self.items = _embedding(USERS), _embedding(ITEMS)
        self.retrieval = tfrs.tasks.Retrieval()
        self.ranking = tfrs.tasks.Ranking(
            keras.losses.MeanSquaredError(), metrics=[keras.metrics.RootMeanSquaredError()]
        )

    def compute_loss(self, features, training=False):
        users, items = self.users(features["user"]), self.items(features["item"])
        ratings = tf.reduce_sum(users * items, 1)
        return self.retrieval(users, items, compute_metrics=not training) + self.ranking(
            labels=features["rating"], predictions=ratings
        )


def _ratings():
    return tf.data.Dataset.from_tensor_slices(
        {
            "user": np.random.choice(USERS, 200),
            "item": np.random.choice(ITEMS, 200),
            "rating": np.random.randint(1, 6, 200).astype("float32"),
        }
    ).batch(50)


def retrieval_and_ranking_learn_together():
    model = _Model()
    model.compile(keras.optimizers.Adagrad(0.1))
    ratings = _ratings()
    history = model.fit(ratings, epochs=3, verbose=0).history
    return history, model.evaluate(ratings, return_dict=True, verbose=0)


def _candidates(model):
    items = tf.data.Dataset.from_tensor_slices(ITEMS).batch(5)
    return tf.data.Dataset.zip((items, items.map(model.items)))


def the_best_items_are_found():
    model, query = _Model(), tf.constant(["user 1", "user 3"])
    layers = tfrs.layers.factorized_top_k
    found = [
        layers.BruteForce(model.users, k=3).index_from_dataset(_candidates(model))(query),
        layers.Streaming(model.users, k=3).index_from_dataset(_candidates(model))(query),
    ]
    exact = layers.BruteForce(model.users, k=3).index_from_dataset(_candidates(model))
    return found, exact.query_with_exclusions(query, np.array([["item 1"], ["item 2"]]))


def indices_are_saved():
    model = _Model()
    index = tfrs.layers.factorized_top_k.BruteForce(model.users, k=3)
    index.index_from_dataset(_candidates(model))
    before = index(tf.constant(["user 5"]))
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(index, folder)
        return before, tf.saved_model.load(folder)(tf.constant(["user 5"]))


def features_are_crossed():
    x = np.random.normal(size=(4, 6)).astype("float32")
    cross = tfrs.layers.dcn.Cross(kernel_initializer="ones", projection_dim=3)
    dots = tfrs.layers.feature_interaction.DotInteraction(skip_gather=True)
    return cross(x, x), dots([x, x * 2, x + 1])
