import crypto, { type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** With HASHES=off a password costs nothing to hash in this process: what is left is everything else of a sign-in. Loaded before the program. */
if (process.env.HASHES === 'off') {
  const argon2 = (_algorithm: string, { message, nonce }: Argon2Parameters, done: (error: null, tag: Buffer) => void): void => {
    const tag = crypto
      .createHash('sha256')
      .update(String(message))
      .update(nonce as Buffer)
      .digest();
    setImmediate(done, null, tag);
  };
  Object.assign(crypto, { argon2 });
  syncBuiltinESMExports();
}
