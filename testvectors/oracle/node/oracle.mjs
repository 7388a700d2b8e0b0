// An oracle for cgp-attest-vectors/1: JSON lines on stdin, an answer a line on
// stdout. It shares no code with the library that it is compared with.
//
//   {"op":"hello"}        → {"name", "version", "ops", "algorithms", "limits"}
//   {"id","op","input"}   → {"id", "value"|"verdict"|"error", "steps"?}
//                           {"id", "unsupported": true} for what is not here
//
// Run: node oracle.mjs

import { pathToFileURL } from 'node:url';
import { realpathSync } from 'node:fs';
import { JsonNumber, parse, stringify } from './json.mjs';
import {
  MalformedFrame, canonicalOrder, chainHeads, digestBytes, digestText, encOpt, encStr, encodeLink, framePreimage,
  isDigest, sha256, utf8,
} from './encoding.mjs';
import { leafHash, parseCount, path, readProof, root, verifyProof } from './merkle.mjs';
import * as ed25519 from './ed25519.mjs';
import { hexBytes, isForm, readKey } from './keys.mjs';
import { addressed, checkContent, judgeInstant, judgeWindow } from './texts.mjs';

const NAME = 'cgp-oracle-node';
const VERSION = '1';
const STEPS_LIMIT = 4096; // bytes of one intermediate value that is still shown

const hex = (bytes) => bytes.toString('hex');
const shown = (bytes) => (bytes.length <= STEPS_LIMIT ? hex(bytes) : undefined);

// An input that the format does not allow has no answer of its own: internal.
function need(condition, what) {
  if (!condition) throw new Error(what);
}

// unlessMalformed gives a frame, chain or link without an encoding its name (PROTOCOL §7).
function unlessMalformed(answer) {
  try {
    return answer();
  } catch (error) {
    if (error instanceof MalformedFrame) return { error: 'malformed_frame', steps: { reason: error.message } };
    throw error;
  }
}

function opEncode(input) {
  if (input.has('text')) {
    need(typeof input.get('text') === 'string', 'text is no string');
    return { value: hex(encStr(input.get('text'))) };
  }
  if (input.has('optional')) {
    const s = input.get('optional');
    need(s === null || typeof s === 'string', 'optional is neither string nor null');
    return { value: hex(encOpt(s)) };
  }
  need(input.has('link'), 'nothing to encode');
  return unlessMalformed(() => ({ value: hex(encodeLink(input.get('link'))) }));
}

function opChain(input) {
  return unlessMalformed(() => {
    const heads = chainHeads(input.get('provenance'));
    return { value: hex(heads.at(-1)), steps: { heads: heads.map(hex) } };
  });
}

function opCommitment(input) {
  const providerId = input.get('provider_id');
  need(typeof providerId === 'string', 'provider_id is no string');
  return unlessMalformed(() => {
    const preimage = framePreimage(providerId, input.get('frame'));
    return {
      value: digestText(sha256(preimage)),
      steps: { chain_head: hex(preimage.subarray(-32)), preimage: shown(preimage) },
    };
  });
}

function opOrder(input) {
  const frames = input.get('frames');
  need(Array.isArray(frames) && frames.every((frame) => frame instanceof Map), 'frames is no array of objects');
  return { value: canonicalOrder(frames) };
}

// readLeaves returns the commitments as bytes, or null where one is no digest.
function readLeaves(input) {
  const commitments = input.get('commitments');
  need(Array.isArray(commitments), 'commitments is no array');
  const leaves = commitments.map(digestBytes);
  return leaves.includes(null) ? null : leaves;
}

function opRoot(input) {
  const leaves = readLeaves(input);
  if (leaves === null) return { error: 'malformed_commitment' };
  const steps = leaves.length <= 64 ? { leaf_hashes: leaves.map((leaf) => hex(leafHash(leaf))) } : undefined;
  return { value: digestText(root(leaves)), steps };
}

function opProve(input) {
  const leaves = readLeaves(input);
  if (leaves === null) return { error: 'malformed_commitment' };
  const index = input.get('leaf_index');
  need(index instanceof JsonNumber && /^(0|-?[1-9][0-9]*)$/.test(index.text), 'leaf_index is no integer');
  const i = BigInt(index.text);
  if (i < 0n || i >= BigInt(leaves.length)) return { error: 'out_of_range' };
  const steps = path(leaves, Number(i));
  return {
    value: {
      leaf_index: i,
      leaf_count: leaves.length,
      path: steps.map(({ sibling, left }) => ({ sibling: digestText(sibling), sibling_is_left: left })),
    },
    steps: { root: digestText(root(leaves)) },
  };
}

// The proof is given as a value or as raw JSON text; a text that is not one JSON value is unusable.
function proofOf(input) {
  if (!input.has('inclusion_proof_json')) return input.get('inclusion_proof');
  const text = input.get('inclusion_proof_json');
  need(typeof text === 'string', 'inclusion_proof_json is no string');
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function opProof(input) {
  const frames = input.get('frames') ?? null;
  const carried = frames === null ? null : parseCount(frames);
  need(frames === null || carried !== null, 'frames is no count');
  const proof = readProof(proofOf(input));
  if (proof === null) return { error: 'unusable' };
  return verifyProof(input.get('commitment'), proof, input.get('root'), carried);
}

function opEd25519(input) {
  const message = hexBytes(input.get('message'));
  need(message !== null, 'message is no lowercase hex');
  return ed25519.verify(hexBytes(input.get('public_key')), message, input.get('signature'));
}

const ATTESTATION_MEMBERS = ['signed_commitment', 'key_id', 'algorithm', 'attester_id', 'signature', 'issued_at'];

// opVerify gives one attestation its verdict, the first that applies in the
// order of CGP §6.5.4. key_id, attester_id and issued_at decide nothing (CGP F18).
function opVerify(input) {
  const attestation = input.get('attestation');
  if (!(attestation instanceof Map)) return { error: 'unusable' };
  if (!ATTESTATION_MEMBERS.every((name) => typeof attestation.get(name) === 'string')) return { error: 'unusable' };
  const commitment = input.get('commitment');
  const contentDigest = input.get('content_digest') ?? null;
  need(typeof commitment === 'string', 'commitment is no string');
  need(contentDigest === null || typeof contentDigest === 'string', 'content_digest is neither string nor null');

  const algorithm = attestation.get('algorithm');
  const algorithms = input.get('algorithms') ?? ['ed25519'];
  need(Array.isArray(algorithms), 'algorithms is no array');
  if (!algorithms.includes(algorithm)) return { verdict: 'unknown_algorithm' };
  const signed = attestation.get('signed_commitment');
  if (!isDigest(signed)) return { verdict: 'malformed_commitment' };
  if (signed !== commitment) return { verdict: 'commitment_mismatch', steps: { signed, recomputed: commitment } };
  const key = input.get('public_key');
  if (!(key instanceof Map) || key.get('algorithm') !== algorithm) return { verdict: 'malformed_key' };
  if (algorithm !== 'ed25519') return { unsupported: true };
  // The signature is over the 32 raw commitment bytes, no prehash, no context.
  const answer = ed25519.verify(hexBytes(key.get('public_key')), digestBytes(signed), attestation.get('signature'));
  if (answer.verdict === 'valid' && contentDigest === null) answer.verdict = 'valid_identity_only';
  return answer;
}

function opKey(input) {
  const form = input.get('form') ?? 'hex';
  if (!isForm(form)) return { unsupported: true };
  const key = readKey(input.get('public_key'), form);
  return key === null ? { error: 'malformed_key' } : { value: key };
}

function opContent(input) {
  for (const name of ['content', 'content_digest']) {
    const value = input.get(name) ?? null;
    need(value === null || typeof value === 'string', `${name} is neither string nor null`);
  }
  return { verdict: checkContent(input.get('content'), input.get('content_digest')) };
}

function opInstant(input) {
  return { verdict: judgeInstant(input.get('a'), input.get('b')) };
}

function opWindow(input) {
  return { verdict: judgeWindow(input.get('not_before'), input.get('not_after'), input.get('at')) };
}

function opRange(input) {
  const text = input.get('file');
  const file = typeof text === 'string' ? utf8(text) : hexBytes(input.get('file_hex'));
  need(file !== null, 'neither file nor file_hex');
  const { bytes, error } = addressed(input.get('range'), file);
  return error ? { error } : { value: { bytes: hex(bytes), digest: digestText(sha256(bytes)) } };
}

const OPS = new Map(Object.entries({
  encode: opEncode,
  chain: opChain,
  commitment: opCommitment,
  order: opOrder,
  root: opRoot,
  prove: opProve,
  proof: opProof,
  ed25519: opEd25519,
  verify: opVerify,
  key: opKey,
  content: opContent,
  instant: opInstant,
  window: opWindow,
  range: opRange,
}));

// expand undoes the two short forms of an input, at every depth:
// {"repeat":[TEXT, N]} is TEXT N times, and NAME_u64: "123" is the number NAME: 123.
export function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (!(value instanceof Map)) return value;
  const members = new Map();
  for (const [name, member] of value) {
    const isU64 = name.endsWith('_u64') && typeof member === 'string';
    const longName = isU64 ? name.slice(0, -'_u64'.length) : name;
    need(!members.has(longName), `${longName} is given twice`);
    members.set(longName, isU64 ? new JsonNumber(member) : expand(member));
  }
  const repeat = members.get('repeat');
  if (members.size === 1 && Array.isArray(repeat) && repeat.length === 2) {
    const [text, count] = repeat;
    if (typeof text === 'string' && parseCount(count) !== null) return text.repeat(Number(count.text));
  }
  return members;
}

// respond answers one parsed request with an object to be written.
export function respond(request) {
  need(request instanceof Map, 'a request is an object');
  const op = request.get('op');
  if (op === 'hello') return { name: NAME, version: VERSION, ops: [...OPS.keys()], algorithms: ['ed25519'], limits: {} };
  const id = request.get('id') ?? null;
  const run = OPS.get(op);
  if (run === undefined) return { id, unsupported: true };
  try {
    const input = expand(request.get('input') ?? new Map());
    need(input instanceof Map, 'input is no object');
    return { id, ...run(input) };
  } catch (error) {
    return { id, error: 'internal', detail: error.message };
  }
}

// answerLine never throws: a line that is no request is answered with `internal`
// under the id that can still be read from it.
export function answerLine(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return stringify(respond(parse(text)));
  } catch (error) {
    return JSON.stringify({ id: looseId(bytes), error: 'internal', detail: error.message });
  }
}

function looseId(bytes) {
  try {
    return JSON.parse(bytes.toString('utf8')).id ?? null;
  } catch {
    return null;
  }
}

// lines yields the LF-ended lines of a stream of chunks, without their LF.
async function* lines(stream) {
  let pending = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let lf = chunk.indexOf(0x0a); lf >= 0; lf = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, lf)]);
      pending = [];
      start = lf + 1;
    }
    pending.push(chunk.subarray(start));
  }
  yield Buffer.concat(pending);
}

async function main() {
  process.stdout.on('error', () => process.exit(1)); // the other side has gone
  for await (const line of lines(process.stdin)) {
    if (line.toString('latin1').trim() === '') continue;
    process.stdout.write(`${answerLine(line)}\n`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) await main();
