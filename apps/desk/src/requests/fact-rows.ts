import type { StaffApplicationDetail } from '@portal/contract/applications/applications';
import type { RegistryRequest } from '@portal/contract/contacts/registry-requests';
import type { StaffOrganisationChange } from '@portal/contract/organisations/changes';
import type { StaffAccountClosure } from '@portal/contract/organisations/closures';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { formatCount } from '@portal/ui';
import { whyNotApprove } from './contact-request-words.ts';

const openAccount = (status: string): RequestCheck => ({
  checkId: 'open',
  fact: 'Account is open',
  known: `The account is ${status}`,
  source: 'Accounts',
  state: status === 'open' ? 'met' : status === 'closed' ? 'unmet' : 'review',
  policy: 'Nothing changes in a closed account',
});

/** Facts that a change of a corporate contact depends on. */
export function factsOfContact(request: RegistryRequest): RequestCheck[] {
  const { accountStatus, otherCorporateContacts, contact } = request;
  const why = whyNotApprove(request);
  return [
    // People may lose access to a closed account, and nothing else changes in one.
    ...(accountStatus === 'closed' && request.kind === 'remove' ? [] : [openAccount(accountStatus)]),
    {
      checkId: 'others',
      fact: 'Other corporate contacts',
      known: why ?? `${formatCount(otherCorporateContacts)} with a login`,
      source: 'Contacts',
      state: why !== null ? 'unmet' : otherCorporateContacts === 0 ? 'review' : 'met',
      policy: 'An account keeps a corporate contact with a login',
    },
    {
      checkId: 'reach',
      fact: 'Person can be called back',
      known: contact.phone || 'No telephone number is recorded',
      source: 'Contacts',
      state: contact.phone === '' ? 'review' : 'met',
      policy: 'Who speaks for a member is confirmed with the member',
    },
  ];
}

/** Facts that a change of an organisation depends on. */
export function factsOfChange({
  accountStatus,
  valueNow,
  presentValue,
  papers,
  question,
  answer,
}: StaffOrganisationChange): RequestCheck[] {
  const isSame = valueNow === presentValue;
  return [
    openAccount(accountStatus),
    {
      checkId: 'same',
      fact: 'Registered value',
      known: isSame ? 'As it was when this was requested' : 'It changed after this was requested',
      source: 'Organisation',
      state: isSame ? 'met' : 'review',
      policy: 'The request replaces the value that the member saw',
    },
    {
      checkId: 'documents',
      fact: 'Documents',
      known: papers.length === 0 ? 'None came with it' : `${formatCount(papers.length)} came with it`,
      source: 'Documents',
      state: 'review',
      policy: 'The new value is shown by a register or a document',
    },
    ...(question === null
      ? []
      : [
          {
            checkId: 'answer',
            fact: 'Question answered',
            known: answer ? 'The member answered' : 'The member hasn’t answered yet',
            source: 'Conversation',
            state: answer ? 'met' : 'open',
            policy: 'The member answers before a decision',
          } satisfies RequestCheck,
        ]),
  ];
}

/** Facts that the closure of an account depends on. */
export function factsOfClosure({ accountStatus, delegations, resources, papers }: StaffAccountClosure): RequestCheck[] {
  return [
    openAccount(accountStatus),
    {
      checkId: 'delegations',
      fact: 'Number resources',
      known:
        delegations === 0 ? 'None are left' : `${formatCount(delegations)} ${delegations === 1 ? 'delegation is' : 'delegations are'} left`,
      source: 'Ledger',
      state: delegations === 0 ? 'met' : 'review',
      policy: resources === 'transfer' ? 'They are transferred before the account closes' : 'They are reclaimed before the account closes',
    },
    {
      checkId: 'documents',
      fact: 'Documents',
      known: papers.length === 0 ? 'None came with it' : `${formatCount(papers.length)} came with it`,
      source: 'Documents',
      state: papers.length === 0 ? 'review' : 'met',
      policy: 'Someone who may close the account asked for it',
    },
  ];
}

/** Facts that a membership application depends on. */
export function factsOfApplication({ alike, form, papers }: StaffApplicationDetail): RequestCheck[] {
  return [
    {
      checkId: 'alike',
      fact: 'Not registered yet',
      known: alike.length === 0 ? 'No similar member or application' : `Similar: ${alike.map(({ name }) => name).join(', ')}`,
      source: 'Accounts and applications',
      state: alike.length === 0 ? 'met' : 'review',
      policy: 'An organisation has one account',
    },
    {
      checkId: 'number',
      fact: 'Registration number',
      known: form.registrationNumber || 'Not given',
      source: 'Application',
      state: form.registrationNumber === '' ? 'unmet' : 'review',
      policy: 'The organisation exists in the register of its economy',
    },
    {
      checkId: 'documents',
      fact: 'Documents',
      known: papers.length === 0 ? 'None came with it' : `${formatCount(papers.length)} came with it`,
      source: 'Documents',
      state: papers.length === 0 ? 'unmet' : 'review',
      policy: 'The organisation is shown by a document',
    },
    {
      checkId: 'abuse',
      fact: 'Abuse contact',
      known: form.abuseEmail || 'Not given',
      source: 'Application',
      state: form.abuseEmail === '' ? 'unmet' : 'met',
      policy: 'Each member has a mailbox for abuse reports',
    },
  ];
}
