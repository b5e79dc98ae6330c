import crypto, { type Argon2Parameters, type BinaryLike } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** With HASHES=off hashing a password costs nothing in this process: everything else of a sign-in remains. Loaded before the program. */
if (process.env.HASHES === 'off') {
  const argon2 = (_algorithm: string, parameters: Argon2Parameters, done: (error: null, tag: Buffer) => void): void => {
    const { message, nonce } = parameters as { message: BinaryLike; nonce: BinaryLike };
    setImmediate(done, null, crypto.createHash('sha256').update(message).update(nonce).digest());
  };
  Object.assign(crypto, { argon2 });
  syncBuiltinESMExports();
}
