import { alphabet } from './base58.ts';
import { numberOf } from './bytes.ts';
import { modOrder } from './group.ts';

/** So many unpredictable bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** The source of the system, in browsers and in Node.js. */
export const systemRandom: RandomBytes = length => crypto.getRandomValues(new Uint8Array(length));

/** Returns a number below the order of the group. 128 bits more than it has are drawn, so that no remainder is noticeably more likely. */
export const randomExponent = (random: RandomBytes = systemRandom): bigint => modOrder(numberOf(random(48)));

/** Returns so many base 58 digits, each equally likely. */
export function randomDigits(count: number, random: RandomBytes = systemRandom): string {
  let text = '';
  // The largest multiple of 58 in a byte is 232: bytes from there on would favour the first digits.
  while (text.length < count) for (const byte of random(count)) if (byte < 232 && text.length < count) text += alphabet[byte % 58]!;
  return text;
}
