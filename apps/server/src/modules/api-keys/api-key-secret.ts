import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes of keys, recognisable for people and leak scanners: the registry's and its sandbox's. */
export const keyKinds = { registry: 'mr_live_', sandbox: 'mr_test_' } as const;
export type KeyKind = keyof typeof keyKinds;
/** Length of these prefixes. */
const KIND = 8;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Random characters of a key: 238 bits. */
const RANDOM = 40;
/** Number of those shown in lists. */
const SHOWN = 8;
const CHECK = 6;

const shape = new RegExp(`^(?:${Object.values(keyKinds).join('|')})[0-9A-Za-z]{${RANDOM + CHECK}}$`);

/** The CRC-32 of a text in six digits of base 62: distinguishes a mistyped key from an unknown one without asking the database. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECK; place++) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

/** Returns a new secret of a program: its beginning, then 46 letters and digits, 40 random ones and a checksum. */
export function secretWith(beginning: string): string {
  const random = Array.from({ length: RANDOM }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `${beginning}${random}${checksum(beginning + random)}`;
}

/** Whether the last characters of a secret are the checksum of those before: one that was mistyped hasn’t. */
export const hasOwnChecksum = (secret: string): boolean => checksum(secret.slice(0, -CHECK)) === secret.slice(-CHECK);

/** Returns a new secret of an API key. */
export const newSecret = (kind: KeyKind = 'registry'): string => secretWith(keyKinds[kind]);

/** The part of a secret that is shown in lists. */
export const prefixOf = (secret: string): string => secret.slice(0, KIND + SHOWN);

/** Where a secret belongs. */
export const kindOf = (secret: string): KeyKind => (secret.startsWith(keyKinds.sandbox) ? 'sandbox' : 'registry');

/** The SHA-256 of a secret. A fast hash is enough: 238 random bits can't be searched. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The secret in an Authorization header (`Bearer mr_live_…`); null if there is none. */
export function secretIn(authorization: string | undefined): string | null {
  const secret = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (secret === undefined || !shape.test(secret)) return null;
  return hasOwnChecksum(secret) ? secret : null;
}
