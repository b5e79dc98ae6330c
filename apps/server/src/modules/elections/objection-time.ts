import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import type { WindowKind } from '@portal/contract/elections/election-windows';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';

/** How long before the last moment a roll is fixed automatically: the work is done each minute, and a server that is down for a night must not move the vote. */
const AHEAD_MS = DAY_MS;

export type ObjectionPolicy = Pick<Profile, 'rollObjectionHours' | 'rollObjectionPeriodHours'>;
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
  { rollObjectionHours }: Pick<ObjectionPolicy, 'rollObjectionHours'>,
): { opensAt: string | null; closesAt: string | null } {
  const opensAt = firstOpening(election);
  return { opensAt, closesAt: opensAt === null ? null : instantBefore(Date.parse(opensAt), rollObjectionHours * HOUR_MS) };
}

/** How long before voting opens, in ms, the roll of an election with encrypted ballots is fixed automatically if no one has fixed it: one that is fixed as voting opens can't be objected to, and no ballot set up for it. */
export const fixedAheadMs = ({ rollObjectionHours, rollObjectionPeriodHours }: ObjectionPolicy): number =>
  (rollObjectionHours + rollObjectionPeriodHours) * HOUR_MS + AHEAD_MS;

/** When the roll of a published election with encrypted ballots is fixed automatically; null without a voting window. */
export function rollDueAt(election: Windows, policy: ObjectionPolicy): string | null {
  const opensAt = firstOpening(election);
  return opensAt === null ? null : instantBefore(Date.parse(opensAt), fixedAheadMs(policy));
}

/**
 * Says why accounts have too little time to object to the roll of an election with encrypted ballots: from when it is fixed and published until objections end; null where they have enough.
 * @param fixedAt null where it is fixed as the election is published, or later: the time is short in any case
 */
export function tooLittleToObject(
  election: Windows,
  { fixedAt, publishedAt }: { fixedAt: string | null; publishedAt: string },
  policy: ObjectionPolicy,
): string | null {
  const opensAt = firstOpening(election);
  if (opensAt === null) return null;
  const seenFrom = Math.max(Date.parse(fixedAt ?? publishedAt), Date.parse(publishedAt));
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
