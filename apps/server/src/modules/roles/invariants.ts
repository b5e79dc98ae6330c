import { conflictInWords } from '@portal/contract/staff-permission-words';
import { conflictsIn } from '@portal/contract/staff-roles';
import { sql } from 'kysely';
import { type Invariant, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import type { Read } from '../../platform/database/index.ts';
import { type HeldRow, heldRoles, opensDesk, permissionsIn } from './held-roles.ts';

/** The roles of each person that count at this moment. */
async function rolesByPerson(read: Pick<Read, 'rows'>, now: Date): Promise<HeldRow[][]> {
  const at = now.toISOString();
  const held = await heldRoles(read, sql`l.staff and l.disabled_at is null and a.starts_at <= ${at}::timestamptz`, at);
  const people = new Map<string, HeldRow[]>();
  for (const row of held) people.set(row.loginId, [...(people.get(row.loginId) ?? []), row]);
  return [...people.values()];
}

/** Invariants of staff roles. */
export const rolesInvariants: readonly Invariant[] = [
  {
    name: 'roles.separation',
    sentence: 'No one of the registry’s staff holds two permissions that policy keeps in different hands',
    check: async ({ read, profile, now }) =>
      (await rolesByPerson(read, now))
        .flatMap((held): Violation[] =>
          conflictsIn(permissionsIn(held), profile.staffConflicts).map(conflict => ({
            object: held[0]!.fullName,
            problem: `holds ${conflictInWords(conflict)} by the roles ${held.map(({ name }) => name).join(', ')}`,
            remedy: 'Withdraw one of the roles on the page of staff, or take the pair out of staffConflicts in the registry profile',
          })),
        )
        .slice(0, MAX_VIOLATIONS),
  },
  {
    name: 'roles.administrator',
    sentence: 'Where there is registry staff, someone can administer it',
    check: async ({ read, now }) => {
      const at = now.toISOString();
      const held = await heldRoles(read, sql`l.staff and ${opensDesk} and a.starts_at <= ${at}::timestamptz`, at);
      const [staff] = await read.rows<{ some: boolean }>(
        sql`select exists (select from login where staff and disabled_at is null) as some`,
      );
      return staff!.some && !permissionsIn(held).has('staff')
        ? [
            {
              object: 'Registry staff',
              problem: 'has no one who can sign in and administer it',
              remedy: 'Add an administrator with “registry staff add”',
            },
          ]
        : [];
    },
  },
];
