"""The same work on tensormill and its peers, timed side by side: `make bench`."""
