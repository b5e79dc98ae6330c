import { randomBytes } from 'node:crypto';

/** Ten letters and digits that look like no others (RFC 4648 base 32): 50 random bits. */
export const newCode = (): string => [...randomBytes(10)].map(byte => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte & 31]).join('');
