"""`python -m smartbrain.cli`, for where `brain` is not on the path."""

from smartbrain.cli import main

main()
