import type { GroupRefusal, GroupRole } from '@portal/contract/roles/roles';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Read } from '../../platform/database/index.ts';

/** The groups that give roles, as the page of staff lists them. */
export const groupRoles = (pairs: Config['staffGroups'], roles: readonly { key: string; name: string }[]): GroupRole[] =>
  pairs.map(({ group, role }) => ({ group, role: roles.find(({ key }) => key === role)?.name ?? role }));

/** Roles that groups don't give, or may not take away, by person. */
export async function groupRefusals(
  read: Pick<Read, 'rows'>,
  roles: readonly { key: string; name: string }[],
): Promise<Map<string, GroupRefusal[]>> {
  const rows = await read.rows<{ loginId: string; groupName: string; givenRole: string; refused: string }>(
    sql`select login_id, group_name, given_role, refused from staff_group where refused is not null order by login_id, group_name, given_role limit 500`,
  );
  const refusals = new Map<string, GroupRefusal[]>();
  for (const { loginId, groupName: group, givenRole, refused: why } of rows) {
    const role = roles.find(({ key }) => key === givenRole)?.name ?? givenRole;
    refusals.set(loginId, [...(refusals.get(loginId) ?? []), { group, role, why }]);
  }
  return refusals;
}
