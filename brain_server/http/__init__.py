"""The API as JSON over HTTP: what the contracts annotate, handed on to the server's own gRPC address.

The call goes over gRPC to this server, and not straight to the table of calls: deadlines, clients that leave, workers,
limits, statuses, metrics, logs and the end of the grace are gRPC's, and a second caller would have to imitate each. It
is ASGI and not WSGI so that headers are judged before a body is read, a document passes through in little memory, and a
client that leaves is noticed. None of this is loaded where HTTP is off.
"""
