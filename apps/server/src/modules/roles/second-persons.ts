import type { StaffPermission } from '@portal/contract';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { Read } from '../../platform/database/index.ts';
import { type HeldRow, rolesEver } from './held-roles.ts';

/** Why one person is not yet a second person for another: who stands behind both, and from when (ISO 8601) it counts no more. */
export type TooNew = { givenBy: string; from: string };

/** Behind roles of groups stands the person who looks after the groups at the other provider, the same for all of them. */
const groups = { id: 'groups of the provider', name: 'The identity provider' };

const givesOneOf = ({ permissions }: HeldRow, needed: readonly StaffPermission[]): boolean =>
  permissions.some(each => needed.includes(each));
const countsAt = ({ startsAt, until }: HeldRow, at: string): boolean => startsAt <= at && (until === null || until > at);
const seasonedAt = ({ givenAt }: HeldRow, days: number): string => instantAfter(new Date(givenAt), days * DAY_MS);

/**
 * The people behind a role at an instant, by login and name: its holder; and for so many days after it was given, who gave it, with the people behind the role by which they
 * could give it then; for a role of a group of another provider the provider. So a person who invents colleagues stands behind all of them, and behind those that these invite.
 */
function behind(role: HeldRow, at: string, all: readonly HeldRow[], days: number): Map<string, string> {
  const people = new Map([[role.loginId, role.fullName]]);
  const { giverId, givenBy, givenAt } = role;
  if (seasonedAt(role, days) <= at) return people;
  if (role.group !== null) people.set(groups.id, groups.name);
  if (giverId === null) return people;
  people.set(giverId, givenBy!);
  // Given earlier: roles of one instant don't stand behind each other.
  const administered = all.filter(
    each => each.loginId === giverId && each.givenAt < givenAt && givesOneOf(each, ['staff']) && countsAt(each, givenAt),
  );
  const options = administered.map(each => behind(each, givenAt, all, days));
  // One role that stands alone is enough.
  if (!options.some(({ size }) => size === 1)) for (const option of options) for (const [id, name] of option) people.set(id, name);
  return people;
}

const common = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string | null => {
  for (const [id, name] of one) if (other.has(id)) return name;
  return null;
};

/** Rules who is a second person for whom, as roles stand at this moment. */
export type SecondPersons = {
  /** Why a person can't approve what another proposes, by the permissions of which each of both needs one; null if they can, or one of them holds none. */
  tooNew: (proposer: string, approver: string, needed: Record<'first' | 'second', readonly StaffPermission[]>) => TooNew | null;
  /** Why a person can't give another a role: that one stands behind the role by which they would. Null if they can. */
  givesBack: (giver: string, to: string) => TooNew | null;
};

const earliest = (found: readonly TooNew[]): TooNew | null =>
  found.reduce<TooNew | null>((first, each) => (first === null || each.from < first.from ? each : first), null);

/**
 * Reads who is a second person for whom: two people who hold the permission by roles that no third person, and neither of them, stands behind.
 * @param days for which a role ties its holder to who gave it (`staffSecondPersonDays` of the registry profile)
 */
export async function secondPersons(read: Pick<Read, 'rows'>, { now, days }: { now: string; days: number }): Promise<SecondPersons> {
  if (days === 0) return { tooNew: () => null, givesBack: () => null };
  const all = await rolesEver(read);
  const of = (loginId: string, needed: readonly StaffPermission[]): HeldRow[] =>
    all.filter(each => each.loginId === loginId && givesOneOf(each, needed) && countsAt(each, now));
  return {
    tooNew(proposer, approver, needed) {
      const found: TooNew[] = [];
      for (const one of of(proposer, needed.first))
        for (const other of of(approver, needed.second)) {
          const at = (instant: string) => common(behind(one, instant, all, days), behind(other, instant, all, days));
          const givenBy = at(now);
          if (givenBy === null) return null;
          const ends = [seasonedAt(one, days), seasonedAt(other, days)].filter(end => end > now).toSorted();
          const from = ends.find(end => at(end) === null);
          if (from !== undefined) found.push({ givenBy, from });
        }
      return earliest(found);
    },
    givesBack(giver, to) {
      const found = of(giver, ['staff']).map(role => ({ role, givenBy: behind(role, now, all, days).get(to) }));
      if (found.some(({ givenBy }) => givenBy === undefined)) return null;
      return earliest(found.map(({ role, givenBy }) => ({ givenBy: givenBy!, from: seasonedAt(role, days) })));
    },
  };
}
