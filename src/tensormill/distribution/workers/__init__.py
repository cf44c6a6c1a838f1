"""Several processes that run one program: who they are, how they meet, what they exchange."""
