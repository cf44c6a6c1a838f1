"""From a graph to programs of XLA, through JAX's public interface; nothing else imports JAX."""
