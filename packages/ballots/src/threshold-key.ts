import { type Certificate, type CertificateKeys, verifyCertificate } from './certificate.ts';
import { multiply } from './group.ts';
import { type Json, readCount, readFields, readList } from './json.ts';
import { verifyAllCoefficients } from './key-input.ts';
import { type KeyShare, shareKeyOf } from './key-share.ts';
import { MAX_TRUSTEES, type PolynomialMessage } from './polynomial.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { refuseUnless } from './refusal.ts';
import { readSignedMessage, type SignedMessage, signedMessageJson } from './signed-message.ts';
import { readTrusteeKey, type TrusteeKey, trusteeKeyJson, verifyTrusteeKey } from './trustee-key.ts';

/** A key of several trustees; so many of them decrypt together (section 4.6.7). */
export type ThresholdKey = {
  threshold: number;
  certificates: readonly Certificate[];
  coefficients: readonly SignedMessage[];
  /** The public key of each trustee's share. */
  shares: readonly TrusteeKey[];
};

/** Checks the certificates of trustees, in their order (section 4.6.2). @throws {Refusal} */
export async function verifyCertificates(
  certificates: readonly Certificate[],
  { powers = bigintPowers }: { powers?: Powers } = {},
): Promise<CertificateKeys[]> {
  refuseUnless(certificates.length <= MAX_TRUSTEES, 'TOO_LARGE', `There are more than ${MAX_TRUSTEES} trustees`);
  const keys: CertificateKeys[] = [];
  for (const [place, certificate] of certificates.entries())
    keys.push(await verifyCertificate(certificate, `the certificate of trustee ${place + 1}`, powers));
  refuseUnless(
    new Set(keys.map(({ verification }) => verification)).size === keys.length,
    'TRUSTEES',
    'Two trustees have the same certificate',
  );
  return keys;
}

/**
 * Makes the key of all that the trustees sent, in the order of their certificates: the sixth step, which the server takes (section 4.6.7).
 * @throws {Refusal} when a share is not the one of its trustee
 */
export async function assembleThresholdKey(
  certificates: readonly Certificate[],
  polynomials: readonly PolynomialMessage[],
  shares: readonly KeyShare[],
  { powers = bigintPowers }: { powers?: Powers } = {},
): Promise<ThresholdKey> {
  const coefficients = polynomials.map(each => each.coefficients);
  const keys = await verifyCertificates(certificates, { powers });
  const [first] = await verifyAllCoefficients(keys, coefficients, powers);
  const key = { threshold: first!.length, certificates, coefficients, shares: shares.map(({ publicKey }) => publicKey) };
  await verifyThresholdKey(key, { powers });
  return key;
}

/** Checks that certificates, coefficients and shares fit together (section 4.6.7). @throws {Refusal} */
export async function verifyThresholdKey(key: ThresholdKey, { powers = bigintPowers }: { powers?: Powers } = {}): Promise<void> {
  const certificates = await verifyCertificates(key.certificates, { powers });
  const coefficients = await verifyAllCoefficients(certificates, key.coefficients, powers);
  refuseUnless(
    key.threshold === coefficients[0]!.length,
    'TRUSTEES',
    'The threshold is not the one for which the trustees made their parts',
  );
  refuseUnless(key.shares.length === certificates.length, 'TRUSTEES', 'There are more or fewer shares than trustees');
  for (const [place, share] of key.shares.entries()) {
    await verifyTrusteeKey(share, `the share of trustee ${place + 1}`, powers);
    const fits = share.publicKey === shareKeyOf(coefficients, place, powers);
    refuseUnless(fits, 'TRUSTEES', `The share of trustee ${place + 1} is not the one that the parts of all make`);
  }
}

/** The public key: the product of the constant coefficients of all trustees (section 4.6.4). The key has been verified. */
export async function thresholdPublicKey({ certificates, coefficients }: ThresholdKey, powers: Powers = bigintPowers): Promise<bigint> {
  const all = await verifyAllCoefficients(await verifyCertificates(certificates, { powers }), coefficients, powers);
  return all.reduce((product, [constant]) => multiply(product, constant!), 1n);
}

export const thresholdKeyJson = ({ threshold, certificates, coefficients, shares }: ThresholdKey) => ({
  threshold,
  certs: certificates.map(signedMessageJson),
  coefexps: coefficients.map(signedMessageJson),
  verification_keys: shares.map(trusteeKeyJson),
});

/** Reads a key that has not been checked. @throws {Refusal} */
export function readThresholdKey(value: Json, what: string): ThresholdKey {
  const fields = readFields(value, what, ['threshold', 'certs', 'coefexps', 'verification_keys']);
  const list = (field: Json, name: string) => readList(field, `${name} of ${what}`, { min: 1, max: MAX_TRUSTEES });
  return {
    threshold: readCount(fields.threshold, `The threshold of ${what}`, MAX_TRUSTEES),
    certificates: list(fields.certs, 'The list of certificates').map(each => readSignedMessage(each, `a certificate of ${what}`)),
    coefficients: list(fields.coefexps, 'The list of coefficients').map(each => readSignedMessage(each, `the coefficients of ${what}`)),
    shares: list(fields.verification_keys, 'The list of shares').map(each => readTrusteeKey(each, `a share of ${what}`)),
  };
}
