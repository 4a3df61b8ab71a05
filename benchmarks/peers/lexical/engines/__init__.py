"""One module per engine, named as it is on the command line."""
