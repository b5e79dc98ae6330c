import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { generator } from '../src/group.ts';
import { modulus } from '../src/modulus.ts';
import { bigintPowers, type Powers } from '../src/powers.ts';

const BYTES = 256;
const bytesOf = (number: bigint, length: number): Buffer => Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex');
const n = bytesOf(modulus, BYTES).toString('base64url');

function power(bytes: Buffer, exponent: bigint): bigint {
  const e = bytesOf(exponent, Math.ceil(exponent.toString(16).length / 2)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
  return BigInt(`0x${publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, bytes).toString('hex')}`);
}

/** Whether this OpenSSL takes such keys: some builds limit exponents, or know no encryption without padding. */
let isUsable: boolean | null = null;
function tryOnce(): boolean {
  const exponent = 2n ** 255n + 12n;
  try {
    return power(bytesOf(generator.base, BYTES), exponent) === generator.power(exponent);
  } catch {
    return false;
  }
}

/**
 * Powers by OpenSSL, for verifying in Node.js: encryption with RSA and no padding is a power modulo the number of the key, whatever that is, and takes a
 * fifth of the time of `BigInt`, which calculates where OpenSSL doesn't. Its time depends on the exponent, which is public in every proof; secrets are raised in tables.
 */
export const opensslPowers: Powers = (base, exponents) => {
  isUsable ??= tryOnce();
  if (!isUsable) return bigintPowers(base, exponents);
  const bytes = bytesOf(base, BYTES);
  return exponents.map(exponent => (exponent === 0n ? 1n : exponent === 1n ? base : power(bytes, exponent)));
};
