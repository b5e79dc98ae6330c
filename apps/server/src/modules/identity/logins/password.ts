import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/**
 * One of OWASP's recommended parameter sets for argon2id: 45 ms and 46 MiB each here. One processor is left to the event loop, so that answers don't
 * wait for hashes, and at most four run at a time to limit memory.
 */
const current = { memory: 47_104, passes: 1, parallelism: 1 };
const AT_ONCE = Math.min(4, Math.max(1, availableParallelism() - 1));
const WAITING = 200;

let running = 0;
const queue: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING) throw refuse('UNAVAILABLE');
    await new Promise<void>(resolve => queue.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Returns the argon2id hash of a password (NFC) in the PHC string format, with its own salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn(() => derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength: 32, ...current }));
  return `$argon2id$v=19$m=${current.memory},t=${current.passes},p=${current.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
let unknownNamesHash: Promise<string> | undefined;
/** Returns the hash that passwords for an unknown name are compared with: made once for the process, of a random password. */
const hashForUnknownNames = (): Promise<string> => (unknownNamesHash ??= hashPassword(randomBytes(32).toString('base64')));

/**
 * Prepares the hash for unknown names, or the first one would take longer than a known name.
 * @throws Error where argon2id does not work.
 */
export const prepareHashes = async (): Promise<void> => void (await hashForUnknownNames());

/** Returns the stored hash of a person's password; null without one. */
export const hashOf = async (read: Read, loginId: string): Promise<string | null> =>
  (await read.selectFrom('loginPassword').select('hash').where('loginId', '=', loginId).executeTakeFirst())?.hash ?? null;

/**
 * Returns whether a password matches a stored hash. Without a hash (unknown name) it takes as long and returns false (S7).
 * `outdated`: it matches, but was hashed with weaker parameters than the present ones and should be rehashed.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<{ matches: boolean; outdated: boolean }> {
  const parts = phc.exec(hash ?? (await hashForUnknownNames()));
  if (!parts) throw new Error('A stored password hash is not argon2id in the PHC format.');
  const [memory, passes, parallelism] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const expected = Buffer.from(parts[5]!, 'base64');
  const given = await inTurn(() =>
    derive('argon2id', {
      message: password.normalize('NFC'),
      nonce: Buffer.from(parts[4]!, 'base64'),
      tagLength: expected.length,
      memory,
      passes,
      parallelism,
    }),
  );
  const matches = timingSafeEqual(expected, given) && hash !== null;
  return { matches, outdated: matches && (memory < current.memory || passes < current.passes) };
}
