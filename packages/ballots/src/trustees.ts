import { multiply } from './group.ts';
import { type Json, parseJson, readList } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { Refusal } from './refusal.ts';
import { readThresholdKey, type ThresholdKey, thresholdKeyJson, thresholdPublicKey, verifyThresholdKey } from './threshold-key.ts';
import { readTrusteeKey, type TrusteeKey, trusteeKeyJson, verifyTrusteeKey } from './trustee-key.ts';

/** One part of the key of an election: a trustee whose presence is needed, or several, some of which are enough (section 4.7). */
export type Trustee = { kind: 'Single'; key: TrusteeKey } | { kind: 'Pedersen'; key: ThresholdKey };
/** All parts of the key of an election (section 4.7). */
export type Trustees = readonly Trustee[];

const MAX_PARTS = 20;

/** The text of the trustees of an election (section 4.7). */
export const printTrustees = (trustees: Trustees): string =>
  JSON.stringify(trustees.map(each => [each.kind, each.kind === 'Single' ? trusteeKeyJson(each.key) : thresholdKeyJson(each.key)]));

/** Reads trustees whose keys have not been checked (section 4.7). @throws {Refusal} */
export function readTrustees(text: string): Trustees {
  const what = 'The list of trustees';
  const value = parseJson(text, what, { length: 10_000_000, depth: 7, values: 50_000 });
  return readList(value, what, { min: 1, max: MAX_PARTS }).map((part, place): Trustee => {
    const [kind, key] = readList(part, `Part ${place + 1} of the key`, { min: 2, max: 2 }) as [Json, Json];
    if (kind === 'Single') return { kind, key: readTrusteeKey(key, `the key of part ${place + 1}`) };
    if (kind === 'Pedersen') return { kind, key: readThresholdKey(key, `part ${place + 1} of the key`) };
    throw new Refusal('UNSUPPORTED', `Part ${place + 1} of the key is neither of one trustee nor of several`);
  });
}

/** Checks all keys, proofs and signatures of the trustees (sections 4.5 and 4.6). @returns the public key of the election. @throws {Refusal} */
export async function verifyTrustees(trustees: Trustees, { powers = bigintPowers }: { powers?: Powers } = {}): Promise<bigint> {
  let product = 1n;
  for (const [place, part] of trustees.entries()) {
    if (part.kind === 'Single') await verifyTrusteeKey(part.key, `the key of part ${place + 1}`, powers);
    else await verifyThresholdKey(part.key, { powers });
    product = multiply(product, part.kind === 'Single' ? part.key.publicKey : await thresholdPublicKey(part.key, powers));
  }
  return product;
}

/** The public keys with which trustees decrypt, in the order of their numbers, which begin with 1 (section 4.19). */
export const decryptionKeysOf = (trustees: Trustees): bigint[] =>
  trustees.flatMap(({ kind, key }) => (kind === 'Single' ? [key.publicKey] : key.shares.map(({ publicKey }) => publicKey)));
