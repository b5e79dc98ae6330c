import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** Something that happened to a login: a sign-in, a failed attempt, a change. */
export type HistoryLine = {
  activityId: number;
  at: string;
  /** Such as `identity.signIn`. */
  action: string;
  /** In words. */
  what: string;
  address: string | null;
  userAgent: string | null;
  amr: string[] | null;
};

type Whose = { issuer: string; loginId: string };

/**
 * The system's own activities are left out because they mean nothing to a person; so are settings (`identity.people.savePreferences`): they don't
 * concern sign-in.
 */
const history = ({ issuer, loginId }: Whose, { before, most }: { before: number | null; most: number | null }): RawBuilder<HistoryLine> =>
  sql`select activity_id, happened_at as at, action, summary as what, host(activity.address) as address, activity.amr,
    coalesce(details ->> 'userAgent', session.user_agent) as user_agent
  from activity left join session using (sid)
  where login_subject = ${loginId} and login_issuer = ${issuer} and action like 'identity.%' and action not like 'identity.%.%' and action <> 'identity.rehash'
    and (${before}::bigint is null or activity_id < ${before}::bigint)
  order by activity_id desc limit ${most}`;

/** A page of the history, newest first. `before`: only older lines than this one. `older`: whether there are more. */
export async function listHistory(
  read: Read,
  whose: Whose,
  { before, most }: { before: number | null; most: number },
): Promise<{ lines: HistoryLine[]; older: boolean }> {
  const found = await read.rows(history(whose, { before, most: most + 1 }));
  return { lines: found.slice(0, most), older: found.length > most };
}

/** The whole history, newest first, in batches. */
export const streamHistory = (read: Read, whose: Whose): AsyncGenerator<HistoryLine[]> =>
  read.stream(history(whose, { before: null, most: null }));
