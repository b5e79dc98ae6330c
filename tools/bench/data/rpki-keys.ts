import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { keyIdentifierOf, sealedKeyName } from '../../../apps/server/src/modules/rpki/authorities/cryptography.ts';
import type { MadeKey } from '../../../apps/server/src/modules/rpki/authorities/signer.ts';
import { openSecretBox, type Secrets } from '../../../apps/server/src/platform/secret-box.ts';

const EXPONENT = 65_537n;

const numberIn = (base64url: string): bigint => BigInt(`0x${Buffer.from(base64url, 'base64url').toString('hex')}`);
function base64urlOf(value: bigint): string {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString('base64url');
}

/** The number whose product with `value` leaves 1 (Euclid). */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next, factor, nextFactor] = [modulus, value % modulus, 0n, 1n];
  while (next > 0n) {
    const times = rest / next;
    [rest, next, factor, nextFactor] = [next, rest - times * next, nextFactor, factor - times * nextFactor];
  }
  return factor < 0n ? factor + modulus : factor;
}
/** The inverse of the public exponent, which is so small that one division finds it. */
const exponentFor = (modulus: bigint): bigint =>
  (1n + ((EXPONENT - inverse(modulus % EXPONENT, EXPONENT)) % EXPONENT) * modulus) / EXPONENT;

/**
 * Returns so many different RSA keys in a fraction of the time that it takes to make them (a minute of processor time for each thousand): every key is a
 * different pair of a few primes. They sign as slowly as any other. Two of them with a common prime give both away, so they are for measuring alone.
 */
export function weakKeys(count: number, secrets: Secrets): MadeKey[] {
  const box = openSecretBox(secrets);
  const primes: bigint[] = [];
  while ((primes.length * (primes.length - 1)) / 2 < count) {
    const { p, q } = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    primes.push(numberIn(p!), numberIn(q!));
  }
  const keys: MadeKey[] = [];
  for (const [place, q] of primes.entries())
    for (const p of primes.slice(0, place)) {
      if (keys.length === count) return keys;
      const numbers = {
        n: p * q,
        e: EXPONENT,
        d: exponentFor((p - 1n) * (q - 1n)),
        p,
        q,
        dp: exponentFor(p - 1n),
        dq: exponentFor(q - 1n),
        qi: inverse(q, p),
      };
      const jwk: JsonWebKey = {
        kty: 'RSA',
        ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, base64urlOf(value)])),
      };
      const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
      const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
      const keyIdentifier = keyIdentifierOf(publicKey);
      keys.push({
        publicKey,
        keyIdentifier,
        sealed: box.seal(sealedKeyName(keyIdentifier), privateKey.export({ type: 'pkcs8', format: 'der' })),
      });
    }
  return keys;
}
