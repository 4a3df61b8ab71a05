/** How a server is reached, and by what a client is known to it: address, token, and files in PEM. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { createSecureContext } from 'node:tls';

import grpc from '@grpc/grpc-js';

import { InvalidArgument, unfit } from './errors.js';

const TOKEN = /^[A-Za-z0-9._~+/=-]{16,1024}$/;
const TOKEN_LIMIT = '16 to 1024 letters, digits and . _ ~ + / = - (as of: openssl rand -hex 32)';
const SETTINGS = 'memory_id, timezone, timeout, retries, token, tls, ca, certificate, key';
const LAST_PORT = 65_535;
const MAX_RETRIES = 4; // gRPC makes at most five attempts of a call
const MAX_ANSWER_BYTES = 64 << 20; // a page of turns may hold many long messages; gRPC's own limit is 4 MiB
const SERVICES = ['BrainService', 'MemoryService', 'RetrievalService', 'ResourceService', 'AdminService'];

/** Open the connection of a client, which connects at its first call. The settings are those of Client. */
export function open(target, { retries = MAX_RETRIES, token = null, tls, ca, certificate, key, ...others } = {}) {
  checkAddress(target);
  for (const [name, value] of Object.entries(others))
    throw unfit(name, value, `under the name of a setting: ${SETTINGS}`);
  const encrypted = Boolean(tls || ca || certificate || key);
  if (encrypted && target.startsWith('unix:')) {
    throw refused('tls', `a unix socket is not encrypted; leave tls, ca, certificate and key out`, target);
  }
  if (token !== null) checkToken(token);
  if (token !== null && !encrypted && !isLocal(target)) {
    throw refused('token', `would go to ${target} unencrypted, for all on the way to read`, undefined, {
      hint: 'let the server have server.tls, and name its ca',
    });
  }
  const credentials = encrypted ? ssl(ca, certificate, key) : grpc.credentials.createInsecure();
  const metadata = new grpc.Metadata();
  if (token !== null) metadata.set('authorization', `Bearer ${token}`);
  return { connection: new grpc.Client(target, credentials, channelOptions(retries)), metadata };
}

/** Say whether an address is reached without leaving this machine. False where that cannot be told. */
export function isLocal(target) {
  if (target.startsWith('unix:')) return true;
  const place = target.replace(/^(?:dns|ipv4|ipv6):(?:\/\/\/?)?/, '');
  const host = place.slice(0, Math.max(place.lastIndexOf(':'), 0)).replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' || (isIP(host) > 0 && (isIPv4(host) ? host.startsWith('127.') : /^(?:0*:)+0*1$/.test(host)))
  );
}

function checkAddress(target) {
  const isText = typeof target === 'string' && target && !/[\p{C}\p{Zl}\p{Zp}]/u.test(target);
  if (!isText || target.startsWith('unix-abstract:')) throw unfit('target', target, 'host:port or unix:/path');
  const port = target.startsWith('unix:') ? '' : target.slice(target.lastIndexOf(':') + 1);
  if (/^\d+$/.test(port) && Number(port) > LAST_PORT)
    throw unfit('target', target, `host:port with a port of at most ${LAST_PORT}`);
}

function checkToken(token) {
  if (typeof token === 'string' && TOKEN.test(token)) return;
  throw refused('token', `is no token; it must be ${TOKEN_LIMIT}`, undefined, { limit: TOKEN_LIMIT });
}

function ssl(ca, certificate, key) {
  if (!certificate !== !key) {
    const [missing, there] = certificate ? ['key', 'certificate'] : ['certificate', 'key'];
    const metadata = { field: missing };
    throw new InvalidArgument(`${missing}: is missing; the ${there} beside it needs it`, {
      reason: 'FIELD_REQUIRED',
      metadata,
    });
  }
  const roots = ca ? pem('ca', ca) : null;
  const chain = certificate ? pem('certificate', certificate) : null;
  const secret = key ? pem('key', key) : null;
  if (roots) readable('ca', ca, 'holds no certificate that can be read', () => new X509Certificate(roots));
  if (chain) {
    readable('certificate', certificate, 'holds no certificate that can be read', () => new X509Certificate(chain));
    readable('key', key, 'holds no private key that can be read without a password', () => createPrivateKey(secret));
    readable('key', key, `is not the key of ${certificate}`, () => createSecureContext({ cert: chain, key: secret }));
  }
  return grpc.credentials.createSsl(roots, secret, chain);
}

function pem(field, path) {
  let content;
  try {
    content = readFileSync(path);
  } catch (error) {
    throw refused(field, `${path} cannot be read: ${error.message}`, path);
  }
  if (!content.includes('-----BEGIN ')) throw refused(field, `${path} is no file in PEM (with -----BEGIN)`, path);
  return content;
}

function readable(field, path, why, read) {
  try {
    read();
  } catch {
    throw refused(field, `${path} ${why}`, path);
  }
}

function refused(field, why, value, facts = {}) {
  const metadata = { field, ...(value !== undefined && { value: String(value) }), ...facts };
  return new InvalidArgument(`${field}: ${why}`, { reason: 'FIELD_INVALID', metadata });
}

/**
 * Give the channel's options: calls that meet UNAVAILABLE are made up to `retries` more times.
 *
 * Every call is safe to repeat: writes carry a request_id, a document that comes again is unchanged, the rest read.
 * The waits between are 0.2, 0.4, 0.8 and 1.6 seconds, each varied by chance.
 */
function channelOptions(retries) {
  if (!Number.isInteger(retries) || retries < 0 || retries > MAX_RETRIES)
    throw unfit('retries', retries, `0 to ${MAX_RETRIES}`);
  const retryPolicy = {
    maxAttempts: retries + 1,
    initialBackoff: '0.2s',
    maxBackoff: '2s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  const name = SERVICES.map((service) => ({ service: `smartbrain.v1.${service}` }));
  return {
    'grpc.max_receive_message_length': MAX_ANSWER_BYTES,
    'grpc.enable_http_proxy': 0, // it would be asked even for this machine
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2000,
    'grpc.enable_retries': retries ? 1 : 0,
    ...(retries && { 'grpc.service_config': JSON.stringify({ methodConfig: [{ name, retryPolicy }] }) }),
  };
}
