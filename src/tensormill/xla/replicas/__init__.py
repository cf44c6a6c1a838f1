"""The work of several replicas, shared by their devices in one program."""
