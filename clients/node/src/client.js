/** The client. index.d.ts says what each verb takes, gives and throws; here is only how. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { open } from './access.js';
import { turnOf } from './chat.js';
import { CALLS } from './contracts.js';
import { fromRpc, Unavailable, unfit } from './errors.js';
import { asOf, deadline, fromWire, toWire } from './fields.js';
import { upload } from './uploads.js';

export class Client {
  #connection;
  #metadata;
  #memory_id;
  #timezone;
  #timeout;
  #closed = false;

  constructor(target = '127.0.0.1:7700', { memory_id, timezone, timeout = 10, ...access } = {}) {
    const { connection, metadata } = open(target, access);
    this.#connection = connection;
    this.#metadata = metadata;
    this.#memory_id = memory_id;
    this.#timezone = timezone;
    this.#timeout = timeout;
  }

  close() {
    this.#closed = true;
    this.#connection.close();
  }

  async commit(session_id, messages, { timeout, ...fields } = {}) {
    const isTurn = typeof messages === 'object' && messages !== null && !isList(messages);
    const turn = isTurn ? messages : turnOf(messages);
    const request = { timezone: this.#timezone, ...this.#write(fields), session_id, turn };
    return this.#call('CommitTurn', request, timeout);
  }

  async commitMany(turns, { memory_id = this.#memory_id, timeout } = {}) {
    if (!isList(turns)) throw unfit('turns', turns, 'a list of requests, each {session_id, turn, …}');
    const defaults = given({ memory_id, timezone: this.#timezone });
    const stream = Array.from(turns, (turn, at) => {
      const { request_id, ...sent } = toWire('CommitTurnRequest', turn, `turns[${at}]`);
      return { turn: { ...defaults, ...sent, request_id: request_id || randomUUID() } };
    });
    return this.#send('CommitTurns', stream, timeout);
  }

  async compose(session_id, user_message, { as_of, timeout, ...fields } = {}) {
    const request = {
      memory_id: this.#memory_id,
      timezone: this.#timezone,
      ...given(fields),
      session_id,
      user_message,
      as_of: asOf(as_of),
    };
    return this.#call('ComposeContext', request, timeout);
  }

  async retrieve(plan, { as_of, timeout, ...fields } = {}) {
    const asked = typeof plan === 'string' ? { queries: [{ text: plan }] } : plan;
    return this.#call('Retrieve', { ...this.#own(fields), plan: asked, as_of: asOf(as_of) }, timeout);
  }

  async getContext(context_id, { timeout, ...fields } = {}) {
    return this.#call('GetContext', { ...this.#own(fields), context_id }, timeout);
  }

  contexts({ timeout, ...fields } = {}) {
    return this.#pages('ListContexts', 'contexts', this.#own(fields), timeout);
  }

  async replay(context_id, { timeout, ...fields } = {}) {
    return this.#call('Replay', { ...this.#own(fields), context_id }, timeout);
  }

  memories({ timeout, ...fields } = {}) {
    return this.#pages('ListMemories', 'memories', fields, timeout);
  }

  async getSession(session_id, { timeout, ...fields } = {}) {
    return this.#call('GetSession', { ...this.#own(fields), session_id }, timeout);
  }

  sessions({ timeout, ...fields } = {}) {
    return this.#pages('ListSessions', 'sessions', this.#own(fields), timeout);
  }

  turns(session_id, { timeout, ...fields } = {}) {
    return this.#pages('ListTurns', 'turns', { ...this.#own(fields), session_id }, timeout);
  }

  listItems({ as_of, timeout, ...fields } = {}) {
    return this.#pages('ListItems', 'items', { ...this.#own(fields), as_of: asOf(as_of) }, timeout);
  }

  async getItem(type, key, { as_of, timeout, ...fields } = {}) {
    return this.#call('GetItem', { ...this.#own(fields), type, key, as_of: asOf(as_of) }, timeout);
  }

  itemHistory(type, key, { timeout, ...fields } = {}) {
    return this.#pages('GetItemHistory', 'versions', { ...this.#own(fields), type, key }, timeout);
  }

  async diffItem(type, key, { timeout, ...fields } = {}) {
    return this.#call('DiffItem', { ...this.#own(fields), type, key }, timeout);
  }

  async rollbackItem(type, key, version, { timeout, ...fields } = {}) {
    return this.#call('RollbackItem', { ...this.#write(fields), type, key, version }, timeout);
  }

  async getCommit(commit_id, { timeout, ...fields } = {}) {
    return this.#call('GetCommit', { ...this.#own(fields), commit_id }, timeout);
  }

  async ingest(source, { tags, topics, timeout, ...fields } = {}) {
    const header = { ...this.#own(fields), ...given({ tag_ids: tags, topic_ids: topics }) };
    return this.#send('IngestDocument', upload(header, source), timeout);
  }

  async getDocument(document_id, { timeout, ...fields } = {}) {
    return this.#call('GetDocument', { ...this.#own(fields), document_id }, timeout);
  }

  documentSections(document_id, { timeout, ...fields } = {}) {
    return this.#pages(
      'GetDocument',
      'sections',
      { ...this.#own(fields), document_id, include_sections: true },
      timeout,
    );
  }

  listDocuments({ tags, timeout, ...fields } = {}) {
    return this.#pages('ListDocuments', 'documents', { ...this.#own(fields), ...given({ tag_ids: tags }) }, timeout);
  }

  async deleteDocument(document_id, { timeout, ...fields } = {}) {
    return this.#call('DeleteDocument', { ...this.#write(fields), document_id }, timeout);
  }

  async deleteTurn(turn_id, { timeout, ...fields } = {}) {
    return this.#call('DeleteTurn', { ...this.#write(fields), turn_id }, timeout);
  }

  async deleteSession(session_id, { timeout, ...fields } = {}) {
    return this.#call('DeleteSession', { ...this.#write(fields), session_id }, timeout);
  }

  async deleteMemory(memory_id, { timeout, ...fields } = {}) {
    return this.#call('DeleteMemory', { ...this.#write(fields), memory_id }, timeout);
  }

  async status({ timeout } = {}) {
    return this.#call('GetStatus', {}, timeout);
  }

  async metrics({ timeout } = {}) {
    return (await this.#call('GetMetrics', {}, timeout)).text;
  }

  #own(fields) {
    return { memory_id: this.#memory_id, ...given(fields) };
  }

  #connected() {
    if (this.#closed) throw new Unavailable('the client was closed');
    return this.#connection;
  }

  /** Give the fields of a write: its retries are known by its request_id. */
  #write(fields) {
    return { ...this.#own(fields), request_id: fields.request_id || randomUUID() };
  }

  async #call(name, request, timeout) {
    const connection = this.#connected();
    const { path, requestSerialize, responseDeserialize, request: type, response } = CALLS[name];
    const sent = toWire(type, request);
    const options = { deadline: deadline(timeout ?? this.#timeout) };
    const answer = await new Promise((resolve, reject) => {
      const done = (error, value) => (error ? reject(fromRpc(error)) : resolve(value));
      connection.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        sent,
        this.#metadata.clone(),
        options,
        done,
      );
    });
    return fromWire(response, answer);
  }

  async *#pages(name, slot, request, timeout) {
    let page_token;
    do {
      const page = await this.#call(name, { ...request, page_token }, timeout);
      yield* page[slot];
      page_token = page.next_page_token;
    } while (page_token);
  }

  /** Send a stream of messages ready for the wire; one that breaks off by an error of its source is cancelled. */
  async #send(name, messages, timeout) {
    const { path, requestSerialize, responseDeserialize, response } = CALLS[name];
    const [metadata, options] = [this.#metadata.clone(), { deadline: deadline(timeout) }];
    const connection = this.#connected();
    let stream;
    const answered = new Promise((resolve, reject) => {
      const done = (error, value) => (error ? reject(fromRpc(error)) : resolve(value));
      const serializers = [requestSerialize, responseDeserialize];
      stream = connection.makeClientStreamRequest(path, ...serializers, metadata, options, done);
    });
    await written(messages, stream, answered);
    return fromWire(response, await answered);
  }
}

/** Write messages to a stream until they end, or it does: a source may never give its next. Throws what ended either. */
async function written(messages, stream, answered) {
  const source = messages[Symbol.asyncIterator]?.() ?? messages[Symbol.iterator]();
  const over = answered.then(() => ({ done: true }));
  over.catch(() => {}); // told where it is awaited
  try {
    for (;;) {
      const { done, value } = await Promise.race([source.next(), over]);
      if (done) break;
      if (!stream.write(value)) await Promise.race([once(stream, 'drain'), over]);
    }
  } catch (error) {
    stream.cancel();
    throw error;
  } finally {
    Promise.resolve(source.return?.()).catch(() => {});
  }
  stream.end();
}

/** Give what is there, so that what is not does not stand over a default. */
function given(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function isList(value) {
  return typeof value === 'object' && value !== null && typeof value[Symbol.iterator] === 'function';
}
