import fs from 'node:fs/promises';
import path from 'node:path';

/** What is tried first, as data/README.md tells it: lower case. */
export type CommonPasswords = {
  /** Of at least 12 characters. */
  passwords: ReadonlySet<string>;
  /** Of 5 to 11 letters: they add little to a password. */
  words: readonly string[];
};

const folder = path.join(import.meta.dirname, '../../../../data');

/** The lists that come with the program, read once. */
export const commonPasswords = (): Promise<CommonPasswords> => (read ??= readLists());
let read: Promise<CommonPasswords> | undefined;

async function readLists(): Promise<CommonPasswords> {
  const lines = async (file: string): Promise<string[]> => (await fs.readFile(path.join(folder, file), 'utf8')).trimEnd().split('\n');
  const [passwords, words] = await Promise.all([lines('common-passwords.txt'), lines('common-words.txt')]);
  return { passwords: new Set(passwords), words };
}
