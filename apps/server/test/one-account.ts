import type { ContactType } from '@portal/contract';
import { addContact, createAccount } from '../src/modules/accounts/index.ts';
import type { Change } from '../src/platform/database/index.ts';

/** An account with contacts, for registries that have people and nothing else. */
export async function createAccountWith(change: Change, contacts: Partial<Record<ContactType, readonly string[]>>): Promise<void> {
  const accountName = 'FROZEN-AU';
  await createAccount(change, { accountName, accountStatus: 'open', accountType: 'regular', orgName: 'Frozen Networks', economy: 'AU' });
  for (const [type, names] of Object.entries(contacts) as [ContactType, readonly string[]][])
    for (const name of names)
      await addContact(change, {
        accountName,
        loginId: `login-${name}`,
        fullName: name,
        email: `${name}@example-au.example`,
        contactTypes: [type],
      });
}
