"""Programs that several processes run over loopback."""
