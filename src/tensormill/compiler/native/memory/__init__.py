"""Memory that programs ask for while they run: for temporaries, and until a call ends."""
