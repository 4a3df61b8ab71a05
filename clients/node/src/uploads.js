/** A document on its way to the server: its header, its content in parts, its size; little of it at a time. */

import { createReadStream, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { text, toWire } from './fields.js';
import { unfit } from './errors.js';

const PART_BYTES = 1 << 20; // of content, in one message

/**
 * Give the messages of one stream, ready for the wire. Throws before the first where header or source are of no use.
 *
 * source: a file: URL, text (sent as UTF-8), bytes, or bytes in parts of any size. A file has its address for
 * `source_uri` and its time for `changed_at`, unless the header has them.
 */
export function upload(header, source) {
  if (typeof source === 'string' && !header.document_id && !header.source_uri) {
    throw unfit('source', source, 'a file: URL where it names a file; a text needs a document_id or a source_uri');
  }
  const sent = toWire('DocumentHeader', { ...(isFile(source) && ofFile(source)), ...header, states_size: true });
  return messages(sent, partsOf(source));
}

async function* messages(header, source) {
  yield { header };
  let size_bytes = 0;
  for await (const given of source) {
    if (!(given instanceof Uint8Array))
      throw unfit('source', given, 'bytes (Buffer or Uint8Array) in each of its parts');
    for (let start = 0; start < given.length; start += PART_BYTES) {
      yield { content: given.subarray(start, start + PART_BYTES) };
    }
    size_bytes += given.length;
  }
  yield { size_bytes };
}

function partsOf(source) {
  if (isFile(source)) return createReadStream(source, { highWaterMark: PART_BYTES });
  if (typeof source === 'string') return [Buffer.from(text(source, 'source'))];
  if (source instanceof Uint8Array) return [source];
  if (typeof source === 'object' && source !== null && (source[Symbol.asyncIterator] || source[Symbol.iterator]))
    return source;
  throw unfit('source', source, 'a file: URL, bytes, text, or an iterable of bytes');
}

function isFile(source) {
  return source instanceof URL && source.protocol === 'file:';
}

function ofFile(url) {
  const path = resolve(fileURLToPath(url));
  const { mtimeNs } = statSync(path, { bigint: true });
  const [seconds, nanos] = [mtimeNs / 1_000_000_000n, mtimeNs % 1_000_000_000n];
  const changed = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return { source_uri: fileUri(path), changed_at: `${changed}.${String(nanos).padStart(9, '0')}Z` };
}

/**
 * Give the address of a file: its folder without links, and its own name, which may be that of a link. Letter for
 * letter as the Python client has it, so that both mean one document: a URL leaves more characters as they are.
 */
function fileUri(path) {
  const { pathname } = pathToFileURL(join(realpathSync(dirname(path)), basename(path)));
  if (process.platform === 'win32') return `file://${pathname}`;
  const escaped = (part) =>
    encodeURIComponent(part).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `file://${pathname
    .split('/')
    .map((part) => escaped(decodeURIComponent(part)))
    .join('/')}`;
}
