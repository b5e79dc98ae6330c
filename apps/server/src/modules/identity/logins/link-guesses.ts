import { SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { tooMany } from '../../../platform/counted-limit.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { theLast } from '../../../platform/clock-watch.ts';

/** Number of guessed tokens before a person has to wait, and for how long. */
const GUESSES = 10;
const GUESS_SECONDS = 900;

/** Slows down guessing of the tokens of invitations: refused attempts are counted by their lines in the activity log. @throws Failure TOO_MANY_REQUESTS */
export async function refuseLinkGuesses(read: Pick<Read, 'rows'>, caller: Pick<Caller, 'subject' | 'issuer'>, now: Date): Promise<void> {
  const { since, until } = theLast(GUESS_SECONDS * SECOND_MS, now);
  const [guessed] = await read.rows<{ count: number }>(sql`select count(*)::int as count from activity
    where login_subject = ${caller.subject} and login_issuer = ${caller.issuer} and refusal = 'INVITATION_NOT_FOUND' and happened_at between ${since} and ${until}`);
  if (guessed!.count >= GUESSES) throw tooMany(GUESS_SECONDS);
}
