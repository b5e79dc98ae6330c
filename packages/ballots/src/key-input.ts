import type { CertificateKeys } from './certificate.ts';
import { type Json, readFields, readList, readText } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { MAX_TRUSTEES, type PolynomialMessage, verifyCoefficients } from './polynomial.ts';
import { refuseUnless } from './refusal.ts';
import { readSignedMessage, type SignedMessage, signedMessageJson } from './signed-message.ts';

/** All that a trustee is sent to calculate a share of the key: `vinput` (section 4.6.5). */
export type KeyInput = { polynomial: string; secrets: readonly string[]; coefficients: readonly SignedMessage[] };

/**
 * Checks the polynomials of all trustees, in the order of their certificates, and hands each the values that are for it: the fourth step, which the server takes
 * (section 4.6.5).
 * @throws {Refusal}
 */
export async function routePolynomials(
  certificates: readonly CertificateKeys[],
  polynomials: readonly PolynomialMessage[],
  { powers = bigintPowers }: { powers?: Powers } = {},
): Promise<KeyInput[]> {
  await verifyAllCoefficients(
    certificates,
    polynomials.map(({ coefficients }) => coefficients),
    powers,
  );
  for (const { secrets } of polynomials)
    refuseUnless(secrets.length === certificates.length, 'TRUSTEES', 'A trustee sent secrets for more or fewer than all trustees');
  return certificates.map((_, place) => ({
    polynomial: polynomials[place]!.polynomial,
    secrets: polynomials.map(({ secrets }) => secrets[place]!),
    coefficients: polynomials.map(({ coefficients }) => coefficients),
  }));
}

/**
 * Checks what one trustee sent in the third step, as far as others can: the public coefficients, for this threshold, and a secret for each trustee (section 4.6.4).
 * @throws {Refusal}
 */
export async function verifyPolynomial(
  certificates: readonly CertificateKeys[],
  { secrets, coefficients }: PolynomialMessage,
  { place, threshold, powers = bigintPowers }: { place: number; threshold: number; powers?: Powers },
): Promise<void> {
  const what = `the coefficients of trustee ${place + 1}`;
  const { length } = await verifyCoefficients(certificates[place]!, coefficients, { what, powers });
  refuseUnless(length === threshold, 'TRUSTEES', `The polynomial is for a threshold of ${length}, not of ${threshold}`);
  refuseUnless(secrets.length === certificates.length, 'TRUSTEES', 'The message has secrets for more or fewer than all trustees');
}

/** Checks the public coefficients of all trustees, as many of each (section 4.6.4). @throws {Refusal} */
export async function verifyAllCoefficients(
  certificates: readonly CertificateKeys[],
  signed: readonly SignedMessage[],
  powers: Powers,
): Promise<(readonly bigint[])[]> {
  refuseUnless(signed.length === certificates.length && signed.length > 0, 'TRUSTEES', 'There are more or fewer polynomials than trustees');
  const all: (readonly bigint[])[] = [];
  for (const [place, certificate] of certificates.entries())
    all.push(await verifyCoefficients(certificate, signed[place]!, { what: `the coefficients of trustee ${place + 1}`, powers }));
  const isEven = all.every(({ length }) => length === all[0]!.length && length <= all.length);
  refuseUnless(isEven, 'TRUSTEES', 'The polynomials of the trustees are for different thresholds, or for more than all trustees');
  return all;
}

export const keyInputJson = ({ polynomial, secrets, coefficients }: KeyInput) => ({
  polynomial,
  secrets,
  coefexps: coefficients.map(signedMessageJson),
});

/** @throws {Refusal} */
export function readKeyInput(value: Json, what: string): KeyInput {
  const fields = readFields(value, what, ['polynomial', 'secrets', 'coefexps']);
  const list = (field: Json, name: string) => readList(field, `${name} of ${what}`, { min: 1, max: MAX_TRUSTEES });
  return {
    polynomial: readText(fields.polynomial, `The polynomial of ${what}`),
    secrets: list(fields.secrets, 'The list of secrets').map(each => readText(each, `A secret of ${what}`)),
    coefficients: list(fields.coefexps, 'The list of coefficients').map(each => readSignedMessage(each, `the coefficients of ${what}`)),
  };
}
