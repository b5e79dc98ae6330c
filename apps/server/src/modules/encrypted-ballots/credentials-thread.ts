import { createHash } from 'node:crypto';
import { refuseField } from '../../platform/failure.ts';
import { portionsOfJson } from '../../platform/portions.ts';
import { opensslPowers, printCredentialList, readCredentialList, Refusal } from './protocol.ts';

/** Rows of `ballot_credential` and of `voting_right`, as JSON. */
export type CredentialPortion = { credentials: string } | { rights: string };

const refused = (message: string) => refuseField('credentials', message);

/**
 * Reads the list of a credential authority: credentials that are elements of the group, each once, and as many rights. The rights are handed over in their order, so that
 * none is beside its credential.
 * @returns how many credentials have how many votes, and the fingerprint of the list in the archive
 */
export function* read(text: string): Generator<CredentialPortion, { classes: { votes: number; accounts: number }[]; fingerprint: string }> {
  const [first = '', second = '', ...more] = text.replaceAll('\r\n', '\n').trim().split(/\n\n+/);
  if (more.length > 0 || second === '') throw refused('Enter the credentials, an empty line, and the rights');
  const lines = first.split('\n');
  const rights = second.split('\n');
  for (const [place, line] of lines.entries())
    if (!/^[1-9][0-9]{1,616} [1-9][0-9]?$/.test(line)) throw refused(`Line ${place + 1} isn’t a credential, a space and its votes`);
  for (const [place, right] of rights.entries())
    if (!/^[0-9a-f]{64}$/.test(right)) throw refused(`Right ${place + 1} isn’t 64 hexadecimal digits`);
  if (new Set(rights).size !== rights.length) throw refused('A right is there twice');
  if (rights.length !== lines.length) throw refused(`There are ${lines.length} credentials and ${rights.length} rights`);
  const list = listOf(lines);
  const credentials = [...list].map(([credential, votes]) => ({ credential: `${credential}`, votes }));
  for (const portion of portionsOfJson(credentials)) yield { credentials: JSON.stringify(portion) };
  for (const portion of portionsOfJson(rights.toSorted())) yield { rights: JSON.stringify(portion) };
  const classes = new Map<number, number>();
  for (const votes of list.values()) classes.set(votes, (classes.get(votes) ?? 0) + 1);
  return {
    classes: [...classes].map(([votes, accounts]) => ({ votes, accounts })).toSorted((a, b) => a.votes - b.votes),
    fingerprint: createHash('sha256').update(printCredentialList(list)).digest('base64').replace('=', ''),
  };
}

function listOf(lines: readonly string[]): ReturnType<typeof readCredentialList> {
  try {
    return readCredentialList(JSON.stringify(lines.map(line => line.replace(' ', ','))), { powers: opensslPowers });
  } catch (error) {
    if (error instanceof Refusal) throw refused(error.message);
    throw error;
  }
}
