"""The doors of SmartBrain: a gRPC server over brain_core, and HTTP before that."""

import os

# gRPC's core reads it when grpc is imported. It writes text among the JSON lines of the log; by itself, errors only.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
