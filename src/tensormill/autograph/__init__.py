"""AutoGraph: Python control flow that depends on tensors, as part of a graph."""
