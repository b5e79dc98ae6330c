import type { Election } from './election.ts';
import { readHash } from './event.ts';
import { generator, isElement } from './group.ts';
import { hexHash } from './hash.ts';
import { type Json, parseJson, readCount, readElement, readFields, readList } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { type Proof, proofJson, proveSecret, readProof, verifySecret } from './proof.ts';
import type { RandomBytes } from './random.ts';
import { refuseUnless } from './refusal.ts';
import type { EncryptedTally } from './tally.ts';

/** A trustee's part of the decryption of each sum, with the proofs that it was made with the trustee's key (section 4.18). */
export type PartialDecryption = { factors: readonly (readonly bigint[])[]; proofs: readonly (readonly Proof[])[] };

const prefixOf = ({ fingerprint }: Election, publicKey: bigint): string => `decrypt|${fingerprint}|${publicKey}|`;

/**
 * Decrypts the sums as far as one trustee can (section 4.18).
 * @param tally sums that the trustee has compared with those of the ballots: a tally of one ballot would open that ballot
 * @throws {Refusal} for numbers that are not of the group, which would tell about the private key
 */
export async function decryptPartly(
  election: Election,
  tally: EncryptedTally,
  { privateKey, random }: { privateKey: bigint; random?: RandomBytes },
): Promise<PartialDecryption> {
  const prefix = prefixOf(election, generator.power(privateKey));
  const factors: bigint[][] = [];
  const proofs: Proof[][] = [];
  for (const row of tally) {
    factors.push([]);
    proofs.push([]);
    for (const { alpha, beta } of row) {
      refuseUnless(isElement(alpha) && isElement(beta), 'NOT_AN_ELEMENT', 'A sum of the tally is not of the group');
      const power = (exponent: bigint) => bigintPowers(alpha, [exponent])[0]!;
      factors.at(-1)!.push(power(privateKey));
      proofs.at(-1)!.push(await proveSecret(privateKey, prefix, { random, others: [power] }));
    }
  }
  return { factors, proofs };
}

/** Checks that a trustee decrypted each sum with the key of this public key (section 4.18). @throws {Refusal} */
export async function verifyPartialDecryption(
  election: Election,
  tally: EncryptedTally,
  { factors, proofs }: PartialDecryption,
  { publicKey, what, powers = bigintPowers }: { publicKey: bigint; what: string; powers?: Powers },
): Promise<void> {
  const prefix = prefixOf(election, publicKey);
  for (const [question, row] of tally.entries())
    for (const [place, { alpha }] of row.entries()) {
      const factor = factors[question]![place]!;
      refuseUnless(isElement(factor, powers), 'NOT_AN_ELEMENT', `${what} has a number that is not of the group`);
      const others = [{ base: alpha, image: factor }];
      const holds = await verifySecret(proofs[question]![place]!, prefix, { image: publicKey, others, powers });
      refuseUnless(holds, 'PROOF', `A proof of ${what} does not hold`);
    }
}

/**
 * The two messages of a partial decryption: it itself, and what says which trustee made it (section 4.18).
 * @param owner the number of the trustee among all, from 1
 */
export async function printPartialDecryption(
  { factors, proofs }: PartialDecryption,
  owner: number,
): Promise<[decryption: string, owned: string]> {
  const text = JSON.stringify({
    decryption_factors: factors.map(row => row.map(String)),
    decryption_proofs: proofs.map(row => row.map(proofJson)),
  });
  return [text, JSON.stringify({ owner, payload: await hexHash(text) })];
}

/** Reads a partial decryption of this tally, whose numbers and proofs have not been checked (section 4.18). @throws {Refusal} */
export function readPartialDecryption(tally: EncryptedTally, text: string): PartialDecryption {
  const what = 'The partial decryption';
  const fields = readFields(parseJson(text, what, { length: 30_000_000, depth: 4, values: 400_000 }), what, [
    'decryption_factors',
    'decryption_proofs',
  ]);
  const shaped = <Item>(value: Json, name: string, readItem: (item: Json) => Item): Item[][] =>
    readList(value, name, { min: tally.length, max: tally.length }).map((row, question) => {
      const { length } = tally[question]!;
      return readList(row, name, { min: length, max: length }).map(readItem);
    });
  return {
    factors: shaped(fields.decryption_factors, 'The list of factors', item => readElement(item, 'A factor')),
    proofs: shaped(fields.decryption_proofs, 'The list of proofs', item => readProof(item, 'a proof of the partial decryption')),
  };
}

/** Reads which trustee made a partial decryption (section 4.18). @throws {Refusal} */
export function readOwner(text: string, trustees: number): { owner: number; hash: string } {
  const what = 'The owner of a partial decryption';
  const fields = readFields(parseJson(text, what, { length: 1_000, depth: 1, values: 10 }), what, ['owner', 'payload']);
  const owner = readCount(fields.owner, 'The number of the trustee', trustees);
  refuseUnless(owner >= 1, 'TRUSTEES', 'The numbers of trustees begin with 1');
  return { owner, hash: readHash(fields.payload, 'The hash of the partial decryption') };
}
