import { sql } from 'kysely';
import { type ActNames, nameById, nameIn } from '../../platform/act-names.ts';
import { allRoles, heldRoles } from './held-roles.ts';

/** Names of people and roles in the question about an act. */
export const rolesNames: ActNames = {
  'registry staff': nameIn('login', { id: 'loginId', name: 'fullName', owner: null, ids: 'word' }),
  role: async ({ read, id, asStaff }) => (asStaff ? ((await allRoles(read)).find(({ key }) => key === id)?.name ?? null) : null),
  'held role': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const [held] = await heldRoles(read, sql`a.staff_assignment_id = ${id}`, new Date(0).toISOString());
    return held && `the role ${held.name} from ${held.fullName}`;
  }),
};
