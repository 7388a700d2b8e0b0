// Strict Ed25519 verification (CGP §6.5.4, RFC 8032 §5.1) in plain BigInt
// arithmetic. Nothing here is constant-time: only public values are handled.
//
// Accepted is a signature for which all of this holds:
//   A decodes, re-encodes to the same 32 bytes, and 8·A is not the identity
//   R decodes, re-encodes to the same 32 bytes, and 8·R is not the identity
//   S < L
//   encode(S·B − k·A) = R  with k = SHA-512(R ‖ A ‖ M) mod L   (cofactorless)

import { createHash } from 'node:crypto';

const P = 2n ** 255n - 19n;
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

function mod(n, m = P) {
  const r = n % m;
  return r < 0n ? r + m : r;
}

function power(base, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % P;
    if (bit === '1') result = (result * base) % P;
  }
  return result;
}

const invert = (n) => power(mod(n), P - 2n);

// The curve −x² + y² = 1 + d·x²·y² with d = −121665/121666.
const D = mod(-121665n * invert(121666n));
const D2 = mod(2n * D);
const SQRT_MINUS_1 = power(2n, (P - 1n) / 4n);

// A point is {X, Y, Z, T} with x = X/Z, y = Y/Z, x·y = T/Z (RFC 8032 §5.1.4).
function affine(x, y) {
  return { X: x, Y: y, Z: 1n, T: (x * y) % P };
}

export const IDENTITY = affine(0n, 1n);

// The formulas of RFC 8032 §5.1.4; complete, so they hold for every pair of points.
export function add(p, q) {
  const a = ((p.Y - p.X) * (q.Y - q.X)) % P;
  const b = ((p.Y + p.X) * (q.Y + q.X)) % P;
  const c = (((p.T * D2) % P) * q.T) % P;
  const d = (2n * p.Z * q.Z) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return { X: mod(e * f), Y: mod(g * h), Z: mod(f * g), T: mod(e * h) };
}

export function double(p) {
  const a = (p.X * p.X) % P;
  const b = (p.Y * p.Y) % P;
  const c = (2n * p.Z * p.Z) % P;
  const h = a + b;
  const e = h - (p.X + p.Y) ** 2n;
  const g = a - b;
  const f = c + g;
  return { X: mod(e * f), Y: mod(g * h), Z: mod(f * g), T: mod(e * h) };
}

function negate(p) {
  return { X: mod(-p.X), Y: p.Y, Z: p.Z, T: mod(-p.T) };
}

// doubleScalar returns a·p + b·q, one bit of both scalars at a time.
export function doubleScalar(a, p, b, q) {
  const both = add(p, q);
  const width = Math.max(a.toString(2).length, b.toString(2).length);
  const aBits = a.toString(2).padStart(width, '0');
  const bBits = b.toString(2).padStart(width, '0');
  let sum = IDENTITY;
  for (let i = 0; i < width; i++) {
    sum = double(sum);
    if (aBits[i] === '1') sum = add(sum, bBits[i] === '1' ? both : p);
    else if (bBits[i] === '1') sum = add(sum, q);
  }
  return sum;
}

function littleEndian(bytes) {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

// RFC 8032 §5.1.2: y in 255 bits little-endian, the low bit of x on top.
export function encode(p) {
  const z = invert(p.Z);
  const x = mod(p.X * z);
  const y = mod(p.Y * z);
  const hex = (y | ((x & 1n) << 255n)).toString(16).padStart(64, '0');
  return Buffer.from(hex, 'hex').reverse();
}

// decodeLoosely recovers the point of 32 bytes as RFC 8032 §5.1.3 does, except
// that y is reduced mod p and that x = 0 takes either sign; null where y is no
// curve point's. Whether the bytes are canonical is decode's question.
function decodeLoosely(bytes) {
  const n = littleEndian(bytes);
  const sign = n >> 255n;
  const y = mod(n & (2n ** 255n - 1n));
  // x² = u/v; the candidate root is u·v³·(u·v⁷)^((p−5)/8)
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = (u * v ** 3n * power((u * v ** 7n) % P, (P - 5n) / 8n)) % P;
  const vxx = (v * x * x) % P;
  if (vxx === mod(-u)) x = (x * SQRT_MINUS_1) % P;
  else if (vxx !== u) return null;
  if ((x & 1n) !== sign) x = mod(-x);
  return affine(x, y);
}

// decode returns {point} for the canonical encoding of a point outside the
// torsion subgroup, {reason} for every other string of bytes.
export function decode(bytes) {
  if (bytes.length !== 32) return { reason: 'length' };
  const point = decodeLoosely(bytes);
  if (point === null) return { reason: 'not on the curve' };
  if (!encode(point).equals(Buffer.from(bytes))) return { reason: 'not canonical' };
  const eight = double(double(double(point)));
  if (eight.X === 0n && eight.Y === eight.Z) return { reason: 'small order' };
  return { point };
}

// The base point: y = 4/5, x even (RFC 8032 §5.1).
export const BASE = decodeLoosely(encode(affine(0n, mod(4n * invert(5n)))));

// verify judges a signature text: key, then the shape of the signature, then the
// signature. publicKey is bytes of any length, or null where there is no hex.
export function verify(publicKey, message, signatureText) {
  const answer = (verdict, reason) => ({ verdict, steps: reason === undefined ? undefined : { reason } });
  const key = publicKey === null ? { reason: 'no lowercase hex' } : decode(publicKey);
  if (!key.point) return answer('malformed_key', key.reason);
  if (typeof signatureText !== 'string' || !/^[0-9a-f]{128}$/.test(signatureText)) return answer('malformed_signature');

  const signature = Buffer.from(signatureText, 'hex');
  const rBytes = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= L) return answer('bad_signature', 'S is not below L');
  const r = decode(rBytes);
  if (!r.point) return answer('bad_signature', `R: ${r.reason}`);

  const hash = createHash('sha512').update(rBytes).update(publicKey).update(message).digest();
  const k = mod(littleEndian(hash), L);
  const expected = encode(doubleScalar(s, BASE, k, negate(key.point)));
  const steps = { k: k.toString(16).padStart(64, '0'), expected_r: expected.toString('hex') };
  return { verdict: expected.equals(rBytes) ? 'valid' : 'bad_signature', steps };
}
