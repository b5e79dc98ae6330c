import fs from 'node:fs/promises';
import path from 'node:path';

/** The passwords attackers try first (data/README.md): lower case. */
export type CommonPasswords = {
  /** At least 12 characters each. */
  passwords: ReadonlySet<string>;
  /** 5 to 11 letters each: they add little strength to a password. */
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
