import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { newElectionId } from './protocol.ts';

/** Discards the credentials of an election, whose authority makes new ones. Another identifier: what was signed for the former roll is of no use for this one. */
export async function discardCredentials(change: Change, electionId: string): Promise<void> {
  const id = Number(electionId);
  await change.rows(sql`delete from voting_right where election_id = ${id}`);
  await change.rows(sql`delete from ballot_credential where election_id = ${id}`);
  await change.rows(sql`update encrypted_ballot set uuid = ${newElectionId()}, parameters = null, trustees = null, credentials_fingerprint = null, asked_at = null, reminders = 0,
    proxies_asked_at = null where election_id = ${id}`);
}
