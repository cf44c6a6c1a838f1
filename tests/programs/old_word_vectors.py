"""Word vectors by noise-contrastive estimation, as in TensorFlow 1's tutorial."""

import collections

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

text = (
    "the quick brown fox jumps over the lazy dog while the small fox sees the brown dog " * 6
).split()
counts = collections.Counter(text).most_common()
dictionary = {word: number for number, (word, _) in enumerate(counts)}
data = [dictionary[word] for word in text]
size, dim = len(dictionary), 8


def batches(count, batch_size):
    centers, contexts = [], []
    for place in range(1, len(data) - 1):
        centers += [data[place], data[place]]
        contexts += [[data[place - 1]], [data[place + 1]]]
    for number in range(count):
        start = number * batch_size % (len(centers) - batch_size)
        yield centers[start : start + batch_size], contexts[start : start + batch_size]


graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(4)
    with tf.name_scope("inputs"):
        inputs = tf.placeholder(tf.int32, shape=[16])
        labels = tf.placeholder(tf.int32, shape=[16, 1])
        probes = tf.constant([0, 3, 5], dtype=tf.int32)
    with tf.device("/cpu:0"):
        with tf.name_scope("embeddings"):
            embeddings = tf.Variable(tf.random_uniform([size, dim], -1.0, 1.0, seed=1))
            embed = tf.nn.embedding_lookup(embeddings, inputs)
        with tf.name_scope("weights"):
            weights = tf.Variable(tf.truncated_normal([size, dim], stddev=1.0 / dim**0.5, seed=2))
        with tf.name_scope("biases"):
            biases = tf.Variable(tf.zeros([size]))
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(
            tf.nn.nce_loss(
                weights=weights,
                biases=biases,
                labels=labels,
                inputs=embed,
                num_sampled=4,
                num_classes=size,
                sampled_values=tf.nn.log_uniform_candidate_sampler(
                    tf.cast(labels, tf.int64), 1, 4, True, size, seed=3
                ),
            )
        )
    tf.summary.scalar("loss", loss)
    with tf.name_scope("optimizer"):
        optimizer = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
    normalized = embeddings / norm
    similarity = tf.matmul(tf.nn.embedding_lookup(normalized, probes), normalized, transpose_b=True)
    merged = tf.summary.merge_all()
    init = tf.global_variables_initializer()

with tf.Session(graph=graph) as session:
    init.run()
    average = 0.0
    for number, (one, other) in enumerate(batches(60, 16)):
        feed = {inputs: one, labels: other}
        metadata = tf.RunMetadata()
        _, summary, value = session.run([optimizer, merged, loss], feed, run_metadata=metadata)
        average += value
        if number % 20 == 19:
            print("Average loss at step %d: %.4f" % (number + 1, average / 20))
            average = 0.0
    print(type(summary).__name__, tf.Summary.FromString(summary).value[0].tag)
    for row in similarity.eval():
        print(" ".join("%.3f" % one for one in row))
