"""The doors of SmartBrain: a gRPC server over brain_core, and HTTP before that."""
