// Public keys in their text forms. Each reader returns the 32 key bytes, or
// null where the text is not exactly one Ed25519 public key in that form.

import { parse } from './json.mjs';
import { decode } from './ed25519.mjs';
import { digestText, sha256 } from './encoding.mjs';

// hexBytes reads lowercase hex of any length, or returns null.
export function hexBytes(text) {
  if (typeof text !== 'string' || text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return null;
  return Buffer.from(text, 'hex');
}

// base64Bytes reads base64 (RFC 4648 §4, padded) or base64url (§5, unpadded) as
// its one canonical spelling, or returns null. Buffer skips what it cannot read, so compare.
function base64Bytes(text, alphabet) {
  const bytes = Buffer.from(text, alphabet);
  return bytes.toString(alphabet) === text ? bytes : null;
}

// 64 hex characters of either case (PROTOCOL §5).
function fromHex(text) {
  return /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : null;
}

// RFC 8410 §4: SEQUENCE { SEQUENCE { OID 1.3.101.112 } BIT STRING }, no parameters;
// this is all of it in front of the 32 key bytes.
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

// One PEM block (RFC 7468 §13); white space around it, nothing else.
const PEM = /^[ \t\r\n]*-----BEGIN PUBLIC KEY-----[ \t]*\r?\n([A-Za-z0-9+/= \t\r\n]*)\n-----END PUBLIC KEY-----[ \t\r\n]*$/;
function fromPem(text) {
  const match = PEM.exec(text);
  if (match === null) return null;
  const der = base64Bytes(match[1].replace(/[ \t\r\n]/g, ''), 'base64');
  if (der === null || der.length !== SPKI_PREFIX.length + 32) return null;
  return der.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX) ? der.subarray(SPKI_PREFIX.length) : null;
}

// RFC 8709 §4: string "ssh-ed25519" ‖ string key, lengths uint32be.
const SSH_PREFIX = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32])]);

// One line `ssh-ed25519 BASE64 [comment]`; options in front are no part of a key.
function fromOpenSsh(text) {
  const match = /^ssh-ed25519[ \t]+([A-Za-z0-9+/=]+)(?:[ \t][^\r\n]*)?\r?\n?$/.exec(text);
  if (match === null) return null;
  const blob = base64Bytes(match[1], 'base64');
  if (blob === null || blob.length !== SSH_PREFIX.length + 32) return null;
  return blob.subarray(0, SSH_PREFIX.length).equals(SSH_PREFIX) ? blob.subarray(SSH_PREFIX.length) : null;
}

// RFC 8037 §2: {"kty":"OKP","crv":"Ed25519","x":base64url}. `d` makes it a private
// key; an `alg` must be one that this key is for (RFC 8037 §3.1, RFC 9864).
function fromJwk(text) {
  let jwk = text;
  if (typeof text === 'string') {
    try {
      jwk = parse(text);
    } catch {
      return null;
    }
  }
  if (!(jwk instanceof Map) || jwk.has('d')) return null;
  if (jwk.get('kty') !== 'OKP' || jwk.get('crv') !== 'Ed25519') return null;
  if (jwk.has('alg') && !['EdDSA', 'Ed25519'].includes(jwk.get('alg'))) return null;
  const x = jwk.get('x');
  const bytes = typeof x === 'string' ? base64Bytes(x, 'base64url') : null;
  return bytes !== null && bytes.length === 32 ? bytes : null;
}

const READERS = { hex: fromHex, pem: fromPem, openssh: fromOpenSsh, jwk: fromJwk };

export function isForm(form) {
  return Object.hasOwn(READERS, form);
}

// readKey returns {algorithm, public_key, fingerprint}, or null for a text that
// is no key in this form and for a key that the strict rules decline (CGP
// §6.5.4). The fingerprint is the digest of the raw key bytes (PROTOCOL §5).
export function readKey(text, form) {
  if (typeof text !== 'string' && form !== 'jwk') return null;
  const bytes = READERS[form](text);
  if (bytes === null || !decode(bytes).point) return null;
  return { algorithm: 'ed25519', public_key: bytes.toString('hex'), fingerprint: digestText(sha256(bytes)) };
}
