"""Objects that hold variables: modules, initializers, generators, tables."""
