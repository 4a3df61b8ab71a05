import type {
  AgentState,
  CommitTurnRequest,
  CommitTurnResponse,
  CommitTurnsResponse,
  ComposeContextResponse,
  DeleteDocumentResponse,
  DeleteMemoryResponse,
  DeleteSessionResponse,
  DeleteTurnResponse,
  DiffItemResponse,
  Document,
  DocumentHeader,
  DocumentSection,
  GetCommitResponse,
  GetContextResponse,
  GetDocumentResponse,
  GetItemResponse,
  GetSessionResponse,
  GetStatusResponse,
  Given,
  IngestDocumentResponse,
  ItemStatus,
  Memory,
  MemoryItem,
  Message,
  ReplayResponse,
  RetrievalPlan,
  RetrieveResponse,
  RollbackItemResponse,
  Session,
  StoredContext,
  Turn,
  TurnEvents,
  WaitLevel,
} from './contracts.js';

export * from './contracts.js';
export * from './render.js';

/** A revision, or a time: a Date or an RFC 3339 string. */
export type Moment = number | Date | string;

/** An answer with a part of it that is always there. */
export type Has<Answer, Part extends keyof Answer> = Answer & Required<Pick<Answer, Part>>;

/** How to reach a server. */
export interface Settings {
  /** Stands in wherever a call does not name a memory. */
  memory_id?: string;
  /** An IANA name (Asia/Shanghai), where a commit or compose names none. Nobody does: the server's setting holds. */
  timezone?: string;
  /** Seconds for a whole call with its retries. Default 10. commitMany and ingest have none unless given one. */
  timeout?: number;
  /** How often a call that meets UNAVAILABLE is made again, 0 to 4. Default 4. */
  retries?: number;
  /** Says who calls, where the server asks. None goes to another machine in the clear. */
  token?: string;
  /** Encrypt, as does any of the files below. */
  tls?: boolean;
  /** File in PEM: the authorities that may have signed the server's certificate. Without it, those that Node trusts. */
  ca?: string;
  /** File in PEM, to show to a server that asks for one; needs `key`. */
  certificate?: string;
  /** Its key, without a password. */
  key?: string;
}

/** What every call takes. */
export interface Call {
  /** Seconds, for this call. */
  timeout?: number;
}

/** What every call on one memory takes. */
export interface OnMemory extends Call {
  /** Whose memory, where not the client's. */
  memory_id?: string;
}

/** What every list takes; the timeout is for each page. */
export interface Pages extends Call {
  /** Most to fetch at once, at most 1000. Default 100. */
  page_size?: number;
}

/** What every write takes. */
export interface Write extends OnMemory {
  /** The same id again gives the same answer and writes nothing. Made for each call, so that its retries write once. */
  request_id?: string;
}

/**
 * A Message; or a chat message of OpenAI, Anthropic or Ollama, as their SDKs give and take it: words, calls of tools
 * and their results.
 */
export type MessageLike = Given<Message> | ChatLike;

type ChatLike = Omit<Given<Message>, 'content'> & {
  role: string;
  content?: unknown;
  name?: string;
  refusal?: unknown;
  tool_call_id?: string;
  tool_name?: string;
  tool_calls?: unknown;
} & { [NotSaid in 'annotations' | 'audio' | 'function_call' | 'images']?: unknown } & {
  [Thought in 'reasoning' | 'reasoning_content' | 'reasoning_details' | 'thinking' | 'thinking_blocks']?: unknown;
};

/**
 * The turn in which messages were said, and what of them it does not hold, each as an error that names it. One whose
 * `reason` is REASONING keeps no commit from going on, each other one does. args_bytes: most bytes of one call's
 * arguments, 65,536 as it comes.
 */
export function readChat(
  messages: Iterable<MessageLike>,
  options?: { args_bytes?: number },
): { turn: Given<TurnEvents>; left_out: InvalidArgument[] };

/** A document: a file: URL, text (sent as UTF-8), bytes, or bytes in parts of any size. */
export type Source = URL | string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A connection to a SmartBrain server; connects at its first call, to be shared by all that call.
 *
 * Names of fields are those of the contracts (protos/smartbrain/v1), in what is given and in what is answered; one that
 * there is not, or a value that its field cannot hold, is an InvalidArgument before anything is sent. Every call may
 * fail with a SmartBrainError.
 */
export class Client {
  /** target: host:port or unix:/path. Default 127.0.0.1:7700. */
  constructor(target?: string, settings?: Settings);

  /** Take no further calls. Those that have reached the server are finished, others are Unavailable. */
  close(): void;

  /**
   * Make a turn true and durable, learn from it, and make it findable by the next call. messages: what was said, in
   * order, read as `readChat` does, or a whole TurnEvents. Reasoning is not committed, and told of where NODE_DEBUG
   * names smartbrain; what else no turn holds is refused. timezone: where it was said.
   */
  commit(
    session_id: string,
    messages: Iterable<MessageLike> | Given<TurnEvents>,
    options?: Write & { wait_level?: WaitLevel; validate_only?: boolean; timezone?: string },
  ): Promise<CommitTurnResponse>;

  /**
   * Commit many turns with one wait for the disk at the end. The `index` of an error is the 0-based request it stopped
   * at; those before it are committed. All are checked before the first is sent, so hand over long runs in batches.
   */
  commitMany(turns: Iterable<Given<CommitTurnRequest>>, options?: OnMemory): Promise<CommitTurnsResponse>;

  /**
   * Choose what to put before the model for a message, inside `token_limit` tokens. now: recency and days count from
   * it, and the evidence says which day it is. as_of: compose of what was known then.
   */
  compose(
    session_id: string,
    user_message: string,
    options?: OnMemory & {
      token_limit?: number;
      plan?: Given<RetrievalPlan>;
      agent_state?: Given<AgentState>;
      min_revision?: number;
      now?: Date | string;
      as_of?: Moment;
      timezone?: string;
    },
  ): Promise<Has<ComposeContextResponse, 'context'>>;

  /** The evidences for a plan, or for a text as its one query. */
  retrieve(
    plan: Given<RetrievalPlan> | string,
    options?: OnMemory & { session_id?: string; min_revision?: number; as_of?: Moment },
  ): Promise<Has<RetrieveResponse, 'pack'>>;

  /** Request, plan and package of an earlier compose, as stored. */
  getContext(context_id: string, options?: OnMemory): Promise<GetContextResponse>;
  /** The stored contexts, newest first. */
  contexts(options?: OnMemory & Pages): AsyncGenerator<StoredContext>;
  /** A stored context composed again, and what differs from what was answered then. Stores nothing. */
  replay(context_id: string, options?: OnMemory): Promise<ReplayResponse>;

  /** The memories of the server that the token reaches, by id, with what each holds. */
  memories(options?: Pages & { prefix?: string }): AsyncGenerator<Memory>;
  getSession(session_id: string, options?: OnMemory): Promise<Has<GetSessionResponse, 'session'>>;
  /** Sessions by id. */
  sessions(options?: OnMemory & Pages): AsyncGenerator<Session>;
  /** The turns of a session, in order. */
  turns(session_id: string, options?: OnMemory & Pages): AsyncGenerator<Turn>;

  /** Items by type and key, all true at one revision. No types: all. No statuses: what is active or deprecated. */
  listItems(
    options?: OnMemory &
      Pages & {
        types?: Iterable<string>;
        statuses?: Iterable<ItemStatus>;
        key_prefix?: string;
        session_id?: string;
        as_of?: Moment;
      },
  ): AsyncGenerator<MemoryItem>;
  /** An item: its newest version, the one numbered `version`, or what it said `as_of` a moment. */
  getItem(
    type: string,
    key: string,
    options?: OnMemory & { version?: number; as_of?: Moment },
  ): Promise<Has<GetItemResponse, 'item'>>;
  /** Every version of an item, oldest first. */
  itemHistory(type: string, key: string, options?: OnMemory & Pages): AsyncGenerator<MemoryItem>;
  /** The fields in which two versions differ: by default the newest from the one before it. */
  diffItem(
    type: string,
    key: string,
    options?: OnMemory & { from_version?: number; to_version?: number },
  ): Promise<DiffItemResponse>;
  /** Make the value of an earlier version the newest one. */
  rollbackItem(type: string, key: string, version: number, options?: Write): Promise<Has<RollbackItemResponse, 'item'>>;
  /** What a commit answered: items, verdicts, conflicts, summary. */
  getCommit(commit_id: string, options?: OnMemory): Promise<GetCommitResponse>;

  /**
   * Take in a document, findable by the next call. A file has its address for `source_uri` and its time for
   * `changed_at`; anything else needs `source_uri` or `document_id`. The same again changes nothing. What the source
   * throws is thrown, and the memory is as it was.
   */
  ingest(
    source: Source,
    options?: OnMemory &
      Omit<Given<DocumentHeader>, 'tag_ids' | 'topic_ids' | 'states_size'> & {
        tags?: Iterable<string>;
        topics?: Iterable<string>;
      },
  ): Promise<Has<IngestDocumentResponse, 'document'>>;
  /** What is known of a document, by its id or its source_uri, without its text. */
  getDocument(document_id: string, options?: OnMemory): Promise<Has<GetDocumentResponse, 'document'>>;
  /** A document's sections in order, with their text. */
  documentSections(document_id: string, options?: OnMemory & Pages): AsyncGenerator<DocumentSection>;
  /** Documents by id, with any of the `tags`. */
  listDocuments(
    options?: OnMemory & Pages & { source_uri_prefix?: string; tags?: Iterable<string> },
  ): AsyncGenerator<Document>;
  /** Take a document out, by its id or its source_uri; with `purge` its text leaves the store before the answer. */
  deleteDocument(document_id: string, options?: Write & { purge?: boolean }): Promise<DeleteDocumentResponse>;

  /** Purge for good, and say how much; with `validate_only`, say only what would go. */
  deleteTurn(turn_id: string, options?: Write & { validate_only?: boolean }): Promise<DeleteTurnResponse>;
  deleteSession(session_id: string, options?: Write & { validate_only?: boolean }): Promise<DeleteSessionResponse>;
  deleteMemory(
    memory_id: string,
    options?: Omit<Write, 'memory_id'> & { validate_only?: boolean },
  ): Promise<DeleteMemoryResponse>;

  /** What the server is and holds. */
  status(options?: Call): Promise<GetStatusResponse>;
  /** What the server has counted since its start, in the text format of OpenMetrics. */
  metrics(options?: Call): Promise<string>;
}

/** A call that failed, with all that the server said about it. Its message has the hint in it. */
export class SmartBrainError extends Error {
  /** The message without the hint. */
  details: string;
  /** gRPC's name of the status: INVALID_ARGUMENT. */
  code: string;
  /** A word for machines: FIELD_REQUIRED. These and the following are empty where they do not apply. */
  reason: string;
  /** The input concerned: turn.messages[0].content. */
  field: string;
  value: string;
  limit: string;
  /** What to do. */
  hint: string;
  /** Of a stream, the 0-based request at which it stopped. */
  index: number | null;
  /** All of these, and whatever else the server named. */
  metadata: Record<string, string>;
}

/** A field is missing, malformed or over its limit. */
export class InvalidArgument extends SmartBrainError {}
/** There is no such memory, session or context. */
export class NotFound extends SmartBrainError {}
/** A request_id or message_id came again with other content. */
export class AlreadyExists extends SmartBrainError {}
/** The store is not in the state that the call needs. */
export class FailedPrecondition extends SmartBrainError {}
/** A quota is used up, or a message is too large for the wire. */
export class ResourceExhausted extends SmartBrainError {}
/** No answer came within the timeout. A commit may have happened: repeat it under the same request_id. */
export class DeadlineExceeded extends SmartBrainError {}
/** Nobody answers at the address, or the server is shutting down; the retries are used up. */
export class Unavailable extends SmartBrainError {}
/** The server wants a token. */
export class Unauthenticated extends SmartBrainError {}
/** The token does not reach this memory. */
export class PermissionDenied extends SmartBrainError {}
/** The server does not know this call: it is older than the client. */
export class Unimplemented extends SmartBrainError {}
/** A fault of the server. */
export class Internal extends SmartBrainError {}
/** A stored record is damaged. */
export class DataLoss extends Internal {}
