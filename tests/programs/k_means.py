"""Sort points into clusters with Lloyd's algorithm, until no point changes its mind."""

import tensorflow as tf

CENTRES = tf.constant([[0.0, 0.0], [4.0, 0.5], [1.5, 3.5]])
EACH = 60


def cloud():
    """float32[3 * EACH, 2]: points around each of the true centres."""
    noise = tf.random.normal([len(CENTRES), EACH, 2], stddev=0.6)
    return tf.reshape(CENTRES[:, tf.newaxis, :] + noise, [-1, 2])


def nearest(points, centres):
    """int32[points]: the number of the closest centre."""
    apart = points[:, tf.newaxis, :] - centres[tf.newaxis, :, :]
    return tf.argmin(tf.reduce_sum(apart**2, axis=-1), axis=1, output_type=tf.int32)


@tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([None, 2])])
def cluster(points, centres):
    """The centres where each is the mean of its points, the choice of each point, the rounds."""
    count = tf.shape(centres)[0]
    chosen = nearest(points, centres)
    rounds, changed = 0, tf.constant(True)
    while changed:
        sums = tf.math.unsorted_segment_sum(points, chosen, count)
        sizes = tf.math.unsorted_segment_sum(tf.ones_like(points), chosen, count)
        centres = tf.where(sizes > 0, tf.math.divide_no_nan(sums, sizes), centres)
        again = nearest(points, centres)
        changed = tf.reduce_any(again != chosen)
        chosen = again
        rounds += 1
    return centres, chosen, rounds


tf.random.set_seed(11)
points = cloud()
found, chosen, rounds = cluster(points, points[:3])
order = tf.argsort(found[:, 0])
centres, sizes = tf.gather(found, order), tf.gather(tf.math.bincount(chosen), order)
for centre, size in zip(centres, sizes, strict=True):
    print(f"centre ({centre[0]:.3f}, {centre[1]:.3f}) of {size} points")
print("rounds:", int(rounds))
spread = tf.reduce_mean(tf.norm(points - tf.gather(found, chosen), axis=1))
print(f"mean distance to the centre: {spread:.4f}")
