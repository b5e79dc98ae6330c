import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { modulus } from '../src/modulus.ts';
import type { Powers } from '../src/powers.ts';

const BYTES = 256;
const bytesOf = (number: bigint, length: number): Buffer => Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex');
const n = bytesOf(modulus, BYTES).toString('base64url');

/**
 * Powers by OpenSSL, for verifying in Node.js: encryption with RSA and no padding is a power modulo the number of the key, whatever that is, and takes a
 * fifth of the time of `BigInt`. Its time depends on the exponent, which is public in every proof; secrets are raised in tables.
 */
export const opensslPowers: Powers = (base, exponents) => {
  const bytes = bytesOf(base, BYTES);
  return exponents.map(exponent => {
    if (exponent === 0n) return 1n;
    if (exponent === 1n) return base;
    const e = bytesOf(exponent, Math.ceil(exponent.toString(16).length / 2)).toString('base64url');
    const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
    return BigInt(`0x${publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, bytes).toString('hex')}`);
  });
};
