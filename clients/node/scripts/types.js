/**
 * Write src/contracts.d.ts: a type for each message and enum of the contracts, with the words of its .proto.
 *
 *     node scripts/types.js
 *
 * It goes line by line: the protos are kept in one form, a comment above each declaration. A line in another form is an
 * error.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const PROTOS = new URL('../../../protos/smartbrain/v1/', import.meta.url);
const OUT = new URL('../src/contracts.d.ts', import.meta.url);

const SCALARS = {
  string: 'string',
  bool: 'boolean',
  double: 'number',
  int32: 'number',
  int64: 'number',
  bytes: 'Uint8Array',
};
const WELL_KNOWN = { Timestamp: 'Time', Struct: 'Struct', Value: 'unknown' };

const HEAD = `// Made of protos/smartbrain/v1 by scripts/types.js. Not to be edited.

/** A time in UTC as RFC 3339: 2024-05-08T09:30:00.123456Z. */
export type Time = \`\${string}Z\`;

/** An object of JSON. */
export type Struct = Record<string, unknown>;

/** What a caller may give for a message: any of its fields, and for a time also a Date or another offset. */
export type Given<T> = T extends Time ? Date | string
  : T extends string | number | boolean | Uint8Array ? T
  : T extends (infer Each)[] ? Given<Each>[]
  : { [Name in keyof T]?: Given<T[Name]> };
`;

const FORMS = [
  [/^(message|enum|service|oneof|rpc|option) .*\{$/, 'open'],
  [/^(?<name>\w+) = \d+;$/, 'value'],
  [/^(?<optional>optional )?(?<repeated>repeated )?(?<type>[\w.]+) (?<name>\w+) = \d+;$/, 'field'],
  [/^map<string, (?<map>[\w.]+)> (?<name>\w+) = \d+;$/, 'field'],
  [/^\}(?:;)?$/, 'close'],
  [
    /^(?:syntax|package|import|option|reserved|rpc) .*;$|^(?:get|post|delete|body): .*$|^option \(.*\) = \{.*\};$|^$/,
    'none',
  ],
];

/** Give the types of one .proto file. */
function typesOf(file) {
  const blocks = [];
  const out = [];
  let comment = [];
  const say = (line, indent = '  ') => {
    if (comment.length === 1) out.push(`${indent}/** ${comment[0]} */`);
    else if (comment.length)
      out.push(`${indent}/**`, ...comment.map((words) => `${indent} * ${words}`.trimEnd()), `${indent} */`);
    out.push(indent + line);
  };
  for (const line of textOf(file)
    .split('\n')
    .map((each) => each.trim())) {
    if (line.startsWith('//')) {
      comment.push(line.slice(2).trim());
      continue;
    }
    const [form, words] = formOf(line, file);
    const [block, name] = form === 'open' ? line.split(' ') : [blocks.at(-1), words.name];
    if (form === 'open') {
      blocks.push(block);
      if (block === 'message') say(`export interface ${name} {`, '');
      if (block === 'enum') say(`export type ${name} =`, '');
    } else if (form === 'value' && block === 'enum') say(`| '${name}'`);
    else if (form === 'field') say(`${name}${block === 'oneof' || isUnset(words) ? '?' : ''}: ${typeOf(words)};`);
    else if (form === 'close' && ['message', 'enum'].includes(blocks.pop()))
      out.push(block === 'message' ? '}\n' : '  ;\n');
    comment = [];
  }
  return out;
}

function textOf(file) {
  return readFileSync(new URL(file, PROTOS), 'utf8').replaceAll('{}', '{\n}');
}

function formOf(line, file) {
  for (const [form, kind] of FORMS) {
    const found = form.exec(line);
    if (found) return [kind, found.groups ?? {}];
  }
  throw new Error(`${file}: no form of line that scripts/types.js knows: ${line}`);
}

function typeOf({ repeated, type, map }) {
  if (map) return `Record<string, ${SCALARS[map] ?? map}>`;
  const [, wellKnown] = /^google\.protobuf\.(\w+)$/.exec(type) ?? [];
  return (SCALARS[type] ?? WELL_KNOWN[wellKnown] ?? type) + (repeated ? '[]' : '');
}

/** Say whether an answer may come without a field: what is no message is there with its zero. */
function isUnset({ optional, repeated, type, map }) {
  return Boolean(optional) || (!repeated && !map && !(type in SCALARS) && !ENUMS.has(type));
}

const files = readdirSync(PROTOS)
  .filter((name) => name.endsWith('.proto'))
  .sort();
const ENUMS = new Set(files.flatMap((file) => [...textOf(file).matchAll(/^enum (\w+)/gm)].map(([, name]) => name)));
writeFileSync(OUT, [HEAD, ...files.flatMap(typesOf)].join('\n'));
