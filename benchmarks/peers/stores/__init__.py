"""One module per peer, named as the peer is on the command line; each is imported in a process of its own."""
