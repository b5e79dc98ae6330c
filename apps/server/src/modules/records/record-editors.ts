import type { ResourceRecord } from '@portal/contract/records/records';
import { type NumberResource, printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';

type Editors = ResourceRecord['editors'];

/** Permissions by what can be changed with them. */
const rights = [
  { what: 'Whois', permission: 'whois-principal-mntner-access', addressesOnly: false },
  { what: 'Reverse DNS', permission: 'whois-domain-objects-update', addressesOnly: true },
  { what: 'Routes and ROAs', permission: 'roas-update', addressesOnly: false },
  { what: 'Assignments', permission: 'whois-private-objects-update', addressesOnly: true },
] as const;

/** Names the contacts who can change the account's own numbers, by what they can change, and those who follow exactly these numbers. */
export async function editorsOf(
  read: Read,
  { accountName }: Pick<AdmittedAccount, 'accountName'>,
  resource: NumberResource,
): Promise<Editors> {
  const key = printResource(resource).toLowerCase();
  const rows = await read.rows<{ name: string; permissions: string[]; follows: boolean }>(sql`
    select c.full_name as name, c.permissions, exists (select from whois_follow f where f.contact_id = c.contact_id and f.class is null and f.key = ${key}) as follows
    from contact c where c.account_name = ${accountName} and c.status = 'active' order by c.full_name, c.contact_id`);
  const named: Editors = rights
    .filter(({ addressesOnly }) => !addressesOnly || resource.family !== 'asn')
    .map(({ what, permission }) => ({
      what,
      names: rows.filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name),
    }));
  const followers = rows.filter(({ follows }) => follows).map(({ name }) => name);
  return [...named, ...(followers.length > 0 ? [{ what: 'Followed by', names: followers }] : [])];
}
