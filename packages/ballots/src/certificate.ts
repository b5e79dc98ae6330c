import { numberOf } from './bytes.ts';
import { generator, isElement, modOrder } from './group.ts';
import { sha256 } from './hash.ts';
import { parseJson, readElement, readFields } from './json.ts';
import type { Powers } from './powers.ts';
import { type RandomBytes, randomDigits, systemRandom } from './random.ts';
import { refuseUnless } from './refusal.ts';
import { isSignedBy, type SignedMessage, signMessage } from './signed-message.ts';

/** The public keys of a trustee, in a message signed with the first of them (section 4.6.2). */
export type Certificate = SignedMessage;
/** Keys that a certificate has: one for signatures, one for what others encrypt (section 4.6.2). */
export type CertificateKeys = { verification: bigint; encryption: bigint };
/** The private keys of a trustee (section 4.6.1). */
export type ChannelKeys = { signingKey: bigint; decryptionKey: bigint };

/** Returns a new seed of a trustee, from which all private keys are derived: 22 base 58 digits, to be kept secret (section 4.6.1). */
export const newSeed = (random: RandomBytes = systemRandom): string => randomDigits(22, random);

/** Derives the private keys of a seed (section 4.6.1). */
export async function deriveKeys(seed: string): Promise<ChannelKeys> {
  const derive = async (use: string) => modOrder(numberOf(await sha256(`${use}|${seed}`)));
  return { signingKey: await derive('sk'), decryptionKey: await derive('dk') };
}

/** Makes the certificate of a seed: the first step of a trustee (section 4.6.2). */
export async function createCertificate(seed: string, random?: RandomBytes): Promise<Certificate> {
  const { signingKey, decryptionKey } = await deriveKeys(seed);
  const keys = { verification: `${generator.power(signingKey)}`, encryption: `${generator.power(decryptionKey)}` };
  return signMessage(signingKey, JSON.stringify(keys), random);
}

/** Checks a certificate (section 4.6.2). @returns its keys. @throws {Refusal} */
export async function verifyCertificate(certificate: Certificate, what: string, powers: Powers): Promise<CertificateKeys> {
  const value = parseJson(certificate.message, what, { length: 5_000, depth: 1, values: 10 });
  const fields = readFields(value, what, ['verification', 'encryption']);
  const keys = {
    verification: readElement(fields.verification, `The verification key of ${what}`),
    encryption: readElement(fields.encryption, `The encryption key of ${what}`),
  };
  for (const key of Object.values(keys))
    refuseUnless(isElement(key, powers), 'NOT_AN_ELEMENT', `${what} has a key that is not of the group`);
  refuseUnless(await isSignedBy(keys.verification, certificate, powers), 'PROOF', `${what} is not signed with its key`);
  return keys;
}
