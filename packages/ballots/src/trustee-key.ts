import { generator, GROUP, isElement } from './group.ts';
import { type Json, readElement, readFields, readText } from './json.ts';
import type { Powers } from './powers.ts';
import { type Proof, proofJson, proveSecret, readProof, verifySecret } from './proof.ts';
import { type RandomBytes, randomExponent, systemRandom } from './random.ts';
import { refuseUnless } from './refusal.ts';

/** A public key of a trustee, with the proof that its private key is known (section 4.5). */
export type TrusteeKey = { proof: Proof; publicKey: bigint; name: string | null };

const prefixOf = (publicKey: bigint): string => `pok|${GROUP}|${publicKey}|`;

/** Returns a new private key of a trustee whose presence is needed (section 4.5). */
export const newPrivateKey = (random: RandomBytes = systemRandom): bigint => randomExponent(random);

/** The public key of a private one, with the proof that it is known (section 4.5). */
export async function createTrusteeKey(
  privateKey: bigint,
  { name = null, random = systemRandom }: { name?: string | null; random?: RandomBytes } = {},
): Promise<TrusteeKey> {
  const publicKey = generator.power(privateKey);
  return { proof: await proveSecret(privateKey, prefixOf(publicKey), { random }), publicKey, name };
}

export const trusteeKeyJson = ({ proof, publicKey, name }: TrusteeKey) => ({
  pok: proofJson(proof),
  public_key: `${publicKey}`,
  ...(name !== null && { name }),
});

/** Reads a public key whose proof has not been checked. @throws {Refusal} */
export function readTrusteeKey(value: Json, what: string): TrusteeKey {
  const fields = readFields(value, what, ['pok', 'public_key'], ['name']);
  return {
    proof: readProof(fields.pok, `the proof of ${what}`),
    publicKey: readElement(fields.public_key, `the number of ${what}`),
    name: fields.name === undefined ? null : readText(fields.name, `The name of ${what}`),
  };
}

/** Checks that the key is of the group, and that its proof shows knowledge of the private one (section 4.5). @throws {Refusal} */
export async function verifyTrusteeKey({ proof, publicKey }: TrusteeKey, what: string, powers: Powers): Promise<void> {
  refuseUnless(isElement(publicKey, powers), 'NOT_AN_ELEMENT', `${what} is not an element of the group`);
  refuseUnless(publicKey !== 1n, 'TRUSTEES', `${what} is 1: its private key is 0`);
  const holds = await verifySecret(proof, prefixOf(publicKey), { image: publicKey, powers });
  refuseUnless(holds, 'PROOF', `The proof of ${what} does not hold`);
}
