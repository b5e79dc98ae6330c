import { generator } from './group.ts';
import { parseJson, readElement, readFields, readText } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import type { RandomBytes } from './random.ts';
import { refuseUnless } from './refusal.ts';
import { MAX_SEALED, openMessage, sealMessage } from './sealed-message.ts';
import { isSignedBy, readSignedMessage, signedMessageJson, signMessage } from './signed-message.ts';

/** Sends a message from one trustee to another through others: named, signed and sealed (section 4.6.3). @returns the text that is handed on */
export async function sendMessage(
  { signingKey, recipient, random }: { signingKey: bigint; recipient: bigint; random?: RandomBytes },
  message: string,
): Promise<string> {
  const signed = await signMessage(signingKey, JSON.stringify({ recipient: `${recipient}`, message }), random);
  return sealMessage(recipient, JSON.stringify(signedMessageJson(signed)), random);
}

/**
 * Receives a message of another trustee (section 4.6.3).
 * @throws {Refusal} when it was made for another one, was signed by another one, or has been changed
 */
export async function receiveMessage(
  { decryptionKey, sender, powers = bigintPowers }: { decryptionKey: bigint; sender: bigint; powers?: Powers },
  sealed: string,
): Promise<string> {
  const limits = { length: MAX_SEALED, depth: 2, values: 10 };
  const signed = readSignedMessage(parseJson(await openMessage(decryptionKey, sealed, powers), 'The message', limits), 'The message');
  refuseUnless(await isSignedBy(sender, signed, powers), 'TRUSTEES', 'The message is not signed by the trustee it is from');
  const { recipient, message } = readFields(parseJson(signed.message, 'The message', limits), 'The message', ['recipient', 'message']);
  const isMine = readElement(recipient, 'The recipient') === generator.power(decryptionKey);
  refuseUnless(isMine, 'TRUSTEES', 'The message is for another trustee');
  return readText(message, 'The message');
}
