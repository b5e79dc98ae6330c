import { generator, multiply } from './group.ts';
import { type Json, readElement, readFields } from './json.ts';
import { bigintPowers, type FixedBase } from './powers.ts';

/** A small number encrypted with the public key of an election (section 4.3). */
export type Ciphertext = { readonly alpha: bigint; readonly beta: bigint };

/** A ciphertext with the secrets of its maker. */
export type Encryption = { ciphertext: Ciphertext; message: number; randomness: bigint };

/** Encrypts a small number (section 4.11.1). */
export const encrypt = (key: FixedBase, message: number, randomness: bigint): Encryption => ({
  ciphertext: { alpha: generator.power(randomness), beta: multiply(key.power(randomness), generator.power(BigInt(message))) },
  message,
  randomness,
});

/** Encryption of 0 that changes no product. */
export const neutral: Ciphertext = { alpha: 1n, beta: 1n };

/** The encryption of the sum (section 4.16). */
export const addUp = (a: Ciphertext, b: Ciphertext): Ciphertext => ({ alpha: multiply(a.alpha, b.alpha), beta: multiply(a.beta, b.beta) });

/** The encryption of so many times the number (section 4.16). */
export const timesWeight = ({ alpha, beta }: Ciphertext, weight: number): Ciphertext =>
  weight === 1 ? { alpha, beta } : { alpha: bigintPowers(alpha, [BigInt(weight)])[0]!, beta: bigintPowers(beta, [BigInt(weight)])[0]! };

export const ciphertextJson = ({ alpha, beta }: Ciphertext) => ({ alpha: `${alpha}`, beta: `${beta}` });

/** Reads a ciphertext whose numbers have not been checked for their order. @throws {Refusal} */
export function readCiphertext(value: Json, what: string): Ciphertext {
  const { alpha, beta } = readFields(value, what, ['alpha', 'beta']);
  return { alpha: readElement(alpha, `alpha of ${what}`), beta: readElement(beta, `beta of ${what}`) };
}

/** How ciphertexts stand in the contexts of proofs: numbers in base 10 with commas between them (section 4.11.1). */
export const printCiphertexts = (ciphertexts: readonly Ciphertext[]): string =>
  ciphertexts.map(({ alpha, beta }) => `${alpha},${beta}`).join(',');
