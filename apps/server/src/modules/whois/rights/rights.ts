import type { Permission } from '@portal/contract';
import { sql } from 'kysely';
import { frequent, type Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import type { Credentials } from '../store/update.ts';

type Held = {
  fullName: string;
  accountStatus: string;
  contactTypes: string[];
  permissions: Permission[];
  maintainers: string[];
  links: string[];
  principals: string[];
};

const none = (who: string): Credentials => ({ maintainers: new Set(), holder: null, mayWriteDomains: false, registry: false, who });

/**
 * Returns the rights with which a contact writes whois objects of an account, read from the database: the principal maintainer by
 * `whois-principal-mntner-access`, others by `whois-mntner:<NAME>`; a corporate contact uses all of them. None for a former contact, a frozen or
 * disabled login, or a closed account: their pending tasks, consents and delegations aren’t carried out any more.
 */
export async function rightsOf(
  read: Pick<Read, 'rows'>,
  accountName: string,
  contactId: string | null,
): Promise<Credentials & { suspended: boolean }> {
  const [held] =
    contactId === null
      ? []
      : await read.rows<Held>(
          frequent(sql<Held>`select c.full_name, a.account_status, c.contact_types, c.permissions, c.maintainers,
          coalesce(array_agg(l.maintainer) filter (where l.maintainer is not null), '{}') as links,
          coalesce(array_agg(l.maintainer) filter (where l.principal), '{}') as principals
        from contact c join account a using (account_name) left join maintainer_link l using (account_name) left join login p on p.login_id = c.login_id
        where c.contact_id = ${contactId}::uuid and c.account_name = ${accountName} and c.status = 'active' and a.account_status <> 'closed'
          and p.frozen_at is null and p.disabled_at is null group by c.contact_id, a.account_name`),
        );
  if (!held) return { ...none(accountName), suspended: false };
  const has = (permission: Permission): boolean => held.permissions.includes(permission);
  const isCorporate = held.contactTypes.includes('corporate');
  const named = new Set(held.maintainers.map(name => name.toLowerCase()));
  const mayUsePrincipal = has('whois-principal-mntner-access');
  return {
    maintainers: new Set(held.links.filter(link => isCorporate || named.has(link) || (mayUsePrincipal && held.principals.includes(link)))),
    holder: mayUsePrincipal ? accountName : null,
    mayWriteDomains: has('whois-domain-objects-update'),
    registry: false,
    who: `${held.fullName} of ${accountName}`,
    suspended: held.accountStatus === 'suspended',
  };
}

/**
 * Returns the caller's rights, for a call that writes.
 * @throws Failure NO_PERMISSION if there are none, ACCOUNT_SUSPENDED
 */
export async function writingRights(
  read: Pick<Read, 'rows'>,
  { accountName, contactId }: Pick<AdmittedAccount, 'accountName' | 'contactId'>,
): Promise<Credentials> {
  const { suspended, ...credentials } = await rightsOf(read, accountName, contactId);
  if (credentials.maintainers.size === 0 && credentials.holder === null) throw refuse('NO_PERMISSION');
  if (suspended) throw refuse('ACCOUNT_SUSPENDED', { account: accountName });
  return credentials;
}
