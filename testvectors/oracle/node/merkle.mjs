// Merkle root and inclusion proofs (CGP §6.5.3), written as the recursive
// definitions of RFC 6962 §2.1 read.

import { JsonNumber } from './json.mjs';
import { digestBytes, sha256 } from './encoding.mjs';

export const EMPTY_TAG = 'contextgraph/attest/1/merkle-empty';
const MAX_PATH = 64;
const MAX_COUNT = 2n ** 64n - 1n;

// leaf(c) = SHA256(0x00 ‖ c)
export function leafHash(commitment) {
  return sha256(Buffer.from([0]), commitment);
}

// node(l, r) = SHA256(0x01 ‖ l ‖ r)
export function nodeHash(left, right) {
  return sha256(Buffer.from([1]), left, right);
}

// split returns the largest power of two smaller than n, for n > 1.
function split(n) {
  let k = 1n;
  while (2n * k < n) k *= 2n;
  return k;
}

// root returns MTH of the commitments, 32 bytes each, in leaf order.
// The empty tree has a hash of its own, not RFC 6962's SHA256("").
export function root(commitments) {
  const n = commitments.length;
  if (n === 0) return sha256(EMPTY_TAG);
  if (n === 1) return leafHash(commitments[0]);
  const k = Number(split(BigInt(n)));
  return nodeHash(root(commitments.slice(0, k)), root(commitments.slice(k)));
}

// path returns the siblings of leaf `index`, from the leaf upward (RFC 6962 §2.1.1).
export function path(commitments, index) {
  const n = commitments.length;
  if (n <= 1) return [];
  const k = Number(split(BigInt(n)));
  const left = commitments.slice(0, k);
  const right = commitments.slice(k);
  return index < k
    ? [...path(left, index), { sibling: root(right), left: false }]
    : [...path(right, index - k), { sibling: root(left), left: true }];
}

// shape returns, from the leaf upward, whether each sibling of leaf `index` of
// `count` stands on the left. Both are BigInts, index < count; at most 64 rounds.
export function shape(index, count) {
  const sides = [];
  while (count > 1n) {
    const k = split(count);
    if (index < k) {
      sides.push(false);
      count = k;
    } else {
      sides.push(true);
      index -= k;
      count -= k;
    }
  }
  return sides.reverse();
}

// parseCount reads leaf_index and leaf_count: a JSON number of digits alone, no
// sign, fraction or exponent, up to 2^64−1. Anything else is null.
export function parseCount(value) {
  if (!(value instanceof JsonNumber) || !/^[0-9]{1,20}$/.test(value.text)) return null;
  const n = BigInt(value.text);
  return n <= MAX_COUNT ? n : null;
}

// readProof returns {index, count, steps: [{sibling, left}]} of a parsed
// inclusion proof, or null where it is unusable (PROTOCOL §7): a member is missing, null or
// ill-typed. A sibling that is a string and no digest is usable, and malformed later.
export function readProof(proof) {
  if (!(proof instanceof Map)) return null;
  const index = parseCount(proof.get('leaf_index'));
  const count = parseCount(proof.get('leaf_count'));
  const steps = proof.get('path');
  if (index === null || count === null || !Array.isArray(steps)) return null;
  const read = [];
  for (const step of steps) {
    if (!(step instanceof Map)) return null;
    const sibling = step.get('sibling');
    const left = step.get('sibling_is_left');
    if (typeof sibling !== 'string' || typeof left !== 'boolean') return null;
    read.push({ sibling, left });
  }
  return { index, count, steps: read };
}

// verifyProof judges what readProof returned: does it lead from the commitment
// to the root? frames is the number of frames carried (BigInt), or null where
// the answer is not complete and leaf_count stays a claim. Whatever is wrong
// with the shape is refused before anything is hashed.
export function verifyProof(commitment, proof, rootDigest, frames) {
  const malformed = (reason) => ({ verdict: 'malformed_commitment', steps: { reason } });
  const leaf = digestBytes(commitment);
  const want = digestBytes(rootDigest);
  if (leaf === null) return malformed('commitment is no digest');
  if (want === null) return malformed('root is no digest');
  if (proof.steps.length > MAX_PATH) return malformed('path is longer than 64');
  if (proof.index >= proof.count) return malformed('leaf_index is not below leaf_count');
  if (frames !== null && proof.count !== frames) return malformed('leaf_count is not the number of frames');
  const sides = shape(proof.index, proof.count);
  if (proof.steps.length !== sides.length) return malformed(`path has ${proof.steps.length} steps, want ${sides.length}`);
  const siblings = proof.steps.map((step) => digestBytes(step.sibling));
  if (siblings.includes(null)) return malformed('a sibling is no digest');
  const wrong = sides.findIndex((left, i) => proof.steps[i].left !== left);
  if (wrong >= 0) return malformed(`step ${wrong} is on the wrong side`);

  const nodes = [leafHash(leaf)];
  sides.forEach((left, i) => {
    const below = nodes[i];
    nodes.push(left ? nodeHash(siblings[i], below) : nodeHash(below, siblings[i]));
  });
  const verdict = nodes.at(-1).equals(want) ? 'valid' : 'commitment_mismatch';
  return { verdict, steps: { nodes: nodes.map((node) => node.toString('hex')) } };
}
