import { type Flag, messages, type Permission, shownErrors, type StaffPermission } from '@portal/contract';
import {
  type AdmissionRefusal,
  admissionRefusal,
  type CallerFacts,
  neededStaffPermissions,
  type Subject,
} from '@portal/contract/admission';
import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';

/** Which rule refuses, in the member's words, and the permission that would help, if one would: a member's, or one of several of registry staff. */
export type RefusedBy = {
  rule:
    | 'sign-in'
    | 'staff'
    | 'no-account'
    | 'staff-reads-only'
    | 'corporate'
    | 'account-kind'
    | 'feature'
    | 'permission'
    | 'staff-permission'
    | 'second-factor'
    | 'cool-down';
  sentence: string;
  permission: Permission | null;
  staffPermissions?: readonly StaffPermission[];
};

type Who = {
  person: Pick<Person, 'staff' | 'staffPermissions' | 'mfa' | 'hasSecondFactor' | 'privilegesNeedFactor'>;
  account: Account | null;
} | null;

const noAccount = { rule: 'no-account', sentence: 'This needs a member account, and you aren’t linked to one yet' } as const;
const noSecondFactor = { rule: 'second-factor', sentence: messages.mfaNotEnabled } as const;
const words: Record<AdmissionRefusal, Omit<RefusedBy, 'permission'>> = {
  NOT_SIGNED_IN: { rule: 'sign-in', sentence: shownErrors.NOT_SIGNED_IN.message },
  NOT_FOUND: { rule: 'staff', sentence: messages.noPermission },
  ACCOUNT_NOT_FOUND: noAccount,
  VISIT_NEEDED: noAccount,
  NO_STAFF_PERMISSION: { rule: 'staff-permission', sentence: 'Your roles don’t have the permission for this' },
  VISIT_READS_ONLY: { rule: 'staff-reads-only', sentence: 'You’re viewing this account as registry staff, read-only' },
  CORPORATE_ONLY: { rule: 'corporate', sentence: shownErrors.CORPORATE_ONLY.message },
  CORPORATE_OR_TECHNICAL_ONLY: { rule: 'corporate', sentence: shownErrors.CORPORATE_OR_TECHNICAL_ONLY.message },
  WRONG_ACCOUNT_KIND: { rule: 'account-kind', sentence: 'This kind of account doesn’t have this' },
  NO_PERMISSION: { rule: 'permission', sentence: messages.noPermission },
  SECOND_FACTOR_DEMANDED: noSecondFactor,
  MFA_REQUIRED: noSecondFactor,
  MFA_TOO_OLD: noSecondFactor,
  COOLING_DOWN: { rule: 'cool-down', sentence: 'Your login can’t make changes yet after its recovery' },
};

/**
 * Why the person may not call an endpoint or open a page; null if they may. It runs the server's own admission with what the browser knows. A second
 * factor that is enrolled but was not used is no refusal: the call asks for it.
 */
export function refusedBy(subject: Subject & { flag?: Flag }, who: Who): RefusedBy | null {
  const { access, flag } = subject;
  const code = admissionRefusal(subject, factsOf(who));
  if (code === null) return flag && who?.account && !who.account.features.includes(flag) ? switchedOff(who.account) : null;
  if (code === 'ACCOUNT_NOT_FOUND' && who?.account)
    return { rule: 'staff-reads-only', sentence: 'Only contacts of the account can do this', permission: null };
  const permission = code === 'NO_PERMISSION' && access.who === 'member' ? (access.permissions[0] ?? null) : null;
  return { ...words[code], permission, ...(code === 'NO_STAFF_PERMISSION' && { staffPermissions: neededStaffPermissions(subject) }) };
}

const switchedOff = ({ accountName }: Account): RefusedBy => ({
  rule: 'feature',
  sentence: `The registry hasn’t switched this on for ${accountName}`,
  permission: null,
});

function factsOf(who: Who): CallerFacts {
  if (!who) return { caller: null, account: null, privilegesNeedFactor: false };
  const { staff, staffPermissions: held, mfa, hasSecondFactor, privilegesNeedFactor } = who.person;
  return {
    caller: { staff, staffPermissions: new Set(held), factor: hasSecondFactor || mfa ? 'fresh' : 'none', coolingDown: false },
    account: who.account && accountFacts(who.account),
    privilegesNeedFactor,
  };
}

const accountFacts = ({ asStaff, contactTypes, permissions, nir, accountType }: Account): CallerFacts['account'] =>
  asStaff
    ? { as: 'visitor' }
    : { as: 'contact', contactTypes, permissions: new Set(permissions), demandsSecondFactor: false, nir, accountType };
