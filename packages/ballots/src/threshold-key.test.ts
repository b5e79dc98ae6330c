import { beforeAll, expect, test } from 'vitest';
import { opensslPowers } from '../node/openssl-powers.ts';
import { recorded, recordedLines } from '../test/recorded.ts';
import { recordedElection } from '../test/recorded-archive.ts';
import { type CertificateKeys, createCertificate, deriveKeys, newSeed } from './certificate.ts';
import { receiveMessage, sendMessage } from './channel.ts';
import { readElection } from './election.ts';
import { generator } from './group.ts';
import { parseJson } from './json.ts';
import { keyInputJson, readKeyInput, routePolynomials } from './key-input.ts';
import { createShare, openShare, readKeyShare } from './key-share.ts';
import { decryptPartly, type PartialDecryption, verifyPartialDecryption } from './partial-decryption.ts';
import { createPolynomial, readPolynomial } from './polynomial.ts';
import { combineResult, missingDecryptions, printResult } from './result.ts';
import { openMessage, sealMessage } from './sealed-message.ts';
import { readSignedMessage } from './signed-message.ts';
import { readSizedTally, readTally, type SizedTally } from './tally.ts';
import { assembleThresholdKey, readThresholdKey, thresholdKeyJson, verifyCertificates, verifyThresholdKey } from './threshold-key.ts';
import { decryptionKeysOf, printTrustees, readTrustees, verifyTrustees } from './trustees.ts';

const powers = opensslPowers;
const json = (text: string) => parseJson(text, 'A test', { length: 1_000_000, depth: 10, values: 10_000 });
const seeds = recordedLines('key.lines');
const certificates = recordedLines('certs.jsons').map(text => readSignedMessage(json(text), 'a certificate'));
const polynomials = recordedLines('polynomials.jsons').map(text => readPolynomial(json(text), 'a polynomial'));
const inputs = recordedLines('vinput.lines').map(text => readKeyInput(json(text), 'an input'));
const shares = recordedLines('voutput.lines').map(text => readKeyShare(json(text), 'a share'));
const kept = await recordedElection();
const trustees = readTrustees(kept.trusteesText);
let keys: CertificateKeys[] = [];
beforeAll(async () => {
  keys = await verifyCertificates(certificates, { powers });
});

test('certificates of belenios-tool have the keys that its seeds derive', async () => {
  for (const [place, seed] of seeds.entries()) {
    const { signingKey, decryptionKey } = await deriveKeys(seed);
    expect(keys[place]).toEqual({ verification: generator.power(signingKey), encryption: generator.power(decryptionKey) });
  }
});

test('each step with the messages of belenios-tool leads to the same key', async () => {
  const routed = await routePolynomials(keys, polynomials, { powers });
  expect(routed.map(keyInputJson)).toEqual(inputs.map(keyInputJson));
  for (const [place, seed] of seeds.entries()) {
    const share = await createShare(keys, inputs[place]!, { seed, powers });
    expect(share.publicKey.publicKey).toBe(shares[place]!.publicKey.publicKey);
    const privateKey = await openShare(keys, shares[place]!.privateKey, seed);
    expect(await openShare(keys, share.privateKey, seed)).toBe(privateKey);
    expect(generator.power(privateKey)).toBe(share.publicKey.publicKey);
  }
  const key = await assembleThresholdKey(certificates, polynomials, shares, { powers });
  expect(JSON.stringify(thresholdKeyJson(key))).toBe(recorded('threshold.txt'));
});

test('the trustees of the recorded election are verified, written as they were, and their key is that of the election', async () => {
  expect(printTrustees(trustees)).toBe(kept.trusteesText);
  expect(await verifyTrustees(trustees, { powers })).toBe((await readElection(kept.electionText)).publicKey);
});

test('any trustees that are enough decrypt the recorded election to its result', async () => {
  const election = await readElection(kept.electionText);
  const tally = readTally(election, kept.tally[0]);
  const { totalWeight, ballots } = readSizedTally(kept.tally[1]);
  const sized: SizedTally = { tally, totalWeight, ballots };
  const privateKeys = [
    BigInt(JSON.parse(recorded('privkey.txt')) as string),
    ...(await Promise.all(seeds.map((seed, place) => openShare(keys, shares[place]!.privateKey, seed)))),
  ];
  const all = await Promise.all(privateKeys.map(privateKey => decryptPartly(election, tally, { privateKey })));
  for (const [place, decryption] of all.entries())
    await verifyPartialDecryption(election, tally, decryption, { publicKey: decryptionKeysOf(trustees)[place]!, what: 'it', powers });
  const by = (...owners: number[]) => new Map<number, PartialDecryption>(owners.map(owner => [owner, all[owner - 1]!]));
  for (const owners of [
    [1, 2, 3],
    [1, 2, 4],
    [4, 3, 1],
    [1, 2, 3, 4],
  ])
    expect(printResult(combineResult(sized, trustees, { decryptions: by(...owners), powers }))).toBe(kept.result);
  expect(() => combineResult(sized, trustees, { decryptions: by(1, 3), powers })).toThrow(/missing: 1 of trustees 2, 4$/);
  expect(() => combineResult(sized, trustees, { decryptions: by(2, 3), powers })).toThrow(/missing: 1 of trustees 1$/);
  expect(missingDecryptions(trustees, new Set())).toEqual([
    { of: [1], count: 1 },
    { of: [2, 3, 4], count: 2 },
  ]);
});

test('a trustee refuses a value that does not fit to what another one published', async () => {
  const { signingKey } = await deriveKeys(seeds[1]!);
  const wrong = await sendMessage({ signingKey, recipient: keys[0]!.encryption }, '{"secret":"5"}');
  const input = { ...inputs[0]!, secrets: inputs[0]!.secrets.with(1, wrong) };
  await expect(createShare(keys, input, { seed: seeds[0]!, powers })).rejects.toThrow(/secret of trustee 2 does not fit/);
});

test('a trustee refuses messages of others, for others, and a polynomial that is not the own one', async () => {
  const make = (input: Partial<(typeof inputs)[0]>) => createShare(keys, { ...inputs[0]!, ...input }, { seed: seeds[0]!, powers });
  await expect(make({ secrets: inputs[0]!.secrets.toReversed() })).rejects.toThrow(/not signed by the trustee/);
  await expect(make({ secrets: inputs[1]!.secrets })).rejects.toThrow(/made for another key/);
  await expect(make({ secrets: inputs[0]!.secrets.slice(1) })).rejects.toThrow(/more or fewer secrets/);
  await expect(make({ coefficients: inputs[0]!.coefficients.toReversed() })).rejects.toThrow(/not signed by their trustee/);
  const { signingKey } = await deriveKeys(seeds[0]!);
  const other = await sendMessage({ signingKey, recipient: keys[0]!.encryption }, '{"polynomial":["5","6"]}');
  await expect(make({ polynomial: other })).rejects.toThrow(/not the one whose coefficients are published/);
  await expect(createShare(keys, inputs[0]!, { seed: newSeed(), powers })).rejects.toThrow(/not among those of the key/);
});

test('a key of shares, thresholds or certificates that do not fit together is refused', async () => {
  const key = readThresholdKey(json(recorded('threshold.txt')), 'the key');
  await verifyThresholdKey(key, { powers });
  for (const changed of [
    { ...key, threshold: 3 },
    { ...key, shares: key.shares.toReversed() },
    { ...key, shares: key.shares.slice(1) },
    { ...key, coefficients: key.coefficients.toReversed() },
    { ...key, certificates: key.certificates.toReversed() },
    { ...key, certificates: [...key.certificates.slice(0, 2), key.certificates[0]!] },
    { ...key, certificates: key.certificates.with(0, { ...key.certificates[0]!, message: key.certificates[1]!.message }) },
  ])
    await expect(verifyThresholdKey(changed, { powers })).rejects.toThrow(expect.objectContaining({ name: 'Refusal' }));
  await expect(createPolynomial(keys, { seed: seeds[0]!, threshold: 4 })).rejects.toThrow(RangeError);
  await expect(createPolynomial(keys, { seed: seeds[0]!, threshold: 0 })).rejects.toThrow(RangeError);
});

test('messages of any length are opened by their recipient only, and not when they were changed', async () => {
  const [a, b] = [await deriveKeys(newSeed()), await deriveKeys(newSeed())];
  const recipient = generator.power(a.decryptionKey);
  for (const length of [0, 1, 15, 16, 17, 70_000]) {
    const text = 'ü'.repeat(length);
    const sealed = await sealMessage(recipient, text);
    expect(await openMessage(a.decryptionKey, sealed, powers)).toBe(text);
  }
  const sealed = await sealMessage(recipient, 'a secret');
  await expect(openMessage(b.decryptionKey, sealed, powers)).rejects.toThrow(/another key, or has been changed/);
  const { data, ...numbers } = JSON.parse(sealed) as { data: string };
  for (const changed of [
    data.replace(/^./, digit => (digit === '0' ? '1' : '0')),
    data.replace(/.$/, digit => (digit === '0' ? '1' : '0')),
    data.slice(2),
  ])
    await expect(openMessage(a.decryptionKey, JSON.stringify({ ...numbers, data: changed }), powers)).rejects.toThrow(/has been changed/);
  for (const wrong of ['', 'xx', '0', 'AB'.repeat(20)])
    await expect(openMessage(a.decryptionKey, JSON.stringify({ ...numbers, data: wrong }), powers)).rejects.toThrow(/not hexadecimal/);
  const sent = await sendMessage({ signingKey: b.signingKey, recipient }, 'hello');
  const from = { decryptionKey: a.decryptionKey, sender: generator.power(b.signingKey), powers };
  expect(await receiveMessage(from, sent)).toBe('hello');
  await expect(receiveMessage({ ...from, sender: recipient }, sent)).rejects.toThrow(/not signed by the trustee/);
  // Sealed again for another trustee, who is not its recipient.
  const inner = await openMessage(a.decryptionKey, sent, powers);
  const forwarded = await sealMessage(generator.power(b.decryptionKey), inner);
  await expect(receiveMessage({ ...from, decryptionKey: b.decryptionKey }, forwarded)).rejects.toThrow(/for another trustee/);
});

test('two certificates of one seed have the same keys', async () => {
  const seed = newSeed();
  const [a, b] = [await createCertificate(seed), await createCertificate(seed)];
  expect(a.message).toBe(b.message);
  await expect(verifyCertificates([a, b], { powers })).rejects.toThrow(/Two trustees have the same certificate/);
});
