import type { ResourceRecord } from '@portal/contract/records/records';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/caller.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getRecord } from './resource-record.ts';

/** No account is named so: whatever is shown to holders, contacts or staff alone is not shown to it. */
const stranger: AdmittedAccount = {
  accountName: '',
  accountStatus: 'active',
  accountType: 'REGULAR',
  nir: false,
  contactId: null,
  contactTypes: [],
  permissions: new Set(),
  asStaff: false,
};

/**
 * Returns what anyone may know of a prefix, range or AS number: what whois, the statistics files and the RPKI publish, and what route collectors see.
 * Contacts are left out: port 43 counts how many of them an address asks for.
 */
export async function publicRecord(read: Read, resource: string, registry: ModuleContext): Promise<Omit<ResourceRecord, 'contacts'>> {
  const { contacts: _contacts, ...known } = await getRecord({
    read,
    account: stranger,
    caller: { loginId: '', amr: [] },
    query: { resource },
    registry,
  });
  return known;
}
