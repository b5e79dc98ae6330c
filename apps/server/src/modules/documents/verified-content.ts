import { createHash } from 'node:crypto';

/** Content of a kept file is not what its SHA-256 says. */
export class ChangedContent extends Error {}

/** Content up to this length, in bytes, is read whole before its first byte is handed on. */
const MAX_READ_FIRST = 1024 * 1024;

/**
 * Hands content on, and its last part only if the whole has the SHA-256 of its name: a reader of changed content gets an error instead of an end. Content up to a megabyte
 * is verified before anything of it is handed on, so that it is refused instead of broken off.
 * @param where the content is, for operators @throws ChangedContent
 */
export async function* verified(chunks: AsyncIterable<Uint8Array>, sha256: string, where: string): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256');
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    hash.update(chunk);
    if (bytes + chunk.length > MAX_READ_FIRST) {
      yield* held;
      held = [];
    }
    held.push(chunk);
    bytes += chunk.length;
  }
  const found = hash.digest('hex');
  if (found !== sha256)
    throw new ChangedContent(`The content at ${where} was changed: ${bytes} bytes with the SHA-256 ${found} instead of ${sha256}.`);
  yield* held;
}
