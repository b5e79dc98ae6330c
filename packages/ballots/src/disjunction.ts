import type { Ciphertext, Encryption } from './ciphertext.ts';
import { generator, modOrder, multiply, order } from './group.ts';
import { challengeOf } from './hash.ts';
import type { FixedBase, Powers } from './powers.ts';
import type { Proof } from './proof.ts';
import { type RandomBytes, randomExponent } from './random.ts';

/** One of the statements of which at least one is true: that a ciphertext has this value. */
export type Statement<Known = Ciphertext> = { of: Known; value: number };

/**
 * Proves that one of several statements is true, without saying which: proofs of the others are made up beforehand, and the challenges of all have a sum that
 * no one chooses (sections 4.12 and 4.13).
 * @param prefix what the challenge is about, with its last vertical bar
 * @throws {RangeError} if none is true
 */
export async function proveOneOf(
  key: FixedBase,
  statements: readonly Statement<Encryption>[],
  prefix: string,
  random: RandomBytes,
): Promise<Proof[]> {
  const known = statements.findIndex(({ of, value }) => of.message === value);
  if (known < 0) throw new RangeError('None of the statements is true');
  const commitments: bigint[] = [];
  const hidden = randomExponent(random);
  const proofs = statements.map(({ of: { message, randomness }, value }, place): Proof => {
    const made =
      place === known ? { challenge: 0n, response: hidden } : { challenge: randomExponent(random), response: randomExponent(random) };
    // Knowing the randomness, powers of the ciphertext are powers of the generator and the key, for which there are tables.
    const exponent = modOrder(made.response + randomness * made.challenge);
    const shift = generator.power(modOrder(BigInt(message - value) * made.challenge));
    commitments.push(generator.power(exponent), multiply(key.power(exponent), shift));
    return made;
  });
  const others = proofs.reduce((sum, { challenge }) => sum + challenge, 0n);
  const challenge = modOrder((await challengeOf(prefix, commitments)) - others);
  const { randomness } = statements[known]!.of;
  return proofs.with(known, { challenge, response: modOrder(hidden - randomness * challenge) });
}

/**
 * True if the proofs show that one of the statements is true, and the ciphertexts are of the group (sections 4.12 and 4.13.3).
 * @param isChecked true when the ciphertexts are known to be of the group, as products of elements are
 */
export async function verifyOneOf(
  key: FixedBase,
  statements: readonly Statement[],
  proofs: readonly Proof[],
  { prefix, powers, isChecked = false }: { prefix: string; powers: Powers; isChecked?: boolean },
): Promise<boolean> {
  if (proofs.length !== statements.length) return false;
  const commitments: bigint[] = [];
  // All powers of one number are asked for together: they cost less, and one more tells whether it is of the group.
  for (const ciphertext of new Set(statements.map(({ of }) => of))) {
    const places = statements.flatMap(({ of }, place) => (of === ciphertext ? [place] : []));
    const exponents = [...places.map(place => proofs[place]!.challenge), ...(isChecked ? [] : [order])];
    const [alphas, betas] = [powers(ciphertext.alpha, exponents), powers(ciphertext.beta, exponents)];
    if (!isChecked && (alphas.at(-1) !== 1n || betas.at(-1) !== 1n)) return false;
    for (const [index, place] of places.entries()) {
      const { challenge, response } = proofs[place]!;
      const shift = generator.power(modOrder(-BigInt(statements[place]!.value) * challenge));
      commitments[2 * place] = multiply(generator.power(response), alphas[index]!);
      commitments[2 * place + 1] = multiply(multiply(key.power(response), betas[index]!), shift);
    }
  }
  return modOrder(proofs.reduce((sum, { challenge }) => sum + challenge, 0n)) === (await challengeOf(prefix, commitments));
}
