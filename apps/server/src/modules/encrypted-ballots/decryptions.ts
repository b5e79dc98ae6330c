import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { readApart } from '../../platform/reading-apart.ts';
import { appendToArchive } from './archive.ts';
import type { BallotState } from './ballot-state.ts';
import type { Decrypted, Decrypting, read } from './decryption-thread.ts';
import { setupThread } from './threads.ts';

/** Judges or makes a decryption in a thread. */
export const decryptApart = readApart<typeof read>(new URL('./decryption-thread.ts', import.meta.url), setupThread);

/** The sums of a ballot whose voting is over, and the decryptions that are there: the registry is the first. */
export function sumsOf({ parameters, trusteeTexts, tally, decryption, trustees }: BallotState): Decrypting {
  const own = decryption === null ? [] : [[1, decryption] as const];
  const others = trustees.flatMap(each => (each.decryption === null ? [] : [[each.place + 1, each.decryption] as const]));
  const [sums, size] = tally!;
  return { parameters: parameters!, trustees: trusteeTexts!, tally: [sums!, size!], decryptions: [...own, ...others] };
}

/** Appends a decryption to the archive, and the result where enough are there. @param place of the trustee; null for the registry */
export async function keepDecryption(
  change: Change,
  { electionId, setUpAt }: BallotState,
  { place, messages, result }: Decrypted & { place: number | null },
): Promise<void> {
  const id = Number(electionId);
  const archive = { electionId, setUpAt: setUpAt! };
  await appendToArchive(change, archive, 'PartialDecryption', messages);
  await change.rows(
    place === null
      ? sql`update encrypted_ballot set decryption = ${messages[0]} where election_id = ${id}`
      : sql`update ballot_trustee set decryption = ${messages[0]} where election_id = ${id} and place = ${place}`,
  );
  if (result === null) return;
  await appendToArchive(change, archive, 'Result', [result.text]);
  await change.rows(sql`update encrypted_ballot set result = ${result.votes}::int[] where election_id = ${id}`);
}
