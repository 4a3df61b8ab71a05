/**
 * Between a caller's plain values and the messages on the wire. What a field cannot hold is refused by its name, value
 * and limit, before anything is sent: protobuf's own library would leave out a misspelt name and make 1970 of a Date.
 *
 * A Timestamp is an RFC 3339 string in UTC (going out also a Date, or with another offset), a Struct a plain object.
 */

import { ENUMS, MESSAGES } from './contracts.js';
import { unfit } from './errors.js';

const TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;
const A_TIME = 'a Date, or an RFC 3339 string with Z or an offset, of the years 1 to 9999';
const TEXT = 'text that UTF-8 can hold';
const MOST_SECONDS = 1e9; // 30 years
const DEEPEST = 30; // objects in objects: protobuf reads 100 levels, of which each takes three
const EXACT = 2n ** 53n; // the contracts' numbers are doubles

const WHOLE_NUMBERS = {
  TYPE_INT32: [-(2n ** 31n), 2n ** 31n - 1n],
  TYPE_INT64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Gives a value of a well-known type as the wire has it, by the type's name. */
const TO_WIRE = {
  'google.protobuf.Timestamp': timestamp,
  'google.protobuf.Struct': jsonObject,
  'google.protobuf.Value': jsonValue,
};

/** The way back. */
const FROM_WIRE = {
  'google.protobuf.Timestamp': rfc3339,
  'google.protobuf.Struct': ({ fields }) =>
    Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, plain(each)])),
  'google.protobuf.Value': plain,
};

/** Give a message of fields; undefined and null leave one out. Throws InvalidArgument for what none can hold. */
export function toWire(type, given, path = '') {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw unfit(path || type, given, `a ${type}`);
  const message = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const place = path ? `${path}.${name}` : name;
    const fields = MESSAGES[type];
    if (!Object.hasOwn(fields, name))
      throw unfit(place, value, `under the name of a field: ${Object.keys(fields).join(', ')}`);
    message[name] = field(fields[name], value, place);
  }
  return message;
}

/** Give a message of the wire as plain values; a message in it that is not set is left out. */
export function fromWire(type, message) {
  const given = {};
  for (const [name, value] of Object.entries(message)) {
    const { of, repeated, map } = MESSAGES[type][name];
    if (value === null) continue;
    if (!MESSAGES[of] && !FROM_WIRE[of]) given[name] = value;
    else if (repeated) given[name] = value.map((each) => read(of, each));
    else if (map) given[name] = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(of, each)]));
    else given[name] = read(of, value);
  }
  return given;
}

/** Give a moment of the past as the contracts' AsOf: a revision, or a time. */
export function asOf(moment) {
  if (moment === undefined || moment === null) return undefined;
  if (typeof moment === 'number' || typeof moment === 'bigint') return { revision: moment };
  if (moment instanceof Date || typeof moment === 'string') return { time: moment };
  throw unfit('as_of', moment, `a revision (a whole number), or ${A_TIME}`);
}

/** Give when a call that begins now must be over, undefined for never. timeout: in seconds. */
export function deadline(timeout) {
  if (timeout === undefined || timeout === null) return undefined;
  if (typeof timeout === 'number' && timeout <= MOST_SECONDS) return Date.now() + Math.max(timeout, -1) * 1000;
  throw unfit('timeout', timeout, `a number of seconds, at most ${MOST_SECONDS}`);
}

/** Give text as it is. Throws InvalidArgument for what is none. */
export function text(value, path) {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw unfit(path, value, TEXT);
}

function read(type, value) {
  return FROM_WIRE[type] ? FROM_WIRE[type](value) : fromWire(type, value);
}

function field({ repeated, map, ...one }, value, path) {
  if (map) {
    if (typeof value !== 'object' || Array.isArray(value)) throw unfit(path, value, 'an object');
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [text(key, path), single(one, each, `${path}.${key}`)]),
    );
  }
  if (!repeated) return single(one, value, path);
  if (typeof value === 'string' || typeof value[Symbol.iterator] !== 'function') throw unfit(path, value, 'a list');
  return Array.from(value, (each, at) => single(one, each, `${path}[${at}]`));
}

function single({ type, of }, value, path) {
  switch (type) {
    case 'TYPE_MESSAGE':
      return TO_WIRE[of] ? TO_WIRE[of](value, path) : toWire(of, value, path);
    case 'TYPE_ENUM':
      if (ENUMS[of].includes(value)) return value;
      throw unfit(path, value, `one of ${ENUMS[of].join(', ')}`);
    case 'TYPE_STRING':
      return text(value, path);
    case 'TYPE_BYTES':
      if (value instanceof Uint8Array) return value;
      throw unfit(path, value, 'bytes: a Buffer or Uint8Array');
    case 'TYPE_BOOL':
      if (typeof value === 'boolean') return value;
      throw unfit(path, value, 'true or false');
    case 'TYPE_DOUBLE':
      if (typeof value === 'number') return value;
      throw unfit(path, value, 'a number');
    default:
      return whole(type, value, path);
  }
}

function whole(type, value, path) {
  const [low, high] = WHOLE_NUMBERS[type];
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    if (low <= value && value <= high) return typeof value === 'bigint' ? String(value) : value;
  }
  throw unfit(path, value, `a whole number, ${low} to ${high}`);
}

function timestamp(value, path) {
  const given = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  const parts = typeof given === 'string' ? TIME.exec(given) : null;
  if (!parts) throw unfit(path, value, A_TIME);
  const [, day, clock, fraction = '', zone] = parts;
  const milliseconds = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);
  const isDay = !Number.isNaN(milliseconds) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  const year = isDay ? new Date(milliseconds).getUTCFullYear() : 0;
  if (year < 1 || year > 9999) throw unfit(path, value, A_TIME);
  return { seconds: milliseconds / 1000, nanos: Number(fraction.padEnd(9, '0')) };
}

function rfc3339({ seconds, nanos }) {
  const digits = String(nanos)
    .padStart(9, '0')
    .replace(/(?:000){1,3}$/, '');
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${digits && `.${digits}`}Z`;
}

/** Say whether a double holds a whole number and no other beside it. number: a bigint. */
export function isExact(number) {
  return -EXACT <= number && number <= EXACT;
}

/** Give an object of JSON as a google.protobuf.Struct. Throws InvalidArgument for what is none. */
export function jsonObject(value, path) {
  const prototype = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  if (prototype !== null && prototype !== Object.prototype) throw unfit(path, value, 'a JSON object');
  return jsonValue(value, path).structValue;
}

/** Give a value of JSON as a google.protobuf.Value. A bigint past 2**53 becomes text, or an id would become another. */
function jsonValue(value, path, depth = 0) {
  if (depth > DEEPEST) throw unfit(path, value, `a JSON object of at most ${DEEPEST} levels`);
  switch (typeof value) {
    case 'boolean':
      return { boolValue: value };
    case 'string':
      return { stringValue: text(value, path) };
    case 'bigint':
      return isExact(value) ? { numberValue: Number(value) } : { stringValue: String(value) };
    case 'number':
      if (Number.isFinite(value)) return { numberValue: value };
      throw unfit(path, value, `a JSON object, which has no number ${value}`);
    case 'object':
      return jsonContainer(value, path, depth);
    default:
      throw unfit(path, value, `a JSON object, which cannot hold a ${typeof value}`);
  }
}

function jsonContainer(value, path, depth) {
  if (value === null) return { nullValue: 0 };
  if (Array.isArray(value)) {
    return { listValue: { values: value.map((each, at) => jsonValue(each, `${path}[${at}]`, depth + 1)) } };
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const fields = entries.map(([key, each]) => [text(key, path), jsonValue(each, `${path}.${key}`, depth + 1)]);
  return { structValue: { fields: Object.fromEntries(fields) } };
}

function plain(value) {
  if (value.listValue) return value.listValue.values.map(plain);
  if (value.structValue) return FROM_WIRE['google.protobuf.Struct'](value.structValue);
  return value.stringValue ?? value.numberValue ?? value.boolValue ?? null;
}
