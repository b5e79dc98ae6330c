import crypto, { type Argon2Parameters, type BinaryLike } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** With HASHES=off a password costs nothing to hash in this process: what is left is everything else of a sign-in. Loaded before the program. */
if (process.env.HASHES === 'off') {
  const argon2 = (_algorithm: string, parameters: Argon2Parameters, done: (error: null, tag: Buffer) => void): void => {
    const { message, nonce } = parameters as { message: BinaryLike; nonce: BinaryLike };
    setImmediate(done, null, crypto.createHash('sha256').update(message).update(nonce).digest());
  };
  Object.assign(crypto, { argon2 });
  syncBuiltinESMExports();
}
