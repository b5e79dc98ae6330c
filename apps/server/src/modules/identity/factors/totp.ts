import { HOTP, Secret } from 'otpauth';

/** Time step of RFC 6238, in seconds. */
const STEP_SECONDS = 30;
const format = { algorithm: 'SHA1', digits: 6 } as const;

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer });
/** The time step of an instant. */
export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / STEP_SECONDS);

/** The code of a time step. */
export const codeOf = (secret: Uint8Array, step: number): string => HOTP.generate({ secret: secretOf(secret), counter: step, ...format });

/** Returns for how many more seconds an authenticator shows the current code. */
export const secondsLeft = (at: Date): number => STEP_SECONDS - (Math.floor(at.getTime() / 1000) % STEP_SECONDS);

/** The time step this code belongs to, from one before to one after now; null for any other code. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const step = stepAt(at);
  const delta = HOTP.validate({ token: code, secret: secretOf(secret), counter: step, window: 1, ...format });
  return delta === null ? null : step + delta;
}

/** A new secret of 20 bytes, the length authenticator apps expect for SHA-1, in base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;
