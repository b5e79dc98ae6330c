const words: ReadonlyMap<string, string> = new Map([
  ['pwd', 'password'],
  ['otp', 'one-time code'],
  ['hwk', 'passkey'],
  ['swk', 'passkey'],
  ['rc', 'recovery code'],
]);

/** Returns how a person signed in, in words, by the methods of authentication (`amr`): `password, one-time code`. */
export const authenticationWords = (amr: readonly string[]): string =>
  [...new Set(amr.flatMap(method => words.get(method) ?? []))].join(', ') || 'unknown';
