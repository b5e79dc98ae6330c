import { HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import type { WindowKind } from '@portal/contract/elections/election-windows';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';

type Policy = Pick<Profile, 'rollObjectionHours' | 'rollObjectionPeriodHours'>;
type Windows = { windows: readonly { kind: WindowKind; opensAt: string }[] };

/** When voting on an election opens; null without a voting window. */
const firstOpening = ({ windows }: Windows): string | null =>
  windows
    .filter(({ kind }) => kind === 'member-vote' || kind === 'proxy-vote')
    .map(({ opensAt }) => opensAt)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;

/** When voting on an election opens, and until when its roll can be objected to. */
export function objectionEnd(
  election: Windows,
  { rollObjectionHours }: Pick<Policy, 'rollObjectionHours'>,
): { opensAt: string | null; closesAt: string | null } {
  const opensAt = firstOpening(election);
  return { opensAt, closesAt: opensAt === null ? null : instantBefore(Date.parse(opensAt), rollObjectionHours * HOUR_MS) };
}

/**
 * Says why accounts have too little time to object to the roll of an election with encrypted ballots: from when it is fixed and published until objections end; null where they have enough.
 * @param fixedAt null before the roll is fixed, when there is nothing to say yet
 */
export function tooLittleToObject(
  election: Windows,
  { fixedAt, publishedAt }: { fixedAt: string | null; publishedAt: string },
  policy: Policy,
): string | null {
  const opensAt = firstOpening(election);
  if (opensAt === null || fixedAt === null) return null;
  const seenFrom = Math.max(Date.parse(fixedAt), Date.parse(publishedAt));
  const earliest = instantAfter(seenFrom, (policy.rollObjectionPeriodHours + policy.rollObjectionHours) * HOUR_MS);
  return Date.parse(opensAt) >= Date.parse(earliest)
    ? null
    : `Accounts have at least ${policy.rollObjectionPeriodHours} hours to object to the roll, until ${policy.rollObjectionHours} hours before voting opens: it can open from ${earliest.slice(0, 16).replace('T', ' ')} UTC on`;
}

/** When the roll of an election was fixed; null before that. */
export async function rollFixedAt(read: Pick<Read, 'rows'>, electionId: string): Promise<string | null> {
  const [row] = await read.rows<{ fixedAt: string | null }>(
    sql`select roll_frozen_at as fixed_at from election where election_id = ${Number(electionId)}`,
  );
  return row?.fixedAt ?? null;
}

/**
 * Lets voting that has opened go on for as long as it was held up: each voting window closes later by the time since it opened. For an election in which no one could vote until now.
 * @returns when voting closes now; null where it had not opened
 */
export async function giveTimeBack(change: Change, electionId: string): Promise<string | null> {
  const moved = await change.rows<{
    closesAt: string;
  }>(sql`update election_window w set closes_at = w.closes_at + (${change.now}::timestamptz - w.opens_at)
    where w.election_id = ${Number(electionId)} and w.kind in ('member-vote', 'proxy-vote') and w.opens_at < ${change.now}::timestamptz returning w.closes_at`);
  if (moved.length === 0) return null;
  await change.rows(sql`update election set version = version + 1 where election_id = ${Number(electionId)}`);
  return new Date(Math.max(...moved.map(({ closesAt }) => Date.parse(closesAt)))).toISOString();
}
