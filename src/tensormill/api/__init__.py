"""The public names of the library, by namespace: tables of re-exports and nothing else."""
