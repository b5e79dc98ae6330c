import { type Access, countsOnlyWithSecondFactor, requestErrors, messages, type Method, type Permission } from '@portal/contract';
import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';

/** Which rule refuses, in the member's words, and the permission that would help, if one would. */
export type RefusedBy = {
  rule: 'sign-in' | 'staff' | 'no-account' | 'staff-reads-only' | 'corporate' | 'permission' | 'second-factor';
  sentence: string;
  permission: Permission | null;
};

type Who = { person: Pick<Person, 'staff' | 'mfa' | 'hasSecondFactor'>; account: Account | null } | null;

/**
 * Why the person may not call an endpoint or open a page; null when nothing speaks against it. The same rules in the same order as
 * the server's admission, which has the last word. A second factor that is enrolled but was not used is no refusal: the call asks
 * for it.
 */
export function refusedBy({ access, method = 'GET' }: { access: Access; method?: Method }, who: Who): RefusedBy | null {
  const by = (rule: RefusedBy['rule'], sentence: string, permission: Permission | null = null): RefusedBy => ({
    rule,
    sentence,
    permission,
  });
  if (access.who === 'anyone') return null;
  if (!who) return by('sign-in', requestErrors.NOT_SIGNED_IN.message);
  const { person, account } = who;
  const secondFactor = person.hasSecondFactor || person.mfa ? null : by('second-factor', messages.mfaNotEnabled);
  if (access.who === 'signed-in') return null;
  if (access.who === 'staff') return person.staff ? secondFactor : by('staff', messages.noPermission);
  if (!account) return by('no-account', 'This belongs to a member account, and you are no contact of one yet');
  if (account.asStaff) {
    if (method !== 'GET') return by('staff-reads-only', 'You look at this account as registry staff, which is reading only');
    if (access.who === 'contact' || (access.who === 'member' && access.staff)) return secondFactor;
    return by('staff-reads-only', 'This is for contacts of the account, not for registry staff');
  }
  if (access.who === 'corporate' && !account.contactTypes.includes('corporate'))
    return by('corporate', requestErrors.CORPORATE_ONLY.message);
  const held = access.who === 'member' ? access.permissions.filter(permission => account.permissions.includes(permission)) : [];
  if (access.who === 'member' && held.length === 0) return by('permission', messages.noPermission, access.permissions[0] ?? null);
  return ('mfa' in access && access.mfa) || countsOnlyWithSecondFactor(held) ? secondFactor : null;
}
