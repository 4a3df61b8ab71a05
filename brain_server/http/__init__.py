"""The API as JSON over HTTP: what the contracts annotate, handed on to the server's own gRPC address."""
