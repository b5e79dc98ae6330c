import type { Permission } from '@portal/contract';
import type { FindingKey } from '@portal/contract/data-quality/findings';
import type { campaignKinds } from './mail-texts.ts';

/** Who is written to: the people of the rows themselves, contacts of these types (all of them where there is none), or contacts with a permission. */
type Audience = { who: 'themselves' } | { who: 'types'; types: readonly string[] } | { who: 'permission'; permission: Permission };

/** How people are written to about a finding, and the usual text. */
type CampaignFacts = { audience: Audience; topic: keyof typeof campaignKinds; path: string; act: string; subject: string; body: string };

const contactsPage = '/member-account-settings/account-contacts';
const types = (...wanted: string[]): Audience => ({ who: 'types', types: wanted });
const text = (...paragraphs: string[]): string => paragraphs.join('\n\n');
const thanks = 'If you have already done this, thank you: nothing else is needed. Questions? Open a support ticket in the portal.';

export const campaignFacts: Readonly<Record<FindingKey, CampaignFacts>> = {
  'refused-mail': {
    audience: types('corporate'),
    topic: 'contacts.review',
    path: contactsPage,
    act: 'Check your contacts',
    subject: 'E-mail to {count} of {accounts} bounces',
    body: text(
      'Mail servers refuse our e-mail to {count} of {accounts}:',
      '{list}',
      'Change the addresses, or have the mailboxes fixed. Until then these people miss what {registry} sends them.',
      thanks,
    ),
  },
  'password-alone': {
    audience: { who: 'themselves' },
    topic: 'contacts.review',
    path: '/settings',
    act: 'Open your settings',
    subject: 'Protect your login with two-factor authentication',
    body: text(
      'You act for {accounts}, and your login is protected by a password only. A stolen password would be enough to act in your name.',
      'Add a passkey or an authenticator app to your login. It takes about two minutes.',
      thanks,
    ),
  },
  'no-corporate-contact': {
    audience: types(),
    topic: 'contacts.review',
    path: contactsPage,
    act: 'View the contacts',
    subject: 'No corporate contact for {accounts}',
    body: text(
      'No one can act for {organisations} at {registry} or appoint others, because there is no active corporate contact for {accounts}.',
      'Please ask someone who represents the organisation to become its corporate contact. Open a support ticket in the portal, and we will help you.',
    ),
  },
  'abuse-mailboxes': {
    audience: types('corporate', 'technical'),
    topic: 'whois.irt',
    path: '/admin/irt-validation',
    act: 'Validate the mailbox',
    subject: 'Abuse mailbox of {accounts} not validated',
    body: text(
      'Policy requires abuse mailboxes to be validated twice a year. {count} of {accounts} didn’t answer in time:',
      '{list}',
      'Make sure that someone reads the mailbox, have a new code sent, and enter it in the portal.',
      thanks,
    ),
  },
  'invalid-routes': {
    audience: { who: 'permission', permission: 'rescert-view' },
    topic: 'routes.alerts',
    path: '/resources/routes/index?view=alerts',
    act: 'See the announcements',
    subject: 'RPKI-invalid: {count} of {accounts}',
    body: text(
      'Route collectors see {count} of {accounts} that published ROAs make invalid. Many networks drop them:',
      '{list}',
      'Add or change the ROA if the announcement is intended, or mute it if you know of it.',
      thanks,
    ),
  },
  'lame-servers': {
    audience: { who: 'permission', permission: 'whois-domain-objects-view' },
    topic: 'reverseDns.zones',
    path: '/resources/ReverseDNS',
    act: 'View your zones',
    subject: 'Not answering: {count} of {accounts}',
    body: text(
      'These name servers of {accounts} don’t answer for reverse zones that are delegated to them:',
      '{list}',
      'Fix the servers, or change the delegation. Servers that go on not answering are left out of the zone.',
      thanks,
    ),
  },
  'whois-ledger': {
    audience: types('corporate', 'technical'),
    topic: 'organisation.changes',
    path: '/resources/summary',
    act: 'View your resources',
    subject: 'Whois and the registry differ about {accounts}',
    body: text(
      'What whois says about {accounts} differs from what {registry} has registered:',
      '{list}',
      'We correct what we can. If one of your own objects is wrong, please update it.',
      thanks,
    ),
  },
  'stale-records': {
    audience: types('corporate', 'technical'),
    topic: 'contacts.review',
    path: '/resources/summary',
    act: 'View your resources',
    subject: 'Please check the customer records of {accounts}',
    body: text(
      'Records of {accounts} that hold addresses or AS numbers haven’t been changed for years:',
      '{list}',
      'Check whether these customers still use the numbers. Update the records, or end the delegations.',
      thanks,
    ),
  },
  'invoices-without-address': {
    audience: types('corporate', 'billing'),
    topic: 'billing.invoices',
    path: '/member-account-settings/billing',
    act: 'Add a billing address',
    subject: 'Billing address missing for {accounts}',
    body: text(
      'There is no address on {count} of {accounts}, because we know neither a billing address nor a postal address of {organisations}:',
      '{list}',
      'Add a billing address, so that your next invoice is complete.',
      thanks,
    ),
  },
};
