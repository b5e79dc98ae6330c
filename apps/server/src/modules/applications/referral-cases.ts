import { rowNumber } from '@portal/contract/row-ids';
import { referralLife } from '@portal/contract/applications/referral-life';
import { SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { theLast } from '../../platform/clock-watch.ts';
import { tooMany } from '../../platform/counted-limit.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CasesOf, Moving } from '../../platform/http/cases.ts';
import { readLink } from '../identity/index.ts';
import { forReferrer, referralById, type ReferralRow, referralsWhere } from './referral-row.ts';

/** Number of guessed tokens before a person has to wait, and for how long. */
const GUESSES = 10;
const GUESS_SECONDS = 900;

/** A referral with the state that is stored, which is not that of its application; `expired` from the instant on which it expires. */
export type StoredReferral = { referral: ReferralRow; state: 'sent' | 'opened' | 'declined' | 'expired' | 'withdrawn' };

async function storedReferral(read: Read, id: number, now: Date): Promise<StoredReferral> {
  const referral = await referralById(read, id);
  const { state } = await read.selectFrom('referral').select('state').where('referralId', '=', id).executeTakeFirstOrThrow();
  return { referral, state: state === 'sent' && Date.parse(referral.expiresAt) <= now.getTime() ? 'expired' : state };
}

/** The referral of a token, or null. */
export async function referralOfLink(read: Read, token: string, now: Date): Promise<StoredReferral | null> {
  const found = await readLink(read, token, 'referral', now);
  if (found.state === 'unknown') return null;
  const linkId = found.state === 'open' ? found.link.linkId : found.linkId;
  const [row] = await read.rows(referralsWhere(sql`r.link_id = ${linkId}`));
  return row ? storedReferral(read, row.id, now) : null;
}

/** Slows down guessing of tokens: refused attempts are counted by their lines in the activity log. @throws Failure TOO_MANY_REQUESTS */
export async function refuseGuesses(read: Read, caller: Caller, now: Date): Promise<void> {
  const { since, until } = theLast(GUESS_SECONDS * SECOND_MS, now);
  const [guessed] = await read.rows<{ count: number }>(sql`select count(*)::int as count from activity
    where login_subject = ${caller.subject} and login_issuer = ${caller.issuer} and refusal = 'REFERRAL_NOT_FOUND' and happened_at between ${since} and ${until}`);
  if (guessed!.count >= GUESSES) throw tooMany(GUESS_SECONDS);
}

const what = { what: 'The referral' };

/** A referral of the account. It can be withdrawn after its time, until that is recorded. */
async function ownReferral({ change, account, params }: Moving): Promise<StoredReferral> {
  const id = rowNumber(params['referralId']!);
  const held =
    id === null
      ? undefined
      : await change
          .selectFrom('referral')
          .select('state')
          .where('referralId', '=', id)
          .where('accountName', '=', account!.accountName)
          .forUpdate()
          .executeTakeFirst();
  if (id === null || !held) throw refuse('NOT_FOUND', what);
  return { referral: await referralById(change, id), state: held.state };
}

/** Referrals, withdrawn by the account that made them, and answered by the holder of the link. */
export const referralCases: CasesOf<StoredReferral> = {
  stateOf: ({ state }) => state,
  lock: async (moving, { name }) => {
    if (name === referralLife.withdraw.name) return ownReferral(moving);
    const { change, caller, params } = moving;
    const token = params['referralToken']!;
    const now = new Date(change.now);
    await refuseGuesses(change, caller, now);
    const seen = await referralOfLink(change, token, now);
    if (!seen) throw refuse('REFERRAL_NOT_FOUND');
    await change.selectFrom('referral').select('referralId').where('referralId', '=', seen.referral.id).forUpdate().execute();
    await change.concerns(seen.referral.accountName);
    return storedReferral(change, seen.referral.id, now);
  },
  refusal: async ({ referral, state }, _moving, { name }) => {
    if (name === referralLife.withdraw.name) return refuseWithCurrent(forReferrer(referral), 'ALREADY_RESOLVED', what);
    return refuse(state === 'withdrawn' ? 'REFERRAL_WITHDRAWN' : state === 'expired' ? 'REFERRAL_EXPIRED' : 'REFERRAL_USED');
  },
};
