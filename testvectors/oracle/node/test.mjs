// Tests of the oracle. The values of RFC 8032 are always checked; the published
// vectors when CGP_ATTEST_SHARED names the folder that holds them.
//
// Run: node --test test.mjs

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FRAME_TAG, GENESIS_TAG, LINK_TAG, utf8 } from './encoding.mjs';
import { BASE, IDENTITY, L, add, decode, double, doubleScalar, encode } from './ed25519.mjs';
import { JsonNumber, parse, stringify } from './json.mjs';
import { EMPTY_TAG, shape } from './merkle.mjs';
import { respond } from './oracle.mjs';

const SHARED = process.env.CGP_ATTEST_SHARED;
const published = { skip: SHARED ? false : 'CGP_ATTEST_SHARED is not set' };

function load(name) {
  return JSON.parse(readFileSync(join(SHARED, name), 'utf8'));
}

// ask sends one input through the wire form and returns the answer without id and steps.
function ask(op, input) {
  const { id, steps, ...answer } = JSON.parse(stringify(respond(parse(JSON.stringify({ id: 1, op, input })))));
  return answer;
}

// askText is ask for an input whose JSON spelling matters.
function askText(op, text) {
  const { id, steps, ...answer } = JSON.parse(stringify(respond(parse(`{"id":1,"op":"${op}","input":${text}}`))));
  return answer;
}

// RFC 8032 §7.1.
const RFC8032 = [
  {
    name: 'TEST 1',
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    pub: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    msg: '',
    sig: 'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155'
      + '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    name: 'TEST 2',
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    pub: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    msg: '72',
    sig: '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da'
      + '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    name: 'TEST 3',
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    pub: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    msg: 'af82',
    sig: '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac'
      + '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
  {
    name: 'TEST 1024',
    seed: 'f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5',
    pub: '278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e',
    msg: [
      '08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264bf09efe12ee50f8f54e9f77b1e355f6c50544e23fb1433ddf',
      '73be84d879de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37c93a1b270b20329d658675fc6ea534e0810a4432826bf58c941efb65d57a338b',
      'bd2e26640f89ffbc1a858efcb8550ee3a5e1998bd177e93a7363c344fe6b199ee5d02e82d522c4feba15452f80288a821a579116ec6dad2b3b310da9',
      '03401aa62100ab5d1a36553e06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573cb116dbefefd75499da96bd68a8a97b928a8bbc10',
      '3b6621fcde2beca1231d206be6cd9ec7aff6f6c94fcd7204ed3455c68c83f4a41da4af2b74ef5c53f1d8ac70bdcb7ed185ce81bd84359d44254d9562',
      '9e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2d17ba70eb6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24554119a831a9aad6',
      '079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f27088d78b7e883c8759d2c4f5c65adb7553878ad575f9fad878e80a0c9ba63bcbcc2732e694',
      '85bbc9c90bfbd62481d9089beccf80cfe2df16a2cf65bd92dd597b0707e0917af48bbb75fed413d238f5555a7a569d80c3414a8d0859dc65a46128ba',
      'b27af87a71314f318c782b23ebfe808b82b0ce26401d2e22f04d83d1255dc51addd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2',
      'af58429ec96031dbcad3dad9af0dcbaaaf268cb8fcffead94f3c7ca495e056a9b47acdb751fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301',
      '651339e22904cc8c42f58c30c04aafdb038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8ca61783aacec57fb3d1f92b0fe2fd1a85f672451',
      '7b65e614ad6808d6f6ee34dff7310fdc82aebfd904b01e1dc54b2927094b2db68d6f903b68401adebf5a7e08d78ff4ef5d63653a65040cf9bfd4aca7',
      '984a74d37145986780fc0b16ac451649de6188a7dbdf191f64b5fc5e2ab47b57f7f7276cd419c17a3ca8e1b939ae49e488acba6b965610b5480109c8',
      'b17b80e1b7b750dfc7598d5d5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504ccc493d97e6aed3fb0f9cd71a4',
      '3dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5fb93246f6b1116398a346f1a641f3b041e989f7914f90cc2c7fff357876e506b50d334ba7',
      '7c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa933a15ef1369546868a7f3a45a96768d40fd9d03412c091c6315cf4fde7cb68606937380d',
      'b2eaaa707b4c4185c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8cac60c905c15fc910840b94c00',
      'a0b9d0',
    ].join(''),
    sig: '0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350'
      + 'aa5371b1508f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a9704a188a03',
  },
  {
    name: 'TEST SHA(abc)',
    seed: '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    pub: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    msg: [
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94f',
      'a54ca49f',
    ].join(''),
    sig: 'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589'
      + '09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  },
];

// An RFC 8410 private key from its seed, for node:crypto, which signs here and verifies nothing.
function signer(seed) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'hex')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function publicHex(privateKey) {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
}

test('RFC 8032 section 7.1', () => {
  for (const { name, seed, pub, msg, sig } of RFC8032) {
    assert.equal(publicHex(signer(seed)), pub, name);
    assert.deepEqual(ask('ed25519', { public_key: pub, message: msg, signature: sig }), { verdict: 'valid' }, name);
    assert.deepEqual(ask('ed25519', { public_key: pub, message: `${msg}00`, signature: sig }), { verdict: 'bad_signature' }, name);
  }
});

test('every bit of a signature counts', () => {
  const { pub, msg, sig } = RFC8032[1];
  for (let bit = 0; bit < 512; bit++) {
    const bytes = Buffer.from(sig, 'hex');
    bytes[bit >> 3] ^= 1 << (bit & 7);
    const answer = ask('ed25519', { public_key: pub, message: msg, signature: bytes.toString('hex') });
    assert.deepEqual(answer, { verdict: 'bad_signature' }, `bit ${bit}`);
  }
});

test('signatures of another implementation verify', () => {
  for (let n = 0; n < 40; n++) {
    const key = signer(Buffer.alloc(32, n + 1).toString('hex'));
    const message = Buffer.alloc(n * 7, n);
    const input = { public_key: publicHex(key), message: message.toString('hex'), signature: sign(null, message, key).toString('hex') };
    assert.deepEqual(ask('ed25519', input), { verdict: 'valid' }, `seed ${n + 1}`);
  }
});

test('the torsion subgroup is refused in every encoding', () => {
  assert.deepEqual(encode(doubleScalar(L, BASE, 0n, BASE)), encode(IDENTITY));
  // L times any point of the curve lies in the torsion subgroup; some point gives a generator of it.
  const torsion = new Set();
  for (let n = 2; torsion.size < 8; n++) {
    const bytes = Buffer.alloc(32);
    bytes[0] = n;
    const point = decode(bytes).point;
    if (!point) continue;
    const generator = doubleScalar(L, point, 0n, point);
    for (let i = 0, p = IDENTITY; i < 8; i++, p = add(p, generator)) torsion.add(encode(p).toString('hex'));
  }
  assert.equal(torsion.size, 8);
  // Every encoding: either sign bit, and y + p where that fits in 255 bits.
  const p = 2n ** 255n - 19n;
  const encodings = new Set();
  for (const text of torsion) {
    const y = BigInt(`0x${Buffer.from(text, 'hex').reverse().toString('hex')}`) % 2n ** 255n;
    for (const spelling of [y, y + p].filter((n) => n < 2n ** 255n)) {
      for (const sign of [0n, 1n]) {
        encodings.add(Buffer.from((spelling + (sign << 255n)).toString(16).padStart(64, '0'), 'hex').reverse().toString('hex'));
      }
    }
  }
  assert.equal(encodings.size, 14);
  const { pub, msg, sig } = RFC8032[2];
  for (const bytes of encodings) {
    assert.deepEqual(ask('ed25519', { public_key: bytes, message: msg, signature: sig }), { verdict: 'malformed_key' }, bytes);
    assert.deepEqual(ask('key', { public_key: bytes, form: 'hex' }), { error: 'malformed_key' }, bytes);
    assert.deepEqual(ask('ed25519', { public_key: pub, message: msg, signature: bytes + sig.slice(64) }), { verdict: 'bad_signature' }, bytes);
  }
});

// A key whose secret scalar is known makes every signature that satisfies the
// equation over the integers mod L, also with an R that no honest signer writes.
const SECRET = 1234567n;
const KNOWN_KEY = encode(doubleScalar(SECRET, BASE, 0n, BASE)).toString('hex');

function scalarHex(s) {
  return Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
}

// forge returns R ‖ S with S = r + k·a (+ L where asked) for the R given as hex.
function forge(rHex, r, plus = 0n) {
  const hash = createHash('sha512').update(Buffer.from(rHex + KNOWN_KEY, 'hex')).digest();
  const k = BigInt(`0x${hash.reverse().toString('hex')}`) % L;
  return rHex + scalarHex(((r + k * SECRET) % L) + plus);
}

test('signatures that hold the equation and break one strict rule', () => {
  const judge = (signature) => ask('ed25519', { public_key: KNOWN_KEY, message: '', signature });
  const r = 7654321n;
  const point = doubleScalar(r, BASE, 0n, BASE);
  const honest = encode(point).toString('hex');
  assert.deepEqual(judge(forge(honest, r)), { verdict: 'valid' });
  assert.deepEqual(judge(forge(honest, r, L)), { verdict: 'bad_signature' }, 'S + L');
  // The cofactored equation holds for R + T with T = (0, −1), of order two.
  const orderTwo = { X: 0n, Y: 2n ** 255n - 20n, Z: 1n, T: 0n };
  assert.deepEqual(encode(double(orderTwo)), encode(IDENTITY));
  assert.deepEqual(judge(forge(encode(add(point, orderTwo)).toString('hex'), r)), { verdict: 'bad_signature' }, 'R + T');
  // With R the identity, S·B = k·A holds without a cofactor.
  const small = '01'.padEnd(64, '0');
  const answer = respond(parse(JSON.stringify({ id: 1, op: 'ed25519', input: { public_key: KNOWN_KEY, message: '', signature: forge(small, 0n) } })));
  assert.equal(answer.verdict, 'bad_signature', 'small R');
  assert.equal(answer.steps.reason, 'R: small order');
});

test('encodings with y from p on are refused outside the torsion subgroup too', () => {
  let points = 0;
  for (let y = 2n; y < 19n; y++) {
    if (!decode(Buffer.from(scalarHex(y), 'hex')).point) continue;
    points++;
    assert.equal(decode(Buffer.from(scalarHex(y + 2n ** 255n - 19n), 'hex')).reason, 'not canonical', `y = p + ${y}`);
  }
  assert.ok(points > 0);
});

test('Ed25519 precedence and time', () => {
  const { pub, msg, sig } = RFC8032[0];
  const verdicts = [
    [{ public_key: pub.toUpperCase(), signature: 'x' }, 'malformed_key'],
    [{ public_key: pub.slice(2), signature: 'x' }, 'malformed_key'],
    [{ public_key: '', signature: 'x' }, 'malformed_key'],
    [{ public_key: pub, signature: sig.toUpperCase() }, 'malformed_signature'],
    [{ public_key: pub, signature: sig.slice(2) }, 'malformed_signature'],
    [{ public_key: pub, signature: `${sig}\n` }, 'malformed_signature'],
  ];
  for (const [input, verdict] of verdicts) assert.deepEqual(ask('ed25519', { message: msg, ...input }), { verdict });
  const start = performance.now();
  for (let i = 0; i < 50; i++) ask('ed25519', { public_key: pub, message: msg, signature: sig });
  assert.ok((performance.now() - start) / 50 < 10, 'a verification takes 10 ms or more');
});

test('JSON keeps numbers and refuses what has two readings', () => {
  const numbers = ['7', '7.0', '7e0', '-0', '18446744073709551615', '1E400', '0.920000'];
  assert.deepEqual(parse(`[${numbers}]`), numbers.map((text) => new JsonNumber(text)));
  assert.equal(stringify(parse(`{"a":[${numbers}],"__proto__":"\\u0000"}`)), `{"a":[${numbers}],"__proto__":"\\u0000"}`);
  assert.equal(parse(' "\\ud834\\udd1e\\n/" '), '𝄞\n/');
  const refused = ['', '01', '+1', '.5', '1.', '-', 'nul', '[1,]', '[1 2]', '{"a":1,}', '{"a":1,"\\u0061":2}', '"\\ud800"', '"\\x"',
    '"\\u00g0"', '"\t"', '"', '1 2', '\ufeff1', '{a:1}', '\u00a01'];
  for (const text of refused) assert.throws(() => parse(text), SyntaxError, text);
});

test('short forms of an input', () => {
  assert.deepEqual(ask('encode', { text: { repeat: ['é', 3] } }), { value: `00000006${'c3a9'.repeat(3)}` });
  assert.deepEqual(ask('chain', { provenance: [{ type: { repeat: ['t', 2] } }] }), ask('chain', { provenance: [{ type: 'tt' }] }));
  const commitments = [`sha256:${'00'.repeat(32)}`];
  assert.deepEqual(ask('prove', { commitments, leaf_index_u64: '18446744073709551615' }), { error: 'out_of_range' });
  assert.deepEqual(ask('prove', { commitments, leaf_index_u64: '0' }).value, { leaf_index: 0, leaf_count: 1, path: [] });
});

test('absent, null and empty', () => {
  assert.deepEqual(ask('encode', { optional: null }), { value: '00' });
  assert.deepEqual(ask('encode', { optional: '' }), { value: '0100000000' });
  assert.deepEqual(ask('encode', { text: '\u0000' }), { value: '0000000100' });
  assert.deepEqual(ask('encode', { link: { type: 'f', uri: null, URI: 'x' } }), { value: `0000000166${'00'.repeat(5)}` });
  const empty = ask('commitment', { provider_id: 'p', frame: { id: 'f' } });
  assert.deepEqual(ask('commitment', { provider_id: 'p', frame: { id: 'f', content_digest: null, provenance: null, x: 1 } }), empty);
  assert.notDeepEqual(ask('commitment', { provider_id: 'p', frame: { id: 'f', content_digest: '' } }), empty);
});

test('malformed frames', () => {
  const frames = [null, [], 'f', {}, { id: 1 }, { id: 'f', content: 1 }, { id: 'f', content_digest: {} }, { id: 'f', provenance: {} },
    { id: 'f', provenance: [null] }, { id: 'f', provenance: [{}] }, { id: 'f', provenance: [{ type: null }] },
    { id: 'f', provenance: [{ type: 't', by: 1 }] }];
  for (const frame of frames) {
    assert.deepEqual(ask('commitment', { provider_id: 'p', frame }), { error: 'malformed_frame' }, JSON.stringify(frame));
  }
});

test('canonical order', () => {
  const frame = (frame_id, content_digest, provider_id = 'p') => ({ provider_id, frame_id, content_digest });
  const rows = [
    ['UTF-8 bytes, not UTF-16', [frame('\u{10000}'), frame('\uffff')], [1, 0]],
    ['absent before present', [frame('a', ''), frame('a', null), frame('a')], [1, 2, 0]],
    ['a prefix first', [frame('ab'), frame('a'), frame('')], [2, 1, 0]],
    ['equal triples keep their order', [frame('b'), frame('a', 'x'), frame('a', 'x')], [1, 2, 0]],
    ['provider first', [frame('a', null, 'q'), frame('b', null, 'p')], [1, 0]],
    ['none', [], []],
  ];
  for (const [name, frames, want] of rows) assert.deepEqual(ask('order', { frames }), { value: want }, name);
});

const leaves = (n) => Array.from({ length: n }, (_, i) => `sha256:${i.toString(16).padStart(2, '0').repeat(32)}`);

test('proofs of every leaf up to 33 leaves', () => {
  for (let n = 1; n <= 33; n++) {
    const commitments = leaves(n);
    const want = ask('root', { commitments }).value;
    for (let i = 0; i < n; i++) {
      const proof = ask('prove', { commitments, leaf_index: i }).value;
      const sides = proof.path.map((step) => step.sibling_is_left);
      assert.deepEqual(shape(BigInt(i), BigInt(n)), sides);
      const input = { commitment: commitments[i], inclusion_proof: proof, root: want };
      assert.deepEqual(ask('proof', input), { verdict: 'valid' });
      assert.deepEqual(ask('proof', { ...input, frames: n }), { verdict: 'valid' });
      assert.deepEqual(ask('proof', { ...input, frames: n + 1 }), { verdict: 'malformed_commitment' });
      assert.deepEqual(ask('proof', { ...input, commitment: `sha256:${'ff'.repeat(32)}` }), { verdict: 'commitment_mismatch' });
    }
    assert.deepEqual(ask('prove', { commitments, leaf_index: n }), { error: 'out_of_range' });
  }
  assert.deepEqual(ask('prove', { commitments: [], leaf_index: 0 }), { error: 'out_of_range' });
  assert.deepEqual(ask('root', { commitments: [`SHA256:${'00'.repeat(32)}`] }), { error: 'malformed_commitment' });
});

test('malformed and unusable proofs', () => {
  const commitments = leaves(5);
  const want = ask('root', { commitments }).value;
  const proof = ask('prove', { commitments, leaf_index: 3 }).value;
  const judge = (changes, more = {}) => ask('proof', { commitment: commitments[3], inclusion_proof: { ...proof, ...changes }, root: want, ...more });
  const [first, ...rest] = proof.path;
  const malformed = [
    { leaf_index: 5 }, { leaf_index: 5, path: [{ ...first, sibling_is_left: true }] }, { leaf_count: 0 }, { leaf_count: 4 }, { leaf_count: 9 }, { path: [] }, { path: rest }, { path: [...proof.path, first] },
    { path: Array(65).fill(first) }, { path: [{ ...first, sibling_is_left: !first.sibling_is_left }, ...rest] },
    { path: [{ ...first, sibling: first.sibling.toUpperCase() }, ...rest] }, { path: [{ ...first, sibling: '' }, ...rest] },
  ];
  for (const changes of malformed) assert.deepEqual(judge(changes), { verdict: 'malformed_commitment' }, JSON.stringify(changes));
  assert.deepEqual(judge({}, { root: 'x' }), { verdict: 'malformed_commitment' });
  assert.deepEqual(judge({}, { commitment: want.slice(7) }), { verdict: 'malformed_commitment' });
  // The same shape for 5 to 8 leaves: only `frames` can tell.
  assert.deepEqual(judge({ leaf_count: 8 }), { verdict: 'valid' });
  assert.deepEqual(judge({ leaf_count: 8 }, { frames: 5 }), { verdict: 'malformed_commitment' });

  const unusable = [
    { leaf_index: null }, { leaf_index: '3' }, { leaf_count: -5 }, { leaf_count: 5.5 }, { path: null }, { path: {} }, { path: [null] },
    { path: [{ ...first, sibling: null }] }, { path: [{ ...first, sibling_is_left: 1 }] }, { path: [{ sibling: first.sibling }] },
  ];
  for (const changes of unusable) assert.deepEqual(judge(changes), { error: 'unusable' }, JSON.stringify(changes));
  for (const inclusion_proof of [null, [], 'x', 1]) {
    assert.deepEqual(ask('proof', { commitment: want, inclusion_proof, root: want }), { error: 'unusable' });
  }
});

test('counts keep their spelling', () => {
  const [commitment] = leaves(1);
  const want = ask('root', { commitments: [commitment] }).value;
  const judge = (index, count) => {
    const inclusion_proof_json = `{"leaf_index":${index},"leaf_count":${count},"path":[]}`;
    const asText = ask('proof', { commitment, inclusion_proof_json, root: want });
    assert.deepEqual(askText('proof', `{"commitment":"${commitment}","inclusion_proof":${inclusion_proof_json},"root":"${want}"}`), asText);
    return asText;
  };
  assert.deepEqual(judge('0', '1'), { verdict: 'valid' });
  for (const index of ['0.0', '0e0', '-0', '18446744073709551616', '1e400']) assert.deepEqual(judge(index, '1'), { error: 'unusable' }, index);
  for (const count of ['1.0', '1E0', '18446744073709551616']) assert.deepEqual(judge('0', count), { error: 'unusable' }, count);
  assert.deepEqual(judge('0', '18446744073709551615'), { verdict: 'malformed_commitment' });
  assert.deepEqual(judge('18446744073709551615', '18446744073709551615'), { verdict: 'malformed_commitment' });
  const noProof = (inclusion_proof_json) => ask('proof', { commitment, inclusion_proof_json, root: want });
  for (const text of ['', '{', '{}', 'null', '{"leaf_index":0,"leaf_index":0,"leaf_count":1,"path":[]}', '{"leaf_index":0,"leaf_count":1,"path":[]} 1']) {
    assert.deepEqual(noProof(text), { error: 'unusable' }, text);
  }
});

test('the largest trees', () => {
  const max = 2n ** 64n - 1n;
  assert.equal(shape(0n, max).length, 64);
  assert.deepEqual(shape(max - 1n, max), Array(63).fill(true));
  assert.deepEqual(shape(2n ** 63n, 2n ** 63n + 1n), [true]);
  // A path of 64 steps, hashed here by hand.
  const [commitment, sibling] = leaves(2);
  const steps = Array(64).fill({ sibling, sibling_is_left: false });
  const input = { commitment, inclusion_proof: { leaf_index: 0, leaf_count_u64: String(max), path: steps }, root: commitment };
  assert.deepEqual(ask('proof', input), { verdict: 'commitment_mismatch' });
});

test('verdicts on an attestation come in order', () => {
  const key = signer('01'.repeat(32));
  const commitment = `sha256:${'ab'.repeat(32)}`;
  const good = {
    attestation: {
      signed_commitment: commitment, key_id: 'k', algorithm: 'ed25519', attester_id: 'a', issued_at: 'not read',
      signature: sign(null, Buffer.from('ab'.repeat(32), 'hex'), key).toString('hex'),
    },
    commitment, public_key: { algorithm: 'ed25519', public_key: publicHex(key) }, content_digest: '',
  };
  const judge = (changes, attestation = {}) => ask('verify', { ...good, ...changes, attestation: { ...good.attestation, ...attestation } });
  assert.deepEqual(judge({}), { verdict: 'valid' });
  assert.deepEqual(judge({ content_digest: null }), { verdict: 'valid_identity_only' });
  const weak = { algorithm: 'ed25519', public_key: '01'.padEnd(64, '0') };
  const rows = [ // each row breaks one rule more than the row above
    ['bad_signature', {}, { signature: good.attestation.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) }],
    ['malformed_signature', {}, { signature: 'x' }],
    ['malformed_key', { public_key: weak }, {}],
    ['commitment_mismatch', { commitment: `sha256:${'ac'.repeat(32)}` }, {}],
    ['malformed_commitment', {}, { signed_commitment: commitment.toUpperCase() }],
    ['unknown_algorithm', {}, { algorithm: 'Ed25519' }],
  ];
  let [changes, attestation] = [{}, {}];
  for (const [verdict, more, moreAttestation] of rows) {
    changes = { ...changes, ...more };
    attestation = { ...attestation, ...moreAttestation };
    assert.deepEqual(judge(changes, attestation), { verdict }, verdict);
  }
  assert.deepEqual(judge({ public_key: { ...good.public_key, algorithm: 'ml-dsa-65' } }), { verdict: 'malformed_key' });
  assert.deepEqual(judge({ algorithms: [] }), { verdict: 'unknown_algorithm' });
  const other = { algorithms: ['ed25519', 'ml-dsa-65'], public_key: { ...good.public_key, algorithm: 'ml-dsa-65' } };
  assert.deepEqual(judge(other, { algorithm: 'ml-dsa-65' }), { unsupported: true });
  for (const name of Object.keys(good.attestation)) {
    assert.deepEqual(judge({}, { [name]: null }), { error: 'unusable' }, name);
    assert.deepEqual(judge({}, { [name]: 1 }), { error: 'unusable' }, name);
    assert.deepEqual(judge({}, { [name]: undefined }), { error: 'unusable' }, name);
  }
});

test('keys in every form', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicHex(privateKey);
  const blob = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32]), Buffer.from(raw, 'hex')]);
  const pem = publicKey.export({ format: 'pem', type: 'spki' });
  const jwk = publicKey.export({ format: 'jwk' });
  const ssh = `ssh-ed25519 ${blob.toString('base64')}`;
  const want = ask('key', { public_key: raw, form: 'hex' });
  assert.equal(want.value.public_key, raw);
  const same = [
    ['hex', raw.toUpperCase()], ['pem', pem], ['pem', pem.replaceAll('\n', '\r\n')], ['pem', pem.trim()], ['openssh', ssh],
    ['openssh', `${ssh} some one@host\n`], ['jwk', JSON.stringify(jwk)], ['jwk', JSON.stringify({ ...jwk, alg: 'EdDSA', kid: 'k' })],
  ];
  for (const [form, text] of same) assert.deepEqual(ask('key', { public_key: text, form }), want, text);
  const other = generateKeyPairSync('x25519').publicKey;
  const refused = [
    ['hex', ''], ['hex', raw.slice(2)], ['hex', `${raw}00`], ['hex', `${raw}\n`], ['hex', `0x${raw.slice(2)}`], ['pem', raw], ['pem', pem + pem],
    ['pem', other.export({ format: 'pem', type: 'spki' })], ['pem', privateKey.export({ format: 'pem', type: 'pkcs8' })],
    ['openssh', ssh.replace('ssh-ed25519 ', 'ssh-rsa ')], ['openssh', ssh.slice(0, -4)], ['openssh', `${ssh}\n${ssh}`],
    ['openssh', `no-pty ${ssh}`], ['jwk', JSON.stringify({ ...jwk, crv: 'X25519' })], ['jwk', JSON.stringify({ ...jwk, alg: 'ES256' })],
    ['jwk', JSON.stringify(privateKey.export({ format: 'jwk' }))], ['jwk', JSON.stringify({ ...jwk, x: `${jwk.x}=` })], ['jwk', '{'],
  ];
  for (const [form, text] of refused) assert.deepEqual(ask('key', { public_key: text, form }), { error: 'malformed_key' }, `${form} ${text}`);
});

test('content against its digest', () => {
  const digest = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'; // "abc", FIPS 180-4 example
  const rows = [
    [{}, 'no_content'], [{ content: null, content_digest: digest }, 'no_content'], [{ content: 'abc' }, 'no_digest'],
    [{ content: 'abc', content_digest: '' }, 'opaque_digest'], [{ content: 'abc', content_digest: digest.toUpperCase() }, 'opaque_digest'],
    [{ content: 'abc', content_digest: digest }, 'match'], [{ content: 'abd', content_digest: digest }, 'mismatch'],
    [{ content: '', content_digest: digest }, 'mismatch'],
  ];
  for (const [input, verdict] of rows) assert.deepEqual(ask('content', input), { verdict }, JSON.stringify(input));
});

test('instants', () => {
  const good = ['2026-08-27T00:00:00Z', '0000-02-29T23:59:60Z', '9999-12-31T12:30:60.000Z', '2000-02-29T00:00:00.5Z', '2024-02-29T00:00:00Z'];
  const bad = ['', '2026-08-27T00:00:00', '2026-08-27t00:00:00Z', '2026-08-27T00:00:00z', '2026-08-27T00:00:00+00:00', '2026-08-27 00:00:00Z',
    '2026-08-27T24:00:00Z', '2026-08-27T00:60:00Z', '2026-08-27T00:00:61Z', '2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-08-27T00:00:00.Z', '2026-08-27T00:00:00,5Z',
    '2026-8-27T00:00:00Z', '+2026-08-27T00:00:00Z', '12026-08-27T00:00:00Z', '2026-08-27T00:00Z', ' 2026-08-27T00:00:00Z', '2026-08-27T00:00:00Z\n',
    '２026-08-27T00:00:00Z', 20260827];
  for (const a of good) assert.deepEqual(ask('instant', { a }), { verdict: 'well_formed' }, a);
  for (const a of bad) {
    assert.deepEqual(ask('instant', { a }), { verdict: 'malformed_instant' }, String(a));
    assert.deepEqual(ask('instant', { a: good[0], b: a }), { verdict: 'malformed_instant' }, String(a));
  }
  const at = (rest) => `2026-08-27T00:${rest}Z`;
  const rising = ['00:00', '00:00.0000000000000000000001', '00:00.05', '00:00.1', '00:00.5', '00:59.9', '00:60', '00:60.5', '01:00'].map(at);
  rising.forEach((a, i) => rising.forEach((b, j) => {
    assert.deepEqual(ask('instant', { a, b }), { verdict: i < j ? 'before' : i > j ? 'after' : 'equal' }, `${a} ${b}`);
  }));
  assert.deepEqual(ask('instant', { a: at('00:00.500'), b: at('00:00.5') }), { verdict: 'equal' });
  assert.deepEqual(ask('instant', { a: at('00:00.000'), b: at('00:00') }), { verdict: 'equal' });
});

test('windows', () => {
  const [a, b, c] = ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-12-31T23:59:59Z'];
  const rows = [
    [{}, 'in_service'], [{ at: 'x' }, 'in_service'], [{ not_before: null, not_after: null, at: 'x' }, 'in_service'],
    [{ not_before: b, at: a }, 'not_yet_valid'], [{ not_before: b, at: b }, 'in_service'], [{ not_before: b, at: c }, 'in_service'],
    [{ not_after: b, at: c }, 'expired'], [{ not_after: b, at: b }, 'in_service'], [{ not_after: b, at: '2026-06-01T00:00:00.0001Z' }, 'expired'],
    [{ not_before: b, not_after: b, at: b }, 'in_service'], [{ not_before: c, not_after: a, at: b }, 'malformed_window'],
    [{ not_before: '', at: b }, 'malformed_window'], [{ not_after: 'x' }, 'malformed_window'], [{ not_before: a }, 'malformed_instant'],
    [{ not_after: a, at: 'x' }, 'malformed_instant'], [{ not_before: a, at: null }, 'malformed_instant'],
  ];
  for (const [input, verdict] of rows) assert.deepEqual(ask('window', input), { verdict }, JSON.stringify(input));
});

test('line numbers compare as numbers', () => {
  const file = 'x\n'.repeat(10);
  assert.deepEqual(ask('range', { range: 'L10-9', file }), { error: 'inverted' });
  assert.deepEqual(ask('range', { range: 'L11', file }), { error: 'start_past_end' });
  assert.deepEqual(ask('range', { range: 'L99-9', file }), { error: 'inverted' });
  assert.equal(ask('range', { range: 'L9-10', file }).value.bytes, '780a780a');
  assert.equal(ask('range', { range: 'L9-100', file }).value.bytes, '780a780a');
});

test('large inputs', () => {
  const input = { range: `L1-${'9'.repeat(1 << 20)}`, file: { repeat: ['a\n', 1 << 19] } };
  assert.equal(ask('range', input).value.bytes.length, 4 << 19);
  assert.deepEqual(ask('range', { ...input, range: `L${'9'.repeat(1 << 20)}` }), { error: 'start_past_end' });
  const message = { repeat: ['00', 1 << 20] };
  assert.deepEqual(ask('ed25519', { public_key: RFC8032[0].pub, message, signature: RFC8032[0].sig }), { verdict: 'bad_signature' });
  assert.deepEqual(ask('instant', { a: `2026-08-27T00:00:00.${'0'.repeat(1 << 20)}1Z` }), { verdict: 'well_formed' });
  assert.equal(ask('encode', { text: { repeat: ['é', 1 << 20] } }).value.slice(0, 12), '00200000c3a9');
  assert.deepEqual(ask('key', { public_key: { repeat: ['a', 1 << 22] }, form: 'pem' }), { error: 'malformed_key' });
});

test('the conversation', () => {
  const sent = [
    '{"op":"hello"}', '', '{"id":"a","op":"encode","input":{"text":"x"}}', '{"id":"b","op":"trust","input":{}}', 'no json',
    '{"id":"c","op":"encode","input":{"text":"\\ud800"}}', '{"id":"d","op":"encode","input":{}}', '{"id":"e","op":"window"}', '[]',
    `{"id":"f","op":"chain","input":{"x":${'['.repeat(50000)}${']'.repeat(50000)}}}`, '{"id":"g","op":"toString","input":{}}',
  ];
  const oracle = fileURLToPath(new URL('oracle.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [oracle], { input: sent.join('\n'), encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  const [hello, ...answers] = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(hello.ops.length, 14);
  assert.deepEqual(hello.algorithms, ['ed25519']);
  const seen = answers.map(({ id, value, verdict, error, unsupported }) => [id, value ?? verdict ?? error ?? (unsupported && 'unsupported')]);
  assert.deepEqual(seen, [
    ['a', '0000000178'], ['b', 'unsupported'], [null, 'internal'], ['c', 'internal'], ['d', 'internal'], ['e', 'in_service'],
    [null, 'internal'], ['f', 'internal'], ['g', 'unsupported'],
  ]);
});

test('published attestation vectors', published, () => {
  const vectors = load('attestation-vectors.json');
  const tags = vectors.domain_tags;
  assert.deepEqual([GENESIS_TAG, LINK_TAG, FRAME_TAG, EMPTY_TAG], [tags.genesis, tags.link, tags.frame, tags.merkle_empty]);
  for (const [name, value] of Object.entries(vectors.link_encodings_hex)) {
    assert.deepEqual(ask('encode', { link: vectors.links[name] }), { value }, name);
  }
  for (const member of ['uri', 'by']) {
    assert.equal(utf8(vectors.links.unicode[member]).length, vectors.unicode_length_trap[member].utf8_bytes, member);
  }
  const chains = { empty: [], file: ['file'], file_then_derivation: ['file', 'derivation'], unicode: ['unicode'] };
  assert.deepEqual(Object.keys(chains).sort(), Object.keys(vectors.chain_heads).sort());
  const linksOf = (names) => names.map((name) => vectors.links[name]);
  for (const [name, names] of Object.entries(chains)) {
    assert.deepEqual(ask('chain', { provenance: linksOf(names) }), { value: vectors.chain_heads[name].slice(7) }, name);
  }

  const { provider_id, frame, commitment } = vectors.frame_commitment;
  assert.deepEqual(ask('commitment', { provider_id, frame: { ...frame, provenance: linksOf(frame.provenance) } }), { value: commitment });

  const { merkle } = vectors;
  const commitments = merkle.leaf_frames.map((leaf) => ask('commitment', { provider_id: merkle.provider_id, frame: leaf }).value);
  for (const [count, want] of Object.entries(merkle.roots_by_leaf_count)) {
    assert.deepEqual(ask('root', { commitments: commitments.slice(0, Number(count)) }), { value: want }, count);
  }
  const proof = merkle.inclusion_proof;
  const leafIndex = proof.leaf_index;
  assert.deepEqual(ask('prove', { commitments, leaf_index: leafIndex }), { value: proof });
  const proven = { commitment: commitments[leafIndex], inclusion_proof: proof, root: merkle.roots_by_leaf_count[proof.leaf_count] };
  assert.deepEqual(ask('proof', { ...proven, frames: proof.leaf_count }), { verdict: 'valid' });

  const { signature } = vectors;
  assert.equal(publicHex(signer(signature.signing_key_seed_hex)), signature.public_key_hex);
  const public_key = { algorithm: 'ed25519', public_key: signature.public_key_hex };
  const input = { attestation: signature.attestation, commitment, public_key, content_digest: frame.content_digest };
  assert.deepEqual(ask('verify', input), { verdict: 'valid' });

  const strictness = vectors.verifier_strictness;
  const weak = [...strictness.small_order_public_keys_hex, ...strictness.non_canonical_public_keys_hex];
  assert.equal(weak.length, 10);
  for (const key of weak) assert.deepEqual(ask('key', { public_key: key, form: 'hex' }), { error: 'malformed_key' }, key);
});

test('published range vectors', published, () => {
  const { resources, cases } = load('range-vectors.json');
  assert.ok(cases.length > 0);
  for (const { resource, range, bytes, digest, unverifiable, note } of cases) {
    const want = unverifiable ? { error: unverifiable } : { value: { bytes: Buffer.from(bytes).toString('hex'), digest } };
    assert.deepEqual(ask('range', { range, file: resources[resource] }), want, note);
    assert.deepEqual(ask('range', { range, file_hex: Buffer.from(resources[resource]).toString('hex') }), want, note);
  }
});

test('published Ed25519 cases', published, () => {
  const { count, cases } = load('ed25519-strict-public.json');
  assert.equal(cases.length, count);
  assert.equal(count, 1081);
  for (const { id, pub, msg, sig, expected } of cases) {
    assert.deepEqual(ask('ed25519', { public_key: pub, message: msg, signature: sig }), { verdict: expected }, id);
  }
});

test('published reference answer', published, () => {
  const messages = load('reference-messages.json');
  const { result } = messages.findLast((message) => message.type === 'frames');
  const [key] = messages.find((message) => message.attester_keys).attester_keys;
  const provider_id = 'repo-graph';
  const ids = result.frames.map((frame) => ({ provider_id, frame_id: frame.id, content_digest: frame.content_digest }));
  const order = ask('order', { frames: ids }).value;
  const commitments = order.map((position) => ask('commitment', { provider_id, frame: result.frames[position] }).value);
  const rootValue = ask('root', { commitments }).value;
  const verify = (attestation, commitment) => ask('verify', { attestation, commitment, public_key: key, content_digest: 'x' });
  assert.deepEqual(verify(result.result_attestation, rootValue), { verdict: 'valid' });
  assert.deepEqual(verify(result.frame_attestations[0].attestation, commitments[0]), { verdict: 'valid' });
  result.frame_attestations.forEach(({ inclusion_proof }, i) => {
    const input = { commitment: commitments[i], inclusion_proof, root: rootValue, frames: commitments.length };
    assert.deepEqual(ask('proof', input), { verdict: 'valid' });
  });
});
