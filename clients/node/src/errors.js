/**
 * What a call can fail with.
 *
 * SmartBrainError               any other code, and the base to catch
 * ├── InvalidArgument           a field is missing, malformed or over its limit
 * ├── NotFound                  no such memory, session or context
 * ├── AlreadyExists             a request_id or message_id came again with other content
 * ├── FailedPrecondition        min_revision is not reached, or the embedder does not fit the store
 * ├── ResourceExhausted         a quota is used up, or a message is too large for the wire
 * ├── DeadlineExceeded          no answer within `timeout`
 * ├── Unavailable               nobody answers at the address, or the server is shutting down
 * ├── Unauthenticated           the server wants a token
 * ├── PermissionDenied          the token does not reach this memory
 * ├── Unimplemented             the server does not know this call: it is older than the client
 * └── Internal                  a fault of the server
 *     └── DataLoss              a stored record is damaged
 */

import { inspect } from 'node:util';

import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const DOMAIN = 'smartbrain';
const SHOWN = { depth: 1, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 6 };
const IN_STREAM = /^requests\[(\d+)\]/;

/** Of google/rpc/status.proto and error_details.proto, what a server's details are written in. */
const DETAILS = loader.fromJSON(
  {
    nested: {
      Any: { fields: { type_url: { type: 'string', id: 1 }, value: { type: 'bytes', id: 2 } } },
      Status: { fields: { details: { rule: 'repeated', type: 'Any', id: 3 } } },
      ErrorInfo: {
        fields: {
          reason: { type: 'string', id: 1 },
          domain: { type: 'string', id: 2 },
          metadata: { keyType: 'string', type: 'string', id: 3 },
        },
      },
    },
  },
  { keepCase: true, defaults: true },
);

/** What grpc-js ends its words with where it has no note. */
const NO_NOTE = /\s*\.? Resolution note: $/;

/** What to do, by words of grpc-js about a connection that could not be made. */
const UNREACHABLE = [
  ['Channel ', 'the client was closed before the call had begun: close it when all is answered'],
  ['Name resolution failed', 'no machine has this name: an address is host:port, as 127.0.0.1:7700, or unix:/path'],
  ['wrong version number', 'the server does not encrypt: leave tls, ca and certificate out, or give it server.tls'],
  ['Hostname/IP does not match', "the server's certificate is not for this name: ask it by one that stands in it"],
  [
    'certificate',
    "no authority that is trusted has signed the server's certificate, or it has expired: name who did by ca",
  ],
  [
    'Failed to connect',
    'a server that encrypts takes no other connection: name its authority by ca, and show a certificate if it asks ' +
      'for one, by certificate and key',
  ],
  ['Protocol error', 'what answers there does not speak gRPC: name the address of --listen, not that of --http'],
];

/** What to do about a failure of which the server has said nothing itself, by code. */
const HINTS = {
  UNAVAILABLE: 'start a server with `brain-server --data ./brain`, or name the address of another',
  DEADLINE_EXCEEDED:
    "allow more by timeout (seconds), and see that the address is a brain-server's; what was written " +
    'may be there: repeat it under the same request_id',
  UNIMPLEMENTED: 'the server is older than this client, or no brain-server: install both of one version',
};

/** A call that failed, with all that the server said about it; index.d.ts says what each property is. */
export class SmartBrainError extends Error {
  static code = 'UNKNOWN';

  constructor(details, { code, reason = '', metadata = {}, cause } = {}) {
    super(metadata.hint ? `${details} (${metadata.hint})` : details, cause && { cause });
    this.name = this.constructor.name;
    this.details = details;
    this.code = code ?? this.constructor.code;
    this.reason = reason;
    this.metadata = metadata;
    for (const name of ['field', 'value', 'limit', 'hint']) this[name] = metadata[name] ?? '';
    const at = IN_STREAM.exec(this.field);
    this.index = at ? Number(at[1]) : null;
  }
}

export class InvalidArgument extends SmartBrainError {
  static code = 'INVALID_ARGUMENT';
}
export class NotFound extends SmartBrainError {
  static code = 'NOT_FOUND';
}
export class AlreadyExists extends SmartBrainError {
  static code = 'ALREADY_EXISTS';
}
export class FailedPrecondition extends SmartBrainError {
  static code = 'FAILED_PRECONDITION';
}
export class ResourceExhausted extends SmartBrainError {
  static code = 'RESOURCE_EXHAUSTED';
}
export class DeadlineExceeded extends SmartBrainError {
  static code = 'DEADLINE_EXCEEDED';
}
export class Unavailable extends SmartBrainError {
  static code = 'UNAVAILABLE';
}
export class Unauthenticated extends SmartBrainError {
  static code = 'UNAUTHENTICATED';
}
export class PermissionDenied extends SmartBrainError {
  static code = 'PERMISSION_DENIED';
}
export class Unimplemented extends SmartBrainError {
  static code = 'UNIMPLEMENTED';
}
export class Internal extends SmartBrainError {
  static code = 'INTERNAL';
}
export class DataLoss extends Internal {
  static code = 'DATA_LOSS';
}

const KINDS = [
  InvalidArgument,
  NotFound,
  AlreadyExists,
  FailedPrecondition,
  ResourceExhausted,
  DeadlineExceeded,
  Unavailable,
  Unauthenticated,
  PermissionDenied,
  Unimplemented,
  Internal,
  DataLoss,
];

/** Give the typed error for one of grpc-js, with the server's ErrorInfo where it sent one. */
export function fromRpc(error) {
  const info = errorInfo(error);
  const code = grpc.status[error.code] ?? 'UNKNOWN';
  const details = error.details?.replace(NO_NOTE, '') || code;
  const hint = info.reason ? '' : hintFor(code, details);
  const metadata = { ...(hint && { hint }), ...info.metadata };
  const Kind = KINDS.find((kind) => kind.code === code) ?? SmartBrainError;
  return new Kind(details, { code, reason: info.reason, metadata, cause: error });
}

/** Give the error for an argument that no server needs to see. limit: what it must be. */
export function unfit(field, value, limit) {
  const shown = inspect(value, SHOWN).slice(0, SHOWN.maxStringLength);
  const metadata = { field, value: shown, limit };
  return new InvalidArgument(`${field} is ${shown}; it must be ${limit}`, { reason: 'FIELD_INVALID', metadata });
}

function hintFor(code, details) {
  const known = code === 'UNAVAILABLE' && UNREACHABLE.find(([sign]) => details.includes(sign));
  return known ? known[1] : (HINTS[code] ?? '');
}

/** Give the server's ErrorInfo, an empty one where there is none or a proxy garbled it. */
function errorInfo(error) {
  try {
    for (const bytes of error.metadata?.get('grpc-status-details-bin') ?? []) {
      for (const { type_url, value } of DETAILS.Status.deserialize(bytes).details) {
        if (!type_url.endsWith('/google.rpc.ErrorInfo')) continue;
        const info = DETAILS.ErrorInfo.deserialize(value);
        if (info.domain === DOMAIN) return info;
      }
    }
  } catch {
    /* what is no Status says nothing */
  }
  return { reason: '', metadata: {} };
}
