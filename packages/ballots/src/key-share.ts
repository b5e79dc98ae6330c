import type { CertificateKeys } from './certificate.ts';
import { receiveMessage, sendMessage } from './channel.ts';
import { generator, modOrder, multiply } from './group.ts';
import { type Json, parseJson, readFields, readList, readNumber, readText } from './json.ts';
import { type KeyInput, verifyAllCoefficients } from './key-input.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { MAX_TRUSTEES, placeAmong, type PolynomialMessage, publicValueAt } from './polynomial.ts';
import { type RandomBytes, systemRandom } from './random.ts';
import { refuseUnless } from './refusal.ts';
import { createTrusteeKey, readTrusteeKey, type TrusteeKey, trusteeKeyJson, verifyTrusteeKey } from './trustee-key.ts';

/** A trustee's share of a threshold key: `voutput`. The private part is sealed for the same trustee, who keeps the seed only (section 4.6.6). */
export type KeyShare = { privateKey: string; publicKey: TrusteeKey };

const limits = { length: 20_000, depth: 2, values: 2 * MAX_TRUSTEES };

/**
 * Checks what the other trustees sent, and calculates the share: the fifth step (sections 4.6.5 and 4.6.6).
 * @throws {Refusal} when a value that another trustee sent does not fit to its public coefficients
 */
export async function createShare(
  certificates: readonly CertificateKeys[],
  input: KeyInput,
  { seed, random = systemRandom, powers = bigintPowers }: { seed: string; random?: RandomBytes; powers?: Powers },
): Promise<KeyShare> {
  const { place, keys } = await placeAmong(certificates, seed);
  const { decryptionKey, signingKey } = keys;
  const coefficients = await verifyAllCoefficients(certificates, input.coefficients, powers);
  refuseUnless(input.secrets.length === certificates.length, 'TRUSTEES', 'There are more or fewer secrets than trustees');
  const me = certificates[place]!;
  await checkOwnPolynomial(
    await receiveMessage({ decryptionKey, sender: me.verification, powers }, input.polynomial),
    coefficients[place]!,
  );
  let share = 0n;
  for (const [index, { verification }] of certificates.entries()) {
    const message = await receiveMessage({ decryptionKey, sender: verification, powers }, input.secrets[index]!);
    const what = `The secret of trustee ${index + 1}`;
    const secret = readNumber(readFields(parseJson(message, what, limits), what, ['secret']).secret, what);
    const fits = generator.power(modOrder(secret)) === publicValueAt(coefficients[index]!, place, powers);
    refuseUnless(fits, 'TRUSTEES', `${what} does not fit to the coefficients that this trustee published`);
    share = modOrder(share + secret);
  }
  const text = JSON.stringify({ decryption_key: `${share}` });
  return {
    privateKey: await sendMessage({ signingKey, recipient: me.encryption, random }, text),
    publicKey: await createTrusteeKey(share, { random }),
  };
}

/** Checks that the server handed back the polynomial that this trustee made (section 4.6.5). @throws {Refusal} */
async function checkOwnPolynomial(message: string, coefficients: readonly bigint[]): Promise<void> {
  const what = 'The polynomial of this trustee';
  const { polynomial } = readFields(parseJson(message, what, limits), what, ['polynomial']);
  const own = readList(polynomial, what, { max: MAX_TRUSTEES }).map(each => generator.power(modOrder(readNumber(each, what))));
  const isMine = own.length === coefficients.length && own.every((each, index) => each === coefficients[index]);
  refuseUnless(isMine, 'TRUSTEES', `${what} is not the one whose coefficients are published`);
}

/** The public key that a trustee's share has, from what all published (section 4.6.6). */
export const shareKeyOf = (coefficients: readonly (readonly bigint[])[], place: number, powers: Powers = bigintPowers): bigint =>
  coefficients.reduce((key, each) => multiply(key, publicValueAt(each, place, powers)), 1n);

/**
 * Checks the share of one trustee: its public key is the one that the parts of all make (section 4.6.6).
 * @param polynomials of all trustees, in the order of their certificates
 * @throws {Refusal}
 */
export async function verifyShare(
  certificates: readonly CertificateKeys[],
  polynomials: readonly PolynomialMessage[],
  { share, place, powers = bigintPowers }: { share: KeyShare; place: number; powers?: Powers },
): Promise<void> {
  const coefficients = await verifyAllCoefficients(
    certificates,
    polynomials.map(each => each.coefficients),
    powers,
  );
  await verifyTrusteeKey(share.publicKey, `the share of trustee ${place + 1}`, powers);
  const fits = share.publicKey.publicKey === shareKeyOf(coefficients, place, powers);
  refuseUnless(fits, 'TRUSTEES', `The share of trustee ${place + 1} is not the one that the parts of all make`);
}

/** Opens the private part of a share (section 4.6.6). @throws {Refusal} for another trustee's */
export async function openShare(certificates: readonly CertificateKeys[], privateKey: string, seed: string): Promise<bigint> {
  const { place, keys } = await placeAmong(certificates, seed);
  const message = await receiveMessage({ decryptionKey: keys.decryptionKey, sender: certificates[place]!.verification }, privateKey);
  const what = 'The share of the key';
  return modOrder(readNumber(readFields(parseJson(message, what, limits), what, ['decryption_key']).decryption_key, what));
}

export const keyShareJson = ({ privateKey, publicKey }: KeyShare) => ({ private_key: privateKey, public_key: trusteeKeyJson(publicKey) });

/** @throws {Refusal} */
export function readKeyShare(value: Json, what: string): KeyShare {
  const fields = readFields(value, what, ['private_key', 'public_key']);
  return {
    privateKey: readText(fields.private_key, `The private part of ${what}`),
    publicKey: readTrusteeKey(fields.public_key, `the key of ${what}`),
  };
}
