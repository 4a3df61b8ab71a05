/**
 * Put what stands elsewhere in the repository into the package while it is packed, and take it out again.
 *
 *     node scripts/package.js copy | remove
 */

import { cpSync, rmSync } from 'node:fs';

const HERE = new URL('../', import.meta.url);
const ROOT = new URL('../../', HERE);
const COPIES = {
  'protos/smartbrain': 'protos/smartbrain',
  'protos/third_party': 'protos/third_party',
  LICENSE: 'LICENSE',
};

if (process.argv[2] === 'copy') {
  for (const [from, to] of Object.entries(COPIES)) cpSync(new URL(from, ROOT), new URL(to, HERE), { recursive: true });
} else {
  for (const to of ['protos', 'LICENSE']) rmSync(new URL(to, HERE), { recursive: true, force: true });
}
