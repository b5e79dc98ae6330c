import { type CertificateKeys, type ChannelKeys, deriveKeys } from './certificate.ts';
import { sendMessage } from './channel.ts';
import { generator, isElement, modOrder, multiply } from './group.ts';
import { type Json, parseJson, readElement, readFields, readList, readText } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { type RandomBytes, randomExponent, systemRandom } from './random.ts';
import { Refusal, refuseUnless } from './refusal.ts';
import { isSignedBy, readSignedMessage, type SignedMessage, signedMessageJson, signMessage } from './signed-message.ts';

/** Trustees of one threshold key at most. */
export const MAX_TRUSTEES = 50;

/** A secret polynomial as its trustee sends it: it itself, sealed for the same trustee; its value for each; and its public coefficients (section 4.6.4). */
export type PolynomialMessage = { polynomial: string; secrets: readonly string[]; coefficients: SignedMessage };

/** The place of a trustee among the certificates, from 0. @throws {Refusal} if it is not there */
export async function placeAmong(certificates: readonly CertificateKeys[], seed: string): Promise<{ place: number; keys: ChannelKeys }> {
  const keys = await deriveKeys(seed);
  const [verification, encryption] = [generator.power(keys.signingKey), generator.power(keys.decryptionKey)];
  const place = certificates.findIndex(each => each.verification === verification && each.encryption === encryption);
  if (place < 0) throw new Refusal('TRUSTEES', 'The certificate of this trustee is not among those of the key');
  return { place, keys };
}

/** The value of a polynomial at a place, modulo the order of the group. */
const valueAt = (coefficients: readonly bigint[], at: bigint): bigint =>
  coefficients.reduceRight((value, coefficient) => modOrder(value * at + coefficient), 0n);

/**
 * Makes the polynomial of a trustee, whose value at 0 is the trustee's part of the key: the third step (section 4.6.4).
 * @param threshold how many trustees decrypt together
 */
export async function createPolynomial(
  certificates: readonly CertificateKeys[],
  { seed, threshold, random = systemRandom }: { seed: string; threshold: number; random?: RandomBytes },
): Promise<PolynomialMessage> {
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > certificates.length)
    throw new RangeError(`A threshold is from 1 to the number of trustees, ${certificates.length}`);
  const { place, keys } = await placeAmong(certificates, seed);
  const coefficients = Array.from({ length: threshold }, () => randomExponent(random));
  const send = (recipient: bigint, message: string) => sendMessage({ signingKey: keys.signingKey, recipient, random }, message);
  const secrets: string[] = [];
  for (const [index, { encryption }] of certificates.entries())
    secrets.push(await send(encryption, JSON.stringify({ secret: `${valueAt(coefficients, BigInt(index + 1))}` })));
  const public_ = JSON.stringify({ coefexps: coefficients.map(coefficient => `${generator.power(coefficient)}`) });
  return {
    polynomial: await send(certificates[place]!.encryption, JSON.stringify({ polynomial: coefficients.map(String) })),
    secrets,
    coefficients: await signMessage(keys.signingKey, public_, random),
  };
}

/** Checks the public coefficients of a trustee (section 4.6.4). @returns them. @throws {Refusal} */
export async function verifyCoefficients(
  { verification }: CertificateKeys,
  signed: SignedMessage,
  { what, powers }: { what: string; powers: Powers },
): Promise<readonly bigint[]> {
  refuseUnless(await isSignedBy(verification, signed, powers), 'TRUSTEES', `${what} are not signed by their trustee`);
  const value = parseJson(signed.message, what, { length: 40_000, depth: 2, values: 2 * MAX_TRUSTEES });
  const { coefexps } = readFields(value, what, ['coefexps']);
  const coefficients = readList(coefexps, what, { min: 1, max: MAX_TRUSTEES }).map(each => readElement(each, `A number of ${what}`));
  for (const each of coefficients)
    refuseUnless(isElement(each, powers), 'NOT_AN_ELEMENT', `${what} have a number that is not of the group`);
  return coefficients;
}

/** The generator to the value of a polynomial at a place, from its public coefficients (sections 4.6.5 and 4.6.6). */
export function publicValueAt(coefficients: readonly bigint[], place: number, powers: Powers = bigintPowers): bigint {
  const at = BigInt(place + 1);
  return coefficients.reduceRight((value, coefficient) => multiply(powers(value, [at])[0]!, coefficient), 1n);
}

export const polynomialJson = ({ polynomial, secrets, coefficients }: PolynomialMessage) => ({
  polynomial,
  secrets,
  coefexps: signedMessageJson(coefficients),
});

/** @throws {Refusal} */
export function readPolynomial(value: Json, what: string): PolynomialMessage {
  const fields = readFields(value, what, ['polynomial', 'secrets', 'coefexps']);
  return {
    polynomial: readText(fields.polynomial, `The polynomial of ${what}`),
    secrets: readList(fields.secrets, `The list of secrets of ${what}`, { min: 1, max: MAX_TRUSTEES }).map(each =>
      readText(each, `A secret of ${what}`),
    ),
    coefficients: readSignedMessage(fields.coefexps, `the coefficients of ${what}`),
  };
}
