import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { type HandOver, optionsOf, readElection, reportSignature, reportVote } from '../elections/index.ts';

/** Crockford's base 32: no letter is mistaken for another. 80 bits, so that receipts can't be guessed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A new receipt. It is made when the ballot is shown, so that a ballot that is sent twice shows the same one again. */
export const newReceipt = (): string => [...randomBytes(16)].map(byte => alphabet[byte & 31]).join('');
export const isReceipt = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{16}$/.test(text);

/** How many options a ballot may name. */
export const mostChoices = ({ seats, options }: { seats: number | null; options: number }): number => Math.min(seats ?? 1, options);

/**
 * Casts one ballot: the portal learns that the voter has voted, and the ballot is stored without the voter, both or neither. Sent again with its receipt it
 * is the ballot that is there.
 * @returns whether it was cast now
 * @throws Failure BALLOT_CLOSED, VOTES_CAST, VOTE_REPORT_REFUSED where the vote is repeated or a proxy votes
 */
export function castBallot(
  db: Database,
  secret: string,
  { voter, votes, electionId, generation, expiresAt }: HandOver,
  { receipt, choices }: { receipt: string; choices: readonly number[] },
): Promise<boolean> {
  return db.change(ownActivity('ballots.castBallot', 'Cast a ballot'), async change => {
    if (Date.parse(change.now) >= Date.parse(expiresAt))
      throw refuse('BALLOT_CLOSED', { why: 'it was open for 30 minutes. Open it from the portal again' });
    const election = await readElection(change, electionId, new Date(change.now));
    const options = (await optionsOf(change, electionId)).length;
    const most = mostChoices({ seats: election.seats, options });
    if (new Set(choices).size !== choices.length || choices.length > most || choices.some(place => place < 1 || place > options))
      throw refuse('BALLOT_CLOSED', { why: `choose at most ${most}` });
    const votedAt = change.now;
    const isNews = await reportVote(change, { voter, votedAt, signature: reportSignature(secret, voter, votedAt) }, secret);
    if (!isNews) {
      const [same] = await change.rows(sql`select 1 from ballot where receipt = ${receipt} and election_id = ${Number(electionId)}
        and generation = ${generation} and votes = ${votes}`);
      if (same) return false;
      throw refuse('VOTES_CAST');
    }
    const stored = await change
      .insertInto('ballot')
      .values({ receipt, electionId: Number(electionId), generation, votes, choices: [...choices].sort((a, b) => a - b) })
      .onConflict(conflict => conflict.doNothing())
      .returning('receipt')
      .executeTakeFirst();
    if (!stored) throw refuse('BALLOT_CLOSED', { why: 'its receipt is in use. Open the ballot from the portal again' });
    return true;
  });
}

/**
 * Stores the ballots of elections that are over anew, in the order of their receipts, in one change: where a row lies, and by which transaction it was
 * written, then says nothing of when it was cast.
 */
export async function sortBallots(db: Database, now: Date): Promise<void> {
  const over = await db.read.rows<{ electionId: number }>(sql`
    select e.election_id::int as election_id from election e where e.ballots_sorted_at is null and exists (select from ballot b where b.election_id = e.election_id)
      and not exists (select from election_window w where w.election_id = e.election_id and w.closes_at > ${now.toISOString()}::timestamptz)`);
  for (const { electionId } of over)
    await db.change(
      ownActivity('ballots.sortBallots', 'Stored the ballots of an election in the order of their receipts'),
      async change => {
        await change.rows(sql`select 1 from election where election_id = ${electionId} for no key update`);
        const rows = await change.deleteFrom('ballot').where('electionId', '=', electionId).returningAll().execute();
        const sorted = rows.toSorted((a, b) => (a.receipt < b.receipt ? -1 : 1));
        for (let start = 0; start < sorted.length; start += 1000)
          await change
            .insertInto('ballot')
            .values(sorted.slice(start, start + 1000))
            .execute();
        await change.updateTable('election').set({ ballotsSortedAt: change.now }).where('electionId', '=', electionId).execute();
        await change.note({ ballots: rows.length });
      },
    );
}
