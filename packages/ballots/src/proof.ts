import { generator, modOrder, multiply } from './group.ts';
import { challengeOf } from './hash.ts';
import { type Json, readExponent, readFields } from './json.ts';
import type { Powers } from './powers.ts';
import { type RandomBytes, randomExponent, systemRandom } from './random.ts';

/** A proof without interaction (section 4.3). */
export type Proof = { challenge: bigint; response: bigint };

export const proofJson = ({ challenge, response }: Proof) => ({ challenge: `${challenge}`, response: `${response}` });

/** @throws {Refusal} */
export function readProof(value: Json, what: string): Proof {
  const { challenge, response } = readFields(value, what, ['challenge', 'response']);
  return { challenge: readExponent(challenge, `The challenge of ${what}`), response: readExponent(response, `The response of ${what}`) };
}

/**
 * Proves that a secret is known: the exponent of the generator (sections 4.5, 4.6.1 and 4.14), and of other elements too (section 4.18).
 * @param prefix what the challenge is about, with its last vertical bar
 * @param others powers of the other elements
 */
export async function proveSecret(
  secret: bigint,
  prefix: string,
  { random = systemRandom, others = [] }: { random?: RandomBytes; others?: readonly ((exponent: bigint) => bigint)[] } = {},
): Promise<Proof> {
  const hidden = randomExponent(random);
  const challenge = await challengeOf(prefix, [generator.power(hidden), ...others.map(power => power(hidden))]);
  return { challenge, response: modOrder(hidden - secret * challenge) };
}

/**
 * True if the proof shows knowledge of the one exponent that leads from the generator to `image`, and from each other base to its image.
 * All of them are elements of the group.
 */
export async function verifySecret(
  { challenge, response }: Proof,
  prefix: string,
  { image, others = [], powers }: { image: bigint; others?: readonly { base: bigint; image: bigint }[]; powers: Powers },
): Promise<boolean> {
  const commitments = [multiply(generator.power(response), powers(image, [challenge])[0]!)];
  for (const other of others) commitments.push(multiply(powers(other.base, [response])[0]!, powers(other.image, [challenge])[0]!));
  return challenge === (await challengeOf(prefix, commitments));
}
