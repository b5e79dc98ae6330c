import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { refuse } from '../../platform/failure.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';
import { castOwnBallot, type HandOver } from '../elections/index.ts';

/** Crockford's base 32: no ambiguous letters. 80 bits, so that receipts can't be guessed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A new receipt, made when the ballot is shown, so that a ballot sent twice shows the same one. */
export const newReceipt = (): string => receiptOf([...randomBytes(16)]);
/** The receipt of sixteen random bytes. */
export const receiptOf = (bytes: readonly number[]): string => bytes.map(byte => alphabet[byte & 31]).join('');
const isReceipt = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{16}$/.test(text);

type Voter = Pick<HandOver, 'voter' | 'electionId' | 'generation'>;

/** Seals the receipt of a voter into the form: a voter, or who buys the vote, can't choose it. */
export const sealReceipt = (secrets: Secrets, { voter, electionId, generation }: Voter, receipt: string): string =>
  createHmac('sha256', derivedKeys(secrets, 'ballot receipts')[0])
    .update(`${voter}.${electionId}.${generation}.${receipt}`)
    .digest('base64url');

/** Whether a receipt was made here for a voter. */
export function isOwnReceipt(secrets: Secrets, voter: Voter, { receipt, seal }: { receipt: string; seal: string }): boolean {
  const [expected, given] = [Buffer.from(sealReceipt(secrets, voter, receipt)), Buffer.from(seal)];
  return isReceipt(receipt) && expected.length === given.length && timingSafeEqual(expected, given);
}

/** Maximum number of options in a ballot. */
export const maxChoices = ({ seats, options }: { seats: number | null; options: number }): number => Math.min(seats ?? 1, options);

/**
 * Casts one ballot: records that the voter has voted, and stores the ballot without the voter, both or neither. Sent again with its receipt it
 * returns the existing ballot. @returns whether it was cast now
 * @throws Failure BALLOT_CLOSED, VOTES_CAST, VOTE_REPORT_REFUSED if the vote is repeated or a proxy votes
 */
export function castBallot(
  { db, config }: Pick<ModuleContext, 'db' | 'config'>,
  { voter, votes, electionId, generation, expiresAt }: HandOver,
  { receipt, choices }: { receipt: string; choices: readonly number[] },
): Promise<boolean> {
  return db.change(ownActivity('ballots.castBallot', 'Cast a ballot'), async change => {
    if (Date.parse(change.now) >= Date.parse(expiresAt))
      throw refuse('BALLOT_CLOSED', { why: 'it was open for 30 minutes. Open it from the portal again' });
    const outcome = await castOwnBallot(change, { voter, votes }, { receipt, choices, secrets: config }, ({ seats, options }) => {
      if (options === 0) throw refuse('BALLOT_CLOSED', { why: 'the candidates are not on it yet. Try again later' });
      const most = maxChoices({ seats, options });
      if (new Set(choices).size !== choices.length || choices.length > most || choices.some(place => place < 1 || place > options))
        throw refuse('BALLOT_CLOSED', { why: `choose at most ${most}` });
    });
    if (outcome === 'cast') return true;
    if (outcome === 'receipt-in-use')
      throw refuse('BALLOT_CLOSED', { why: 'its receipt is in use. Open the ballot from the portal again' });
    const [same] = await change.rows<{ held: boolean; attendee: boolean }>(sql`
      select ballots.holds(${receipt}, ${Number(electionId)}, ${generation}, ${votes}) as held,
        exists (select from ballot_session s where s.voter_id = ${voter}::uuid and s.cast_as = 'attendee') as attendee`);
    if (same!.held) return false;
    throw refuse(same!.attendee ? 'ATTENDEE_VOTED' : 'VOTES_CAST');
  });
}

/**
 * Takes the ballots of finished elections out of the box, and publishes them in the order of their receipts in one change, so that position and
 * transaction of a row reveal nothing about when it was cast.
 */
export async function sortBallots(db: Database, now: Date): Promise<void> {
  const over = await db.read.rows<{ electionId: number }>(sql`
    select e.election_id::int as election_id from election e where e.state = 'published' and e.ballots = 'plain' and e.ballots_sorted_at is null
      and exists (select from election_window v where v.election_id = e.election_id and v.url = '' and v.kind in ('member-vote', 'proxy-vote', 'attendee-vote'))
      and not exists (select from election_window w where w.election_id = e.election_id and w.closes_at > ${now.toISOString()}::timestamptz)`);
  await eachAlone(
    over,
    ({ electionId }) => `election ${electionId}`,
    ({ electionId }) =>
      db.change(ownActivity('ballots.sortBallots', 'Published the ballots of an election in the order of their receipts'), async change => {
        const [election] = await change.rows(
          sql`select 1 from election where election_id = ${electionId} and ballots_sorted_at is null for no key update`,
        );
        if (!election) return;
        const rows = await change.rows<Ballot>(
          sql`select receipt, election_id::int as election_id, generation, votes, choices from ballots.empty_box(${electionId})`,
        );
        const sorted = rows.toSorted((a, b) => (a.receipt < b.receipt ? -1 : 1));
        for (let start = 0; start < sorted.length; start += 1000)
          await change
            .insertInto('ballot')
            .values(sorted.slice(start, start + 1000))
            .execute();
        await change.updateTable('election').set({ ballotsSortedAt: change.now }).where('electionId', '=', electionId).execute();
        await change.note({ ballots: rows.length });
      }),
  );
}

type Ballot = { receipt: string; electionId: number; generation: number; votes: number; choices: number[] };
