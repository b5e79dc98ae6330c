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

/** Names the contacts who can change the account's own numbers, by what they can change, and says whether the viewer follows exactly these numbers. */
export async function editorsOf(
  read: Read,
  { accountName, contactId }: Pick<AdmittedAccount, 'accountName' | 'contactId'>,
  resource: NumberResource,
): Promise<Editors> {
  const key = printResource(resource).toLowerCase();
  const rows = await read.rows<{ name: string; permissions: string[]; isFollower: boolean }>(sql`
    select c.full_name as name, c.permissions, c.contact_id = ${contactId} and exists (select from whois_follow f where f.contact_id = c.contact_id and f.class is null and f.key = ${key}) as is_follower
    from contact c where c.account_name = ${accountName} and c.status = 'active' and (c.helper_until is null or c.helper_until > now()) order by c.full_name, c.contact_id`);
  const named: Editors = rights
    .filter(({ addressesOnly }) => !addressesOnly || resource.family !== 'asn')
    .map(({ what, permission }) => ({
      what,
      names: rows.filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name),
    }));
  return [...named, ...(rows.some(({ isFollower }) => isFollower) ? [{ what: 'Followed by', names: ['You'] }] : [])];
}
