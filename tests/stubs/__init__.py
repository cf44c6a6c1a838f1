"""What editors and type checkers read of the lazy namespaces: written from their tables."""
