/** The contracts, read from their .proto files: what each call is, and what each of its messages has. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import loader from '@grpc/proto-loader';

const PACKAGE = 'smartbrain.v1';
const SERVICES = ['BrainService', 'MemoryService', 'RetrievalService', 'ResourceService'];

// A package carries a copy of the repository's protos; a checkout has them above.
const PROTOS = ['../protos', '../../../protos']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(`${path}/smartbrain/v1`));
if (!PROTOS) throw new Error('smartbrain: its protos are neither in the package nor in the checkout around it');

// Names stay as the contracts have them. 64-bit numbers are counts, revisions and seconds, far below 2**53.
const LOADED = loader.loadSync(
  ['brain', 'memory', 'retrieval', 'resource', 'admin'].map((name) => `smartbrain/v1/${name}_service.proto`),
  {
    includeDirs: [PROTOS, `${PROTOS}/third_party`],
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
  },
);

/**
 * Calls by name (CommitTurn): path, serializers and the names of the two messages.
 * @type {Record<string, {path: string, requestSerialize: Function, responseDeserialize: Function, request: string,
 *   response: string}>}
 */
export const CALLS = Object.fromEntries(
  [...SERVICES, 'AdminService'].flatMap((service) =>
    Object.entries(LOADED[`${PACKAGE}.${service}`]).map(([name, call]) => [
      name,
      { ...call, request: call.requestType.type.name, response: call.responseType.type.name },
    ]),
  ),
);

/**
 * Messages by name (TurnEvents), each with its fields by name. A field has a `type` ("TYPE_STRING", …), where that is
 * a message or an enum its name as `of`, and says whether it is `repeated` or a `map` (type and `of` are its values').
 */
export const MESSAGES = named('Descriptor', messageFields);

/** Enums by name, each with the names of its values. */
export const ENUMS = named('EnumDescriptor', (type) => type.value.map((value) => value.name));

/** Give how many bytes a google.protobuf.Struct takes on the wire. */
export function structBytes(struct) {
  return LOADED['google.protobuf.Struct'].serialize(struct).length;
}

function named(format, read) {
  const ours = Object.entries(LOADED).filter(
    ([name, { format: its, type }]) => type && name.startsWith(`${PACKAGE}.`) && its.endsWith(` ${format}Proto`),
  );
  return Object.fromEntries(ours.map(([name, { type }]) => [name.slice(PACKAGE.length + 1), read(type)]));
}

function messageFields(message) {
  const maps = Object.fromEntries(message.nestedType.map((type) => [type.name, type.field[1]]));
  return Object.fromEntries(
    message.field.map((field) => {
      const { type, typeName } = maps[field.typeName] ?? field;
      const map = field.typeName in maps;
      const repeated = field.label === 'LABEL_REPEATED' && !map;
      return [field.name, { type, of: typeName.replace(`${PACKAGE}.`, ''), repeated, map }];
    }),
  );
}
