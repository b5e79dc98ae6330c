import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';

/** The role in the selected account and the kind of sign-in, short: `Corporate · 2FA`. */
export function roleWords(person: Pick<Person, 'staff' | 'mfa'>, account: Pick<Account, 'contactTypes' | 'asStaff'> | null): string {
  const types = account && !account.asStaff ? account.contactTypes.join(', ') : '';
  const role = person.staff && (!types || account?.asStaff) ? 'Registry staff' : types.charAt(0).toUpperCase() + types.slice(1);
  return [role, person.mfa ? '2FA' : 'No 2FA'].filter(Boolean).join(' · ');
}
