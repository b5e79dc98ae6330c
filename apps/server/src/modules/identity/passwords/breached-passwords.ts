import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';

/** Leaked passwords, from the operator's file. */
export type BreachedPasswords = { holds(password: string): Promise<boolean>; close(): Promise<void> };

const DIGITS = 40;
/** Longer than a line: 40 digits, a colon, a count and the line ending. */
const LINE = 64;
/** Bytes read at a time once the search is close. */
const BLOCK = 4096;
const PROBES = 64;

type Line = { digest: string /** Byte offset of the next line. */; next: number };

/**
 * Opens a file of SHA-1 digests in hexadecimal, sorted, one a line, each with `:count` or without (the format of the Pwned Passwords
 * download, by hash). It may be far larger than the memory: a password is looked up by halving the file. An empty name means no file. @throws Error
 * with a sentence when it can't be read, or when sampled lines are not digests or not sorted.
 */
export async function openBreachedPasswords(file: string): Promise<BreachedPasswords> {
  if (file === '') return { holds: () => Promise.resolve(false), close: async () => {} };
  const handle = await fs.open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `BREACHED_PASSWORDS_FILE: ${file} cannot be read (${error.code === 'ENOENT' ? 'there is no such file' : error.message}).`,
    );
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`BREACHED_PASSWORDS_FILE: ${file} is no file.`);
    const { size } = stat;
    const lineAt = async (offset: number): Promise<Line | null> => {
      // From the byte before, so that a line that begins right here is not skipped.
      const from = Math.max(0, offset - 1);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2 * LINE), 0, 2 * LINE, from);
      const text = buffer.toString('latin1', 0, bytesRead);
      const start = offset === 0 ? 0 : text.indexOf('\n') + 1;
      if ((offset > 0 && start === 0) || from + start >= size) return null;
      const [whole, digest] = /^([0-9A-Fa-f]{40})(?::\d+)?\r?(?:\n|$)/.exec(text.slice(start)) ?? [];
      if (whole === undefined || digest === undefined)
        throw new Error(
          `BREACHED_PASSWORDS_FILE: ${file} has a line at byte ${from + start} that is no SHA-1 in hexadecimal, with or without a count behind a colon.`,
        );
      return { digest: digest.toUpperCase(), next: from + start + whole.length };
    };

    let before = '';
    for (let probe = 0; probe <= PROBES; probe++) {
      const line = await lineAt(Math.floor((size * probe) / PROBES));
      if (line && line.digest < before)
        throw new Error(`BREACHED_PASSWORDS_FILE: ${file} is not sorted: ${line.digest} stands behind ${before}.`);
      before = line?.digest ?? before;
    }
    if (before === '') throw new Error(`BREACHED_PASSWORDS_FILE: ${file} is empty.`);

    return {
      holds: async password => {
        const wanted = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase();
        let [low, high] = [0, size];
        while (high - low > BLOCK) {
          const middle = Math.floor((low + high) / 2);
          const line = await lineAt(middle);
          if (line?.digest === wanted) return true;
          if (line && line.digest < wanted) low = line.next;
          else high = middle;
        }
        // The line before `high` may begin below it and end above.
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(high - low + LINE), 0, high - low + LINE, low);
        return buffer
          .toString('latin1', 0, bytesRead)
          .split('\n')
          .some(line => line.slice(0, DIGITS).toUpperCase() === wanted);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
