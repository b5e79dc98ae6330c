import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailure } from './failure.ts';

export type Credentials = { url: string; account: string; key: string };
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where `registry login` keeps the key: $XDG_CONFIG_HOME/registry, or ~/.config/registry. */
export const credentialsFileOf = (environment: Environment): string =>
  path.join(environment['XDG_CONFIG_HOME'] || path.join(environment['HOME'] ?? '.', '.config'), 'registry', 'credentials.json');

/** Returns the credentials of the environment (REGISTRY_URL, REGISTRY_API_KEY, REGISTRY_ACCOUNT), each before what `registry login` stored. @throws CommandFailure */
export async function credentialsFrom(environment: Environment): Promise<Credentials> {
  const stored = await readStored(credentialsFileOf(environment));
  const url = environment['REGISTRY_URL'] || stored.url;
  // A stored key belongs to the portal it was stored for, and is sent to no other.
  const own = url === stored.url ? stored : {};
  const key = environment['REGISTRY_API_KEY'] || own.key;
  const account = environment['REGISTRY_ACCOUNT'] || own.account;
  if (!url || !key)
    throw new CommandFailure('There is no API key. Run registry login URL, or set REGISTRY_URL, REGISTRY_API_KEY and REGISTRY_ACCOUNT.');
  if (!account) throw new CommandFailure('Set REGISTRY_ACCOUNT to the account of the key, such as EXAMPLE-AU.');
  return { url, account, key };
}

/** Stores credentials in a file that only its owner reads; it is replaced as a whole. */
export async function storeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

export const forgetCredentials = (file: string): Promise<void> => rm(file, { force: true });

async function readStored(file: string): Promise<Partial<Credentials>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Credentials>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandFailure(`${file} can’t be read. Run registry login again.`);
  }
}
