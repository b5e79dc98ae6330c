import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An election in which all was made by belenios-tool 2.0 (test/record.sh), secrets included. */
export const recorded = (name: string): string => readFileSync(path.join(import.meta.dirname, 'recorded', name), 'utf8').trimEnd();
export const recordedLines = (name: string): string[] => recorded(name).split('\n');
export const recordedBytes = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(path.join(import.meta.dirname, 'recorded', name)));

/** The voters of the recorded election with their private credentials. */
export const recordedVoters = recordedLines('private_creds.txt').map(line => {
  const [identity, credential] = line.split(' ') as [string, string];
  return { identity, weight: Number(identity.split(',')[2]), credential };
});
