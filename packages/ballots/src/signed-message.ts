import { type Json, readFields, readText } from './json.ts';
import type { Powers } from './powers.ts';
import { type Proof, proofJson, proveSecret, readProof, verifySecret } from './proof.ts';
import type { RandomBytes } from './random.ts';

/** A message that a trustee signed (section 4.6.1). */
export type SignedMessage = { message: string; signature: Proof };

const prefixOf = (message: string): string => `sigmsg|${message}|`;

/** Signs a message (section 4.6.1). */
export const signMessage = async (signingKey: bigint, message: string, random?: RandomBytes): Promise<SignedMessage> => ({
  message,
  signature: await proveSecret(signingKey, prefixOf(message), { random }),
});

/** True if the message was signed with the key of this verification key (section 4.6.1). */
export const isSignedBy = (verificationKey: bigint, { message, signature }: SignedMessage, powers: Powers): Promise<boolean> =>
  verifySecret(signature, prefixOf(message), { image: verificationKey, powers });

export const signedMessageJson = ({ message, signature }: SignedMessage) => ({ message, signature: proofJson(signature) });

/** @throws {Refusal} */
export function readSignedMessage(value: Json, what: string): SignedMessage {
  const { message, signature } = readFields(value, what, ['message', 'signature']);
  return { message: readText(message, `The text of ${what}`), signature: readProof(signature, `the signature of ${what}`) };
}
