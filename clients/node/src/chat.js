/**
 * An agent's own chat messages as a turn of the contracts: those of OpenAI, Anthropic and Ollama, and plain ones. It
 * reads as the Python client's smartbrain.chat does, which says why.
 *
 * A call of a tool (`tool_calls`, a `tool_use` block) and its result (a message of the role tool, a `tool_result`
 * block) become one ToolCall: found together by the call's id, else by the tool's name, else in the order of the calls.
 */

import { debuglog } from 'node:util';

import { MESSAGES, structBytes } from './contracts.js';
import { InvalidArgument, unfit } from './errors.js';
import { isExact, jsonObject, text, toWire } from './fields.js';

const ROLES = ['user', 'assistant', 'system', 'tool'];
const ARGS_BYTES = 65536; // the server's limits.value_bytes as it comes
const TEXT_PARTS = { text: 'text', input_text: 'text', output_text: 'text', refusal: 'refusal' };
const REASONING = [
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'redacted_thinking',
  'thinking',
  'thinking_blocks',
];
const NOT_SAID = ['annotations', 'audio', 'function_call', 'images', ...REASONING].sort();
const OF_CHAT = ['name', 'refusal', 'tool_call_id', 'tool_calls', 'tool_name'];
const TO_HOLD = 'something a turn can hold: text, a call of a tool or its result';
const HINT = 'const { turn, left_out } = readChat(messages) goes on without it and names it';
/** In JSON: a text, or a whole number that a double may not hold, which is kept as text. */
const LARGE = /"(?:[^"\\]|\\.)*"|(?<![\d.]|[eE][+-]?)-?\d{16,}(?![\d.eE])/g;

const log = debuglog('smartbrain');

/** Give the turn in which messages were said, and name what it cannot hold; index.d.ts says more. */
export function readChat(messages, { args_bytes = ARGS_BYTES } = {}) {
  if (typeof messages !== 'object' || typeof messages?.[Symbol.iterator] !== 'function') {
    throw unfit('messages', messages, 'a list of messages, or a TurnEvents');
  }
  const reader = new Reader(args_bytes);
  Array.from(messages).forEach((given, at) => reader.read(given, `messages[${at}]`));
  return reader.chat();
}

/** Give the turn without the reasoning in it. Throws InvalidArgument for the first other thing that no turn holds. */
export function turnOf(messages) {
  const { turn, left_out } = readChat(messages);
  for (const refused of left_out) {
    if (refused.reason !== 'REASONING') {
      throw new InvalidArgument(refused.details, {
        reason: refused.reason,
        metadata: { ...refused.metadata, hint: HINT },
      });
    }
    log('%s is reasoning, which is not committed', refused.field);
  }
  return turn;
}

/** Reads messages one by one; calls wait in it for their results. */
class Reader {
  #args_bytes;
  #messages = [];
  #tool_calls = [];
  #waiting = [];
  #left_out = [];

  constructor(args_bytes) {
    this.#args_bytes = args_bytes;
  }

  chat() {
    for (const { call } of this.#waiting) call.status = 'cancelled';
    return { turn: { messages: this.#messages, tool_calls: this.#tool_calls }, left_out: this.#left_out };
  }

  read(given, path) {
    const fields = Object.fromEntries(
      Object.entries(object(given, path)).filter(([name, value]) => !isNothing(name, value)),
    );
    for (const name of NOT_SAID) if (name in fields) this.#leaveOutPart(`${path}.${name}`, taken(fields, name), name);
    const chat = Object.fromEntries(
      OF_CHAT.filter((name) => name in fields).map((name) => [name, taken(fields, name)]),
    );
    if (fields.role === 'developer') fields.role = 'system';
    const before = [this.#left_out.length, this.#tool_calls.length];
    const words = this.#text(taken(fields, 'content'), `${path}.content`) || word(chat, 'refusal', path);
    list(chat.tool_calls ?? [], `${path}.tool_calls`).forEach((call, at) =>
      this.#call(call, `${path}.tool_calls[${at}]`),
    );
    if (fields.role === 'tool' && this.#answered(chat, words, path)) return;
    if ('name' in chat) fields.speaker ??= chat.name;
    const message = { ...fields, content: words };
    toWire('Message', message, path);
    if (!ROLES.includes(message.role))
      throw unfit(`${path}.role`, message.role, 'user, assistant, system, developer or tool');
    const nothing = before[0] === this.#left_out.length && before[1] === this.#tool_calls.length && !hasParts(given);
    if (words.trim() || nothing) this.#messages.push(message);
  }

  /** Give a tool's words to the call that they answer; say whether there is one. */
  #answered(chat, words, path) {
    const id = word(chat, 'tool_call_id', path);
    const name = word(chat, 'tool_name', path) || word(chat, 'name', path);
    if (!id && !name && !this.#waiting.length) return false;
    this.#result(id, name, words, `${path}.${id ? 'tool_call_id' : 'tool_name'}`);
    return true;
  }

  #result(id, name, words, path, status = '') {
    const at = this.#waiting.findIndex((each) => (id ? each.id === id : !name || each.call.name === name));
    if (at >= 0) {
      const [{ call }] = this.#waiting.splice(at, 1);
      Object.assign(call, { result: words, status });
    } else if (name) {
      this.#tool_calls.push(tool(name, path, words, status));
    } else {
      const ids = this.#waiting.flatMap((each) => each.id || []).join(', ') || 'none waits for a result';
      throw unfit(path, id, `the id of a call in the messages before (${ids}); commit both together`);
    }
  }

  /** Give the words of a content; calls and results that stand in it are taken out of it. */
  #text(content, path) {
    if (content === undefined || content === null || typeof content === 'string') return content ?? '';
    const words = list(content, path).map((part, at) =>
      typeof part === 'string' ? part : this.#part(object(part, `${path}[${at}]`), `${path}[${at}]`),
    );
    return words.filter((each) => each.trim()).join('\n');
  }

  #part(part, path) {
    if (Object.hasOwn(TEXT_PARTS, part.type)) return word(part, TEXT_PARTS[part.type], path);
    if (part.type === 'tool_use') this.#add(part, word(part, 'name', path), part.input, path, 'input');
    else if (part.type === 'tool_result') {
      const words = this.#text(part.content, `${path}.content`);
      this.#result(word(part, 'tool_use_id', path), '', words, `${path}.tool_use_id`, part.is_error ? 'error' : '');
    } else if (typeof part.type === 'string') this.#leaveOutPart(path, part, part.type);
    else throw unfit(`${path}.type`, part.type, 'the type of a content part: text, tool_use, tool_result, …');
    return '';
  }

  #call(given, path) {
    const call = object(given, path);
    const place = `${path}.function`;
    const called = object(call.function, place);
    this.#add(call, word(called, 'name', place), called.arguments, place, 'arguments');
  }

  #add(call, name, args, path, field) {
    const made = tool(name, `${path}.name`);
    const given = typeof args === 'string' ? parsed(args) : args;
    try {
      if (given instanceof Error) throw given;
      if (given !== undefined && given !== null) {
        const bytes = structBytes(jsonObject(given, `${path}.${field}`));
        if (bytes > this.#args_bytes) throw unfit('', '', `at most ${this.#args_bytes} bytes, not ${bytes}`);
        if (Object.keys(given).length) made.args = given;
      }
    } catch (error) {
      if (!(error instanceof InvalidArgument)) throw error;
      this.#left_out.push(unfit(`${path}.${field}`, args, error.limit));
    }
    this.#tool_calls.push(made);
    this.#waiting.push({ id: word(call, 'id', path), call: made });
  }

  /** Leave out what is no text. kind: name of its field, or type of the part. */
  #leaveOutPart(path, value, kind) {
    this.#left_out.push(unfit(path, value, TO_HOLD));
    if (REASONING.includes(kind)) this.#left_out.at(-1).reason = 'REASONING';
  }
}

/** Give arguments that were written as JSON, or the error that says why they are none. */
function parsed(args) {
  if (!args.trim()) return undefined;
  const quoted = (found) => (found[0] === '"' || isExact(BigInt(found)) ? found : `"${found}"`);
  try {
    return JSON.parse(args.replace(LARGE, quoted));
  } catch (error) {
    return unfit('', '', `a JSON object (${error.message})`);
  }
}

function tool(name, path, result = '', status = '') {
  if (!name.trim()) throw unfit(path, name, 'the name of a tool');
  return { name, result, status };
}

/** Say whether a field holds nothing: SDKs write out those that are not set. */
function isNothing(name, value) {
  if (value === undefined || value === null) return true;
  if (Object.hasOwn(MESSAGES.Message, name)) return false;
  return value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Say whether a message without words of its own has parts: then it gave the results of tools. */
function hasParts({ content }) {
  return Array.isArray(content) && content.length > 0;
}

function taken(fields, name) {
  const value = fields[name];
  delete fields[name];
  return value;
}

function object(given, path) {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw unfit(path, given, 'a message or part: an object');
}

function list(given, path) {
  if (Array.isArray(given)) return given;
  throw unfit(path, given, path.endsWith('content') ? 'text or a list of parts' : 'a list');
}

function word(fields, name, path) {
  return text(fields[name] ?? '', `${path}.${name}`);
}
