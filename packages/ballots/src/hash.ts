import { encodeText, numberOf, printBase64, printHex } from './bytes.ts';
import { modOrder } from './group.ts';

/** SHA-256 of bytes, or of a text in UTF-8. */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? encodeText(data) : data));
}

/** The hash by which the archive refers to its records (sections 4.2 and 4.4). */
export const hexHash = async (data: Uint8Array<ArrayBuffer> | string): Promise<string> => printHex(await sha256(data));

/** The hash of elections, signatures and trackers: HJSON (section 4.15). */
export const jsonHash = async (text: string): Promise<string> => printBase64(await sha256(text));

/**
 * The challenge of a proof: SHA-256 of a prefix and of elements in base 10 with commas between them, as a big-endian number modulo the order
 * (sections 4.5, 4.6.1, 4.12, 4.13, 4.14 and 4.18; each has a prefix of its own).
 */
export const challengeOf = async (prefix: string, elements: readonly bigint[]): Promise<bigint> =>
  modOrder(numberOf(await sha256(`${prefix}${elements.join(',')}`)));
