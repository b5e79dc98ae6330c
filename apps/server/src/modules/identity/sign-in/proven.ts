import { acrOf } from '../../../config.ts';

/**
 * The kind of proof of each method of authentication (RFC 8176; `rc` is ours, a recovery code). `user` accompanies `hwk` or `swk` if the
 * passkey's device verified its person by PIN, finger or face.
 */
const kinds: ReadonlyMap<string, 'knowledge' | 'possession' | 'verification'> = new Map([
  ['pwd', 'knowledge'],
  ['otp', 'possession'],
  ['hwk', 'possession'],
  ['swk', 'possession'],
  ['rc', 'possession'],
  ['user', 'verification'],
]);

/** Returns the claims of a sign-in by these methods: `mfa` only if two kinds were proven, whatever was requested (S6). */
export function proven(methods: readonly string[]): { amr: string[]; acr: string } {
  const amr = [...new Set(methods)].filter(method => kinds.has(method));
  const mfa = new Set(amr.map(method => kinds.get(method))).size > 1;
  return { amr: mfa ? [...amr, 'mfa'] : amr, acr: acrOf(mfa ? 'mfa' : '1fa') };
}
