import { sql } from 'kysely';
import { type ActNames, nameById } from '../../platform/act-names.ts';

const registryKinds = {
  add: 'the corporate contact',
  'change-role': 'the change of roles of',
  remove: 'the removal of the corporate contact',
} as const;

export const contactThingNames: ActNames = {
  'access request': nameById(async ({ read, id, account }) => {
    const [row] = await read.rows<{
      name: string | null;
    }>(sql`select coalesce(c.full_name, q.full_name, l.full_name) as name from access_request q
      left join contact c on c.contact_id = q.subject_id left join login l on l.login_id = q.login_id
      where q.access_request_id = ${id} and q.account_name = ${account}`);
    return row?.name;
  }),
  'contact request': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const [row] = await read.rows<{ kind: keyof typeof registryKinds; name: string; account: string }>(sql`
      select r.kind, c.full_name as name, r.account_name as account from registry_request r join contact c using (contact_id)
      where r.registry_request_id = ${id}`);
    return row && `${registryKinds[row.kind]} ${row.name} of ${row.account}`;
  }),
};
