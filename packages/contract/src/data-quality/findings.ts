/**
 * Facts of what the registry looks for in its data and in the duties of members. `many` and `one` name what is counted. `personal`: its rows are of people, so reading them is
 * written down. `kept`: finding it takes minutes, so it is looked for every hour and kept.
 */
type FindingFacts = { title: string; words: string; one: string; many: string; personal: boolean; kept: boolean; to: string };
const finding = (definition: FindingFacts) => definition;

export const findings = {
  'refused-mail': finding({
    title: 'Contacts whose mail bounces',
    words: 'Their mail server refused our e-mail three times in a row. Only required e-mails are still sent there.',
    one: 'contact',
    many: 'contacts',
    personal: true,
    kept: false,
    to: 'corporate contacts whose own address works',
  }),
  'password-alone': finding({
    title: 'Contacts without a second factor',
    words: 'They sign in with a password and nothing else, so a stolen password is enough to act for the account.',
    one: 'contact',
    many: 'contacts',
    personal: true,
    kept: false,
    to: 'the contacts themselves',
  }),
  'no-corporate-contact': finding({
    title: 'Accounts without a corporate contact',
    words: 'No active contact can act for the account or appoint others.',
    one: 'account',
    many: 'accounts',
    personal: false,
    kept: false,
    to: 'all active contacts of the account',
  }),
  'abuse-mailboxes': finding({
    title: 'Abuse mailboxes not validated',
    words: 'A mailbox of an IRT object didn’t answer its last validation in time.',
    one: 'mailbox',
    many: 'mailboxes',
    personal: false,
    kept: false,
    to: 'corporate and technical contacts',
  }),
  'invalid-routes': finding({
    title: 'RPKI-invalid announcements',
    words: 'Route collectors see an announcement that published ROAs make invalid, and the account hasn’t muted it.',
    one: 'announcement',
    many: 'announcements',
    personal: false,
    kept: false,
    to: 'contacts who see the ROAs of the account',
  }),
  'lame-servers': finding({
    title: 'Lame reverse zones',
    words: 'A name server doesn’t answer for a delegated zone.',
    one: 'name server',
    many: 'name servers',
    personal: false,
    kept: false,
    to: 'contacts who see the zones of the account',
  }),
  'whois-ledger': finding({
    title: 'Whois objects against the ledger',
    words: 'Whois names another holder than the ledger, or has no object for a delegation.',
    one: 'object',
    many: 'objects',
    personal: false,
    kept: true,
    to: 'corporate and technical contacts',
  }),
  'stale-records': finding({
    title: 'Stale customer delegations',
    words: 'Accounts with customers or entities that hold numbers and whose records haven’t been changed for years.',
    one: 'account',
    many: 'accounts',
    personal: false,
    kept: true,
    to: 'corporate and technical contacts',
  }),
  'invoices-without-address': finding({
    title: 'Invoices without a billing address',
    words: 'The invoice is open, was issued without an address, and the organisation still has none.',
    one: 'invoice',
    many: 'invoices',
    personal: false,
    kept: false,
    to: 'corporate and billing contacts',
  }),
} as const satisfies Record<string, FindingFacts>;
export type FindingKey = keyof typeof findings;
export const findingKeys = Object.keys(findings) as [FindingKey, ...FindingKey[]];

/** Findings whose rows are of people, and the others. */
export const personalFindings = ['refused-mail', 'password-alone'] as const satisfies readonly FindingKey[];
export const plainFindings = [
  'no-corporate-contact',
  'abuse-mailboxes',
  'invalid-routes',
  'lame-servers',
  'whois-ledger',
  'stale-records',
  'invoices-without-address',
] as const satisfies readonly FindingKey[];

/** States of the accounts that findings are looked for in: neither closed nor of applicants. */
export const livingStates = ['open', 'suspended', 'new', 'lost', 'n/a'] as const;

/** Columns that a list can be sorted by; `-` turns the order around. */
export const findingSorts = ['since', '-since', 'account', '-account', 'subject', '-subject'] as const;
export type FindingSort = (typeof findingSorts)[number];
