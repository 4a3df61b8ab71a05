// Lets a test call the Node client: a request is a line of JSON, and so is its answer.
//
//     {open: {target, settings}}                        a client under the next number, from 0
//     {verb, client, args, options}                     a verb of it; a list comes whole
//     {render, context, options}                        'render' or 'renderMessages'
//     {messages}                                        what readChat makes of them
//
// A document is {url}, {text}, {parts: [base64, …]}, {repeated: text, times} or {broken: words}, which fails after a part,
// or {stalled: true}, which never gives its next.

import { createInterface } from 'node:readline';

import * as smartbrain from '../../clients/node/src/index.js';

const clients = [];

function* parts({ parts, repeated, times, broken }) {
  for (const part of parts ?? []) yield Buffer.from(part, 'base64');
  for (let time = 0; time < (times ?? 0); time++) yield Buffer.from(repeated);
  if (broken) yield Buffer.alloc(2 << 20, 'a');
  if (broken) throw new Error(broken);
}

async function* stalled() {
  yield Buffer.from('a');
  await new Promise(() => {});
}

function source(given) {
  if (given.stalled) return stalled();
  return given.url ? new URL(given.url) : (given.text ?? parts(given));
}

async function answerTo({ open, verb, client, args, render, context, options, messages }) {
  if (open) return clients.push(new smartbrain.Client(open.target, open.settings)) - 1;
  if (messages) return smartbrain.readChat(messages);
  if (render) return smartbrain[render](context, options);
  const given = verb === 'ingest' ? [source(args[0])] : args;
  const outcome = clients[client][verb](...given, options);
  return outcome?.[Symbol.asyncIterator] ? all(outcome) : outcome;
}

async function all(outcome) {
  const list = [];
  for await (const each of outcome) list.push(each);
  return list;
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { answer: await answerTo(JSON.parse(line)) };
  } catch (error) {
    const { name, message, code, details, reason, field, limit, hint, index } = error;
    answer = { error: { name, message, code, details, reason, field, limit, hint, index } };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
