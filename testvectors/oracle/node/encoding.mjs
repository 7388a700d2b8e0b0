// Canonical encoding, provenance chain, frame commitment and canonical order
// (CGP §6.5.1, §6.5.2, §6.3).

import { createHash } from 'node:crypto';

export const GENESIS_TAG = 'contextgraph/attest/1/genesis';
export const LINK_TAG = 'contextgraph/attest/1/link';
export const FRAME_TAG = 'contextgraph/attest/1/frame';

// The optional members of a link, in the order in which they are encoded.
const LINK_OPTIONALS = ['uri', 'range', 'digest', 'method', 'by'];

// MalformedFrame: the frame has no commitment (PROTOCOL §7).
export class MalformedFrame extends Error {}

export function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

// utf8 returns the UTF-8 bytes of s. A lone surrogate has none; Buffer would
// write U+FFFD in its place without a word.
export function utf8(s) {
  if (!s.isWellFormed()) throw new Error('lone surrogate');
  return Buffer.from(s, 'utf8');
}

// CGP F5, D1: `sha256:` and exactly 64 characters of 0-9a-f.
export function isDigest(s) {
  return typeof s === 'string' && /^sha256:[0-9a-f]{64}$/.test(s);
}

// digestBytes returns the 32 bytes of a digest, or null where s is none.
export function digestBytes(s) {
  return isDigest(s) ? Buffer.from(s.slice(7), 'hex') : null;
}

export function digestText(bytes) {
  return `sha256:${bytes.toString('hex')}`;
}

// CGP §6.5.1: enc_str(s) = uint32be(number of UTF-8 bytes) ‖ UTF-8 bytes
export function encStr(s) {
  const bytes = utf8(s);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

// CGP §6.5.1: enc_opt(absent) = 0x00, enc_opt(s) = 0x01 ‖ enc_str(s).
// Absent is null or undefined; "" is present.
export function encOpt(s) {
  if (s === null || s === undefined) return Buffer.from([0]);
  return Buffer.concat([Buffer.from([1]), encStr(s)]);
}

// optionalString reads a member that is a string, null or missing (null = absent).
function optionalString(object, name) {
  const value = object.get(name) ?? null;
  if (value !== null && typeof value !== 'string') throw new MalformedFrame(`${name} is no string`);
  return value;
}

function requiredString(object, name) {
  const value = object.get(name);
  if (typeof value !== 'string') throw new MalformedFrame(`${name} is missing or no string`);
  return value;
}

// CGP §6.5.1: encode(link) = enc_str(type) ‖ enc_opt(uri) ‖ enc_opt(range)
//             ‖ enc_opt(digest) ‖ enc_opt(method) ‖ enc_opt(by)
export function encodeLink(link) {
  if (!(link instanceof Map)) throw new MalformedFrame('link is no object');
  return Buffer.concat([
    encStr(requiredString(link, 'type')),
    ...LINK_OPTIONALS.map((name) => encOpt(optionalString(link, name))),
  ]);
}

// chainHeads returns h₋₁, h₀ … hₙ₋₁ of the links in the order carried (CGP §6.5.2):
//   h₋₁ = SHA256(genesis tag),  hᵢ = SHA256(link tag ‖ hᵢ₋₁ ‖ encode(linkᵢ))
// The last one is the chain head. provenance null or undefined is absent: no links.
export function chainHeads(provenance) {
  const links = provenance ?? [];
  if (!Array.isArray(links)) throw new MalformedFrame('provenance is no array');
  const heads = [sha256(GENESIS_TAG)];
  for (const link of links) heads.push(sha256(LINK_TAG, heads.at(-1), encodeLink(link)));
  return heads;
}

// framePreimage returns what a frame's commitment is the SHA-256 of (CGP §6.5.2):
//   frame tag ‖ enc_str(provider_id) ‖ enc_str(frame.id) ‖ enc_opt(frame.content_digest) ‖ chain_head
// No other member of the frame enters it; content must have its type all the same (PROTOCOL §7).
export function framePreimage(providerId, frame) {
  if (!(frame instanceof Map)) throw new MalformedFrame('frame is no object');
  const id = requiredString(frame, 'id');
  optionalString(frame, 'content');
  const contentDigest = optionalString(frame, 'content_digest');
  const head = chainHeads(frame.get('provenance')).at(-1);
  return Buffer.concat([Buffer.from(FRAME_TAG), encStr(providerId), encStr(id), encOpt(contentDigest), head]);
}

// compareTriples orders (provider_id, frame_id, content_digest) as CGP §6.3
// does: strings by their UTF-8 bytes, an absent digest before a present one.
function compareTriples(a, b) {
  const first = Buffer.compare(a.provider, b.provider) || Buffer.compare(a.frame, b.frame);
  if (first !== 0) return first;
  if (a.digest === null || b.digest === null) return (a.digest !== null) - (b.digest !== null);
  return Buffer.compare(a.digest, b.digest);
}

// canonicalOrder returns the arrival positions of the FrameIds in canonical
// order. The sort is stable (ECMA-262 §23.1.3.30): equal triples keep their order of arrival.
export function canonicalOrder(frameIds) {
  const triples = frameIds.map((frameId, position) => {
    const digest = optionalString(frameId, 'content_digest');
    return {
      position,
      provider: utf8(requiredString(frameId, 'provider_id')),
      frame: utf8(requiredString(frameId, 'frame_id')),
      digest: digest === null ? null : utf8(digest),
    };
  });
  return triples.sort(compareTriples).map((triple) => triple.position);
}
