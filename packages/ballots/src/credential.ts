import { alphabet, parseBase58 } from './base58.ts';
import { encodeText, numberOf } from './bytes.ts';
import { generator, modOrder } from './group.ts';
import { type RandomBytes, randomDigits, systemRandom } from './random.ts';

/** Random digits of a private credential: 82 bits. */
const RANDOM_DIGITS = 14;
const ITERATIONS = 1000;

/** The digit that lets typing errors be found: the number of the others and it are 0 modulo 53 (section 4.8). */
const checksumOf = (digits: string): string => alphabet[53 - Number(parseBase58(digits)! % 53n)]!;

/** Returns a new private credential, with a dash after each three digits (section 4.8). */
export function newCredential(random: RandomBytes = systemRandom): string {
  const digits = randomDigits(RANDOM_DIGITS, random);
  return `${digits}${checksumOf(digits)}`.replaceAll(/...(?!$)/g, '$&-');
}

/** True for what has the form of a private credential, with or without dashes, and the right check digit (section 4.8). */
export function isCredential(text: string): boolean {
  if (text.length !== 15 && !/^...-...-...-...-...$/.test(text)) return false;
  const digits = text.length === 15 ? text : text.replaceAll('-', '');
  const number = digits.length === 15 ? parseBase58(digits.slice(0, RANDOM_DIGITS)) : null;
  const check = alphabet.indexOf(digits[RANDOM_DIGITS] ?? '');
  return number !== null && check >= 0 && (number + BigInt(check)) % 53n === 0n;
}

/**
 * Derives the secret exponent of a private credential for an election: PBKDF2 of the text as it is written, with the identifier of the election as
 * salt (section 4.8). With and without dashes are different secrets; those made here and by other programs have dashes.
 */
export const secretOf = async (credential: string, uuid: string): Promise<bigint> =>
  modOrder(numberOf(await deriveBytes(credential, uuid)));

/** Derives 32 bytes of a private credential (PBKDF2, as section 4.8 has it). */
export async function deriveBytes(credential: string, salt: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', encodeText(credential), 'PBKDF2', false, ['deriveBits']);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: encodeText(salt), iterations: ITERATIONS };
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, key, 256));
}

/** The public credential of a secret exponent (section 4.8). */
export const publicOf = (secret: bigint): bigint => generator.power(secret);
