import { expect, test } from 'vitest';
import { testsIn } from './tests-in.ts';

const modules = 'apps/server/src/modules';

/**
 * The acceptance scenarios of accounts that members and staff can live through today, each by its number and what it is about, and the test that does,
 * through the API, as named people, on both databases.
 */
const scenarios: readonly [scenario: string, file: string, name: string][] = [
  [
    '1 a login without an account',
    `${modules}/accounts/accounts.test.ts`,
    'acceptance scenario 1: Nadia, who has no account, may apply, link and be invited, sees no billing, and votes as an attendee only',
  ],
  [
    '2 linking to an account',
    `${modules}/contacts/members.test.ts`,
    'a person asks, a corporate contact approves as technical contact, the person has the technical default set',
  ],
  [
    '3 an account that is not',
    `${modules}/contacts/members.test.ts`,
    'existing, unknown, closed and own accounts get the same answer, and only the first leaves a request',
  ],
  [
    '4 two corporate contacts at one instant',
    `${modules}/contacts/members.test.ts`,
    'of two corporate contacts who decide concurrently one succeeds, and the other sees the first one’s decision',
  ],
  ['5 the last corporate contact', `${modules}/contacts/members.test.ts`, 'the last one can’t be removed or demoted, or leave'],
  [
    '6 promoting to corporate contact',
    `${modules}/contacts/members.test.ts`,
    'promotion takes the registry’s approval: until then the contact stays unchanged',
  ],
  [
    '7 a change of name',
    `${modules}/organisations/organisations.test.ts`,
    'acceptance scenario 7: Corin cannot rename without a document; with one the request waits, and the old name stays until it is approved',
  ],
  [
    '16 the end of proxy appointment',
    'packages/contract/src/elections/election-windows.test.ts',
    'acceptance scenario 16: proxy appointment that closes 48 hours before the meeting is closed exactly then',
  ],
  [
    '18 an account that does not vote',
    `${modules}/elections/voting.test.ts`,
    'acceptance scenario 18: the account of a non-member is not eligible, whatever permissions its contact has',
  ],
  [
    '20 an attendee for the first time',
    `${modules}/elections/voting.test.ts`,
    'acceptance scenario 20: Tess, who is registered but attended no earlier conference, gets this reason',
  ],
  [
    '7 its invoices',
    `${modules}/billing/renewals/clock.test.ts`,
    'acceptance scenario 7: an invoice bears the old name until the registry has approved the new one',
  ],
  [
    '8 a renewal nobody pays',
    `${modules}/billing/renewals/clock.test.ts`,
    'acceptance scenario 8: an invoice unpaid from D-30 on is paid at D+35, and the term continues for a year from D',
  ],
  [
    '9 more time',
    `${modules}/billing/renewals/clock.test.ts`,
    'acceptance scenarios 9 and 30: with more time until D+75 a suspended account is not closed at D+60 but at D+75, and staff still have its invoice',
  ],
  [
    '10 space given back and 12 GST',
    `${modules}/billing/renewals/clock.test.ts`,
    'acceptance scenarios 10 and 12: a /24 returned on D-1 lowers the fee, one returned on D+1 doesn’t; only Australia adds GST',
  ],
  [
    '11 all fee vectors',
    `${modules}/billing/fees/fees.test.ts`,
    'acceptance scenario 11: in $y a $t with $v4 addresses, $v6 blocks and $asn AS numbers pays $expect',
  ],
  [
    '13 who sees invoices',
    `${modules}/billing/payments/payments.test.ts`,
    'acceptance scenario 13: the billing contact reads invoices and opens them, the technical contact may not',
  ],
  [
    '30 its invoices',
    `${modules}/billing/renewals/clock.test.ts`,
    'acceptance scenarios 9 and 30: with more time until D+75 a suspended account is not closed at D+60 but at D+75, and staff still have its invoice',
  ],
  [
    '22 an overdue invoice',
    `${modules}/elections/voting.test.ts`,
    'prevents Olive from voting although her account has an extension; once it is paid she can',
  ],
  [
    '26 a locked topic',
    `${modules}/notifications/notifications.test.ts`,
    'an optional topic follows the person’s choice, a mandatory one refuses with the reason',
  ],
  [
    '28 an invitation to another address',
    `${modules}/contacts/members.test.ts`,
    'with another address, the person has to confirm that both are theirs',
  ],
  [
    '28 of a corporate contact',
    `${modules}/contacts/members.test.ts`,
    'for a corporate contact, another address is refused, confirmed or not',
  ],
  [
    '30 a closed account',
    `${modules}/accounts/accounts.test.ts`,
    'acceptance scenario 30: a closed account can’t be selected anywhere, and registry staff can still read it',
  ],
];

test.each(scenarios)('scenario %s is lived through in %s: %s', (_scenario, file, name) => expect([...testsIn(file)]).toContain(name));
