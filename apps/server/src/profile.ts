import fs from 'node:fs';
import { staffPermissionKeys } from '@portal/contract';
import { type Conflict, usualConflicts } from '@portal/contract/staff-roles';
import {
  accountCode,
  amount,
  bicOrNone,
  currency,
  day,
  dayOrNone,
  days,
  daysOrNever,
  economy,
  economyOrNone,
  email,
  handleSuffix,
  hostName,
  ibanOrNone,
  ipv4Length,
  ipv6Length,
  lab,
  line,
  listOf,
  maintainerName,
  months,
  named,
  oneOf,
  own,
  paragraph,
  accentOrNone,
  logoOrNone,
  changedName,
  phoneOrNone,
  prefix,
  type ProfileValue,
  record,
  resource,
  reverseZone,
  secureAddressOrNone,
  share,
  sourceName,
  statisticsName,
  timeZone,
  usual,
  votingTiers,
  webAddress,
  whole,
  yesNo,
  addressScheme,
  electronicAddressOrNone,
  lineOrNone,
  vatNumberOrNone,
} from './profile-value.ts';

/** Numbers of the policy for requests and transfers; each registry sets its own. Lengths are prefix lengths, shorter is larger. */
export const requestPolicyValues = {
  ipv4Smallest: named(ipv4Length, 24, 'The smallest block that is delegated, transferred or listed'),
  ipv4Limit: named(ipv4Length, 23, 'All an account may have from the last pool, as one prefix'),
  nirIpv4Limit: named(ipv4Length, 23, 'The most IPv4 that a national registry delegates to one organisation, as one prefix'),
  multihomingNow: named(whole(0, 100), 25, 'Multihoming: percent of the block that is used immediately'),
  multihomingYear: named(whole(0, 100), 50, 'Multihoming: percent of the block that is used within a year'),
  multihomingMonths: named(months(1), 6, 'Months within which a planned connection to several networks has to be there'),
  lirNow: named(whole(0, 16_777_216), 256, 'Addresses that an LIR uses or needs now'),
  lirYear: named(whole(0, 16_777_216), 512, 'Addresses that an LIR plans for within a year'),
  ixpUsual: named(ipv4Length, 26, 'Exchange points: the usual block'),
  ixpLargest: named(ipv4Length, 22, 'Exchange points: the largest block'),
  ixpParticipants: named(whole(1, 100), 3, 'Exchange points: participants there are at least'),
  temporaryLargest: named(ipv4Length, 21, 'Events: the largest block of IPv4'),
  temporaryIpv6Largest: named(ipv6Length, 29, 'Events: the largest block of IPv6'),
  temporaryMonths: named(months(1), 6, 'Events: the longest time'),
  ipv6Provider: named(ipv6Length, 32, 'IPv6 for a provider'),
  ipv6EndSite: named(ipv6Length, 48, 'IPv6 for an end site'),
  ipv6Explained: named(ipv6Length, 29, 'IPv6 for a provider on an explanation'),
  ipv6Assignments: named(whole(0, 1_000_000), 200, 'Assignments that a provider plans within two years'),
  ipv6AnnounceYears: named(whole(1, 20), 2, 'Years within which IPv6 is announced'),
  ipv6Largest: named(ipv6Length, 20, 'The largest block of IPv6 of one request'),
  temporaryAheadMonths: named(months(1), 12, 'Months ahead for which an event can be announced'),
  temporaryPoolIpv4: named(ipv4Length, 21, 'What all events together have of IPv4 at a time'),
  temporaryPoolIpv6: named(ipv6Length, 29, 'What all events together have of IPv6 at a time'),
  temporaryPoolAsns: named(whole(0, 10_000), 8, 'AS numbers that all events together have at a time'),
  lastPoolCountsSold: named(
    yesNo,
    true,
    'Space that an account received from the last pool counts against its share for ever, unless it was returned; otherwise only what it holds counts',
  ),
  abuseMailboxValidated: named(
    yesNo,
    false,
    'Numbers go only to accounts whose mailboxes for abuse reports were validated, once they have some. Otherwise one that didn’t answer for long stands against it',
  ),
  acknowledgeDays: named(days(1), 30, 'Days a recipient has to acknowledge a transfer'),
  preApprovalMonths: named(months(1), 24, 'Months a pre-approval counts'),
  transferFeeShare: named(share, '0.20', 'Share of the annual fee that a transfer costs; zero: none'),
  acquisitionFee: named(amount, '0.00', 'Fee of a merger or acquisition; zero: none'),
  transferFeeDays: named(days(1), 30, 'Days to pay the fee of a transfer, merger or acquisition'),
  quarantineDays: named(days(), 183, 'Days that returned space rests'),
  recoveryDays: named(
    record({ unpaid: days(), breach: days(), fraud: days(), unreachable: days(), mistake: days() }),
    { unpaid: 30, breach: 30, fraud: 7, unreachable: 60, mistake: 7 },
    'Days of notice before the registry takes numbers back, by ground',
  ),
  holdDays: named(days(1), 30, 'Days for which a transfer hands over what it holds'),
  draftDays: named(days(1), 30, 'Days that the draft of a request is kept'),
  answerDays: named(days(1), 30, 'Days to answer a question of the registry'),
  promiseHours: named(whole(1, 1000), 16, 'Working hours within which the registry answers'),
  ipv4WaitingList: named(
    yesNo,
    false,
    'Requests for IPv4 that are approved while nothing is free wait in line; otherwise they can’t be approved',
  ),
} as const satisfies Record<string, ProfileValue<unknown>>;

/** Days of the billing calendar, before and after the last day of a membership term, on which its resources are counted. */
export const billingCalendarValues = {
  advanceDays: named(
    days(1),
    90,
    'Days before the end of a term from which a member gets quotes for the next one, and its invoice if it asks',
  ),
  reminderDays: named(days(), 30, 'Days before the end of a term on which the member is reminded of the renewal'),
  invoiceDays: named(days(), 1, 'Days after the end of a term on which the invoice of the next one is issued'),
  dueDays: named(days(1), 30, 'Days to pay: a renewal from the end of the term, everything else from the day of the invoice'),
  suspensionDays: named(days(1), 30, 'Days after the end of a term on which an account that has not paid is suspended'),
  secondReminderDays: named(days(1), 45, 'Days after the end of a term on which it is reminded again'),
  closingWarningDays: named(days(1), 50, 'Days after the end of a term on which it is warned that it closes'),
  closingDays: named(days(1), 60, 'Days after the end of a term on which it is closed'),
} as const satisfies Record<string, ProfileValue<unknown>>;

const moneyAlone = record({ account: amount, person: amount, everyone: amount });
const daysAlone = whole(0, 1_000_000);
const countAlone = record({ person: daysAlone, everyone: daysAlone });

/** Limits of what one member of staff does alone in so many days; a second one approves more (S25). See `staffLimits` of the contract for what each counts. */
export const limitsAloneValues = {
  days: named(days(1), 30, 'Days that count together, of money and of suspensions and closures'),
  timeDays: named(days(1), 365, 'Days that count together, of more time and of holidays'),
  received: named(
    moneyAlone,
    { account: '10000.00', person: '500000.00', everyone: '2000000.00' },
    'Money recorded as received: for one account, by one person, and by all people together',
  ),
  given: named(
    moneyAlone,
    { account: '10000.00', person: '25000.00', everyone: '60000.00' },
    'Money credited, written off, waived or paid back: for one account, by one person, and by all people together',
  ),
  time: named(
    record({ account: daysAlone, person: daysAlone, everyone: daysAlone }),
    { account: 60, person: 600, everyone: 2000 },
    'Days of more time to pay: for one account, by one person, and by all people together',
  ),
  endings: named(
    countAlone,
    { person: 50, everyone: 100 },
    'Suspensions and closures let through: by one person, and by all people together',
  ),
  holidays: named(countAlone, { person: 20, everyone: 40 }, 'Holidays added: by one person, and by all people together'),
} as const satisfies Record<string, ProfileValue<unknown>>;

/** Categories of tax on what isn’t taxed (UNCL5305): outside the scope, exempt, export, zero rate and reverse charge. */
const taxCategory = oneOf('O', 'E', 'G', 'Z', 'AE');

const keptMonths = (least: number) => whole(least, 240, ' of months');

/** Months for which personal data is kept; each kind is declared beside its table (`keeps` of the modules). Books, votes and decisions stay, and are not here. */
export const retentionValues = {
  mails: usual(keptMonths(6), 24, 'E-mails that the registry sent, but for `notices`'),
  notices: usual(
    keptMonths(24),
    84,
    'E-mails that may have to be proved: about fees, votes, documents, requests, applications and the safety of an account',
  ),
  notifications: usual(keptMonths(3), 24, 'Notifications in the portal'),
  linkAttempts: usual(keptMonths(3), 24, 'Attempts to link a login to an account, with their internet addresses'),
  documentOpenings: usual(keptMonths(24), 84, 'Who opened which document'),
  staffVisits: usual(keptMonths(24), 84, 'Visits of registry staff to the pages of a member'),
  accessRequests: usual(keptMonths(24), 84, 'Requests for access and changes of contacts, after their decision'),
  riskMarks: usual(keptMonths(1), 24, 'Risk marks that registry staff set on an account, after their last day'),
  referrals: usual(keptMonths(6), 24, 'Referrals that no application followed'),
  applications: usual(keptMonths(12), 24, 'Applications for membership that were rejected, withdrawn or never sent'),
  tickets: usual(keptMonths(12), 84, 'Tickets with their messages, after they were resolved'),
} as const satisfies Record<string, ProfileValue<unknown>>;

/** Brand and policy of a registry, in one file, so that another registry is a file and not a fork. */
export const profileValues = {
  registryName: own(line, 'Example Registry', 'Name of the registry'),
  product: named(line, 'Registry', 'The portal is My and this, such as MyRegistry. Addresses of some pages contain it'),
  portalName: usual(lineOrNone, '', 'Name of the portal, where it is another one than My and `product`; or empty'),
  source: own(sourceName, 'EXAMPLE', 'Source of the whois database'),
  statisticsRegistry: own(statisticsName, 'example', 'Registry field of statistics files'),
  nicHandleSuffix: own(handleSuffix, '-EX', 'End of the handles of contacts'),
  hostmasterMaintainer: own(maintainerName, 'EXAMPLE-HM', 'Maintainer of the registry’s own objects'),
  erasureWaitDays: usual(
    whole(1, 30, ' of days'),
    7,
    'Days that a request to erase a person waits: they can take it back, and nothing is erased before',
  ),
  reservedMaintainers: usual(
    listOf(line),
    ['AFRINIC-', 'APNIC-', 'ARIN-', 'IANA-', 'LACNIC-', 'RIPE-'],
    'Beginnings of maintainers’ names that members can’t take, besides `hostmasterMaintainer` and the source: those of other registries',
  ),
  hostmasterEmail: own(email, 'hostmaster@registry.example', 'E-mail address of the registry’s own contact in whois'),
  timeZone: named(timeZone, 'Australia/Brisbane', 'Official time zone of the registry: its days begin there'),
  currency: named(currency, 'AUD', 'Currency of fees and invoices'),
  invoiceName: own(line, 'Example Registry Limited', 'Legal name on invoices'),
  invoiceTaxNumber: own(line, 'ABN 00 000 000 000', 'Tax number on invoices'),
  invoiceAddress: own(
    listOf(line, { min: 1, most: 10 }),
    ['1 Registry Place', 'South Brisbane QLD 4101', 'Australia'],
    'Address on invoices, line by line',
  ),
  billingEmail: own(email, 'billing@registry.example', 'E-mail address for questions about invoices'),
  supportEmail: own(email, 'helpdesk@registry.example', 'E-mail address that members write to for help'),
  supportPhone: usual(phoneOrNone, '', 'Telephone number that members call for help; empty: none is shown'),
  securityEmail: own(
    email,
    'security@registry.example',
    'E-mail address for reports of security problems, in /.well-known/security.txt (RFC 9116)',
  ),
  securityPolicyUrl: usual(secureAddressOrNone, '', 'Address of the policy for such reports; empty: none'),
  lostFactorProcedure: named(
    paragraph,
    'The registry decides how it checks who you are, and tells you in its answer. After that it removes your second factor, and you add a new one at your next sign-in.',
    'Procedure for a person who lost every second factor, as the sign-in pages print it',
  ),
  paymentInstructions: own(
    listOf(line, { min: 1, most: 10 }),
    ['By bank transfer to Example Registry Limited', 'Example Bank, BSB 000-000, account 00000000', 'SWIFT EXAMAU2SXXX'],
    'Payment instructions, line by line; the invoice number follows them',
  ),
  iban: usual(ibanOrNone, '', 'IBAN of the registry’s bank account, for the QR code on invoices in euro; empty where there is none'),
  bic: usual(bicOrNone, '', 'BIC of its bank, which banks outside the European Economic Area need beside the IBAN; or empty'),
  eInvoices: usual(
    listOf(record({ economy, scheme: addressScheme }), { most: 300 }),
    [],
    'Economies whose payers get invoices and credit notes also as e-invoices (UBL by Peppol BIS Billing 3): the scheme in which their registration number is an electronic address, once each; none: no e-invoices',
  ),
  eInvoiceSeller: usual(
    record({
      electronicAddress: electronicAddressOrNone,
      economy: economyOrNone,
      city: lineOrNone,
      postcode: lineOrNone,
      vatNumber: vatNumberOrNone,
      registrationNumber: lineOrNone,
      untaxedCategory: taxCategory,
      untaxedReason: lineOrNone,
    }),
    {
      electronicAddress: '',
      economy: '',
      city: '',
      postcode: '',
      vatNumber: '',
      registrationNumber: '',
      untaxedCategory: 'O',
      untaxedReason: 'Outside the scope of the tax',
    },
    'The registry as e-invoices name it: its electronic address, economy, VAT number and registration number (which may begin with its scheme, `0106:40538547`), and the category of tax (UNCL5305) and its reason on what isn’t taxed',
  ),
  eInvoiceUntaxed: usual(
    listOf(
      record({ economy: economyOrNone, customers: oneOf('all', 'members', 'non-members'), category: taxCategory, reason: lineOrNone }),
      { most: 600 },
    ),
    [],
    'Category of tax (UNCL5305) on what isn’t taxed, with its reason, for payers of an economy (empty: of every one) and for members or non-members: O outside the scope, E exempt, G export, Z zero rate, AE reverse charge. The first that fits counts; for others `eInvoiceSeller` says it',
  ),
  accountCodes: usual(
    record({
      receivable: accountCode,
      credit: accountCode,
      bank: accountCode,
      card: accountCode,
      deferred: accountCode,
      membershipFees: accountCode,
      transferFees: accountCode,
      otherFees: accountCode,
      tax: accountCode,
      badDebt: accountCode,
      xeroTaxRate: accountCode,
    }),
    {
      receivable: '1200',
      credit: '2300',
      bank: '1010',
      card: '1020',
      deferred: '2400',
      membershipFees: '4000',
      transferFees: '4100',
      otherFees: '4200',
      tax: '2200',
      badDebt: '6900',
      xeroTaxRate: 'BAS Excluded',
    },
    'Codes of the accounts in the accounting program that the books are exported to; `xeroTaxRate`: the name of the rate of no tax there, as tax is an account of its own',
  ),
  holderChangesAlone: named(
    yesNo,
    false,
    'One member of staff may approve transfers, mergers and returns alone: a registry with one hostmaster. Otherwise a second one confirms them (S25)',
  ),
  staffConflicts: named(
    listOf(record({ one: oneOf(...staffPermissionKeys), other: oneOf(...staffPermissionKeys) })),
    [...usualConflicts] as Conflict[],
    'Pairs of staff permissions that no one person holds; empty at a registry of one person',
  ),
  staffConflictDays: usual(
    days(),
    30,
    'Days after a role ended in which its holder isn’t given one that policy keeps apart from it (`staffConflicts`)',
  ),
  staffSecondPersonDays: usual(
    days(),
    14,
    'Days in which a role doesn’t make its holder a second person for who gave it, and for others to which that person gave one; zero while a registry is set up',
  ),
  reactivationFee: named(
    amount,
    '1000.00',
    'Fee before tax for which a closed account opens again, besides everything it owes; zero: none',
  ),
  reactivationMonths: named(months(), 3, 'Months after closing in which a reactivation can be started'),
  reactivationDays: named(days(1), 30, 'Days to pay a reactivation'),
  lockReleaseHours: usual(
    whole(0, 1000),
    72,
    'Hours from the request to release a lock of resources until it ends, if a second person has confirmed it',
  ),
  billingOutageDays: usual(
    days(1),
    3,
    'After so many days without a run of the clock of memberships, suspensions and closures wait until staff have read the plan',
  ),
  waitingTransferDays: usual(
    days(1),
    30,
    'Days after its import for which a bank transfer that isn’t matched keeps an account open whose invoice it may pay; the desk shows what has to be matched before then',
  ),
  mostEndingsPerDay: usual(whole(1, 100_000), 50, 'More suspensions and closures than this on one day wait for staff too'),
  rpkiSuspensionDays: named(
    daysOrNever,
    0 as number | null,
    'Days from the suspension of an account until its certificate, ROAs and provider authorisations are withdrawn; 0 withdraws them immediately, null leaves them until the account is closed',
  ),
  taxName: named(line, 'GST', 'Name of the tax on everything that is billed to one economy'),
  taxEconomy: named(economyOrNone, 'AU', 'Economy that pays the tax; empty: none'),
  taxRate: named(share, '0.10', 'Rate of the tax'),
  feeGrowth: named(
    share,
    '0.0475',
    'Yearly growth of the base fee that estimates expect in the year after the last announced fees; zero: as the last announced',
  ),
  leastDevelopedEconomies: named(
    listOf(record({ economy, from: day, until: dayOrNone }), { most: 300 }),
    // biome-ignore format: one economy a line
    [
      { economy: 'AF', from: '1971-11-18', until: null },
      { economy: 'BD', from: '1975-12-12', until: '2026-11-24' },
      { economy: 'BT', from: '1971-11-18', until: '2023-12-13' },
      { economy: 'KH', from: '1991-12-16', until: null },
      { economy: 'KI', from: '1986-12-05', until: null },
      { economy: 'LA', from: '1971-11-18', until: '2026-11-24' },
      { economy: 'MM', from: '1987-12-11', until: null },
      { economy: 'MV', from: '1971-11-18', until: '2011-01-01' },
      { economy: 'NP', from: '1971-11-18', until: '2026-11-24' },
      { economy: 'SB', from: '1991-12-16', until: '2027-12-13' },
      { economy: 'TL', from: '2003-12-23', until: null },
      { economy: 'TV', from: '1986-12-05', until: null },
      { economy: 'VU', from: '1985-12-09', until: '2020-12-04' },
      { economy: 'WS', from: '1971-11-18', until: '2014-01-01' },
    ],
    'Economies that pay the reduced share of the fee when a term begins: the UN’s list of least developed countries, from a day and until the first one it is no longer on the list',
  ),
  votingTiers: named(
    votingTiers,
    [
      { name: 'Associate', ipv4: 'none', ipv6: 'none', votes: 1 },
      { name: 'Very small', ipv4: '/22', ipv6: '/35', votes: 2 },
      { name: 'Small', ipv4: '/19', ipv6: '/32', votes: 4 },
      { name: 'Medium', ipv4: '/16', ipv6: '/29', votes: 8 },
      { name: 'Large', ipv4: '/13', ipv6: '/26', votes: 16 },
      { name: 'Very large', ipv4: '/10', ipv6: '/23', votes: 32 },
      { name: 'Extra large', ipv4: 'any', ipv6: 'any', votes: 64 },
    ],
    'Tiers of votes in elections by holdings, the smallest first: the most that each holds of a family, and the larger family counts',
  ),
  nirVotes: named(
    whole(0, 100_000),
    64,
    'Votes of a national registry in elections by holdings: for its members, who have none of their own',
  ),
  rollObjectionHours: named(
    whole(24, 8760),
    24,
    'Hours before voting opens at which objections to the electoral roll of an election with encrypted ballots end',
  ),
  rollObjectionPeriodHours: named(
    whole(1, 8760),
    72,
    'Hours for which accounts can object to the electoral roll of an election with encrypted ballots at least, once it is fixed and the election published',
  ),
  heldUpVotingExtended: named(
    yesNo,
    false,
    'Voting on encrypted ballots that an open objection to the roll held up closes later by as long, automatically; otherwise it closes as announced, and more time takes two people',
  ),
  votersListedDays: named(
    whole(0, 3650),
    14,
    'Days after the close for which accounts that voted in an election with encrypted ballots are listed on its public page, as the bylaws have it; 0: never',
  ),
  lastSlash8: own(prefix, '203.0.113.0/24', 'The last pool of IPv4'),
  holdYears: named(whole(0, 100), 5, 'Years for which what was delegated from the last pool may not be transferred'),
  labNumbers: lab(
    listOf(resource),
    [
      '100.64.0.0/10',
      '192.0.2.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '2001:db8::/32',
      '3fff::/20',
      'AS64496 - AS64511',
      'AS65536 - AS65551',
    ],
    'Special-purpose numbers that this registry delegates all the same, because it is a demonstration or a laboratory. None where a file does not name them',
  ),
  transferLogRegistry: named(
    line,
    'APNIC',
    'The regional registry under whose name the transfer log is published, as the NRO’s format spells it',
  ),
  serviceRegion: named(
    listOf(economy, { min: 1, most: 300 }),
    // biome-ignore format: a list of codes
    [
      'AF', 'AS', 'AU', 'BD', 'BN', 'BT', 'CC', 'CK', 'CN', 'CX', 'FJ', 'FM', 'GU', 'HK', 'ID', 'IN', 'IO', 'JP', 'KH', 'KI', 'KP', 'KR', 'LA', 'LK',
      'MH', 'MM', 'MN', 'MO', 'MP', 'MV', 'MY', 'NC', 'NF', 'NP', 'NR', 'NU', 'NZ', 'PF', 'PG', 'PH', 'PK', 'PN', 'PW', 'SB', 'SG', 'TF', 'TH', 'TK',
      'TL', 'TO', 'TV', 'TW', 'VN', 'VU', 'WF', 'WS',
    ],
    'Economies whose organisations may become members',
  ),
  nationalRegistries: named(
    listOf(record({ economy, name: line, url: webAddress })),
    [
      { economy: 'CN', name: 'CNNIC', url: 'https://www.cnnic.cn' },
      { economy: 'ID', name: 'IDNIC', url: 'https://idnic.id' },
      { economy: 'IN', name: 'IRINN', url: 'https://www.irinn.in' },
      { economy: 'JP', name: 'JPNIC', url: 'https://www.nic.ad.jp' },
      { economy: 'KR', name: 'KRNIC', url: 'https://krnic.kisa.or.kr' },
      { economy: 'TW', name: 'TWNIC', url: 'https://www.twnic.tw' },
      { economy: 'VN', name: 'VNNIC', url: 'https://vnnic.vn' },
    ],
    'Economies with a registry of their own, to which applicants are pointed first',
  ),
  agreementVersion: named(line, '2026-07', 'Version of the agreement that a new member accepts; a new text gets a new version'),
  agreementUrl: own(webAddress, 'https://www.registry.example/membership-agreement', 'Address of the agreement'),
  applicationReview: usual(line, 'two to five working days', 'Within what time an application for membership is reviewed, in words'),
  whoisHost: own(hostName, 'whois.registry.example', 'Host that answers port 43; RDAP names it'),
  whoisTermsUrl: own(webAddress, 'https://registry.example/whois/terms', 'Terms of whois and RDAP'),
  privacyUrl: usual(secureAddressOrNone, '', 'Address of the privacy policy, for footers; empty: the page /privacy'),
  legalUrl: usual(secureAddressOrNone, '', 'Address of the legal notice, for footers; empty: none'),
  helpUrl: usual(secureAddressOrNone, '', 'Address of help for members; empty: the page /help'),
  logoLight: usual(logoOrNone, '', 'Logo of the light theme, by the name that the page Brand gave it; empty: the mark of the design'),
  logoDark: usual(logoOrNone, '', 'Logo of the dark theme; empty: that of the light theme'),
  accentLight: usual(accentOrNone('light'), '', 'Accent colour of the light theme; empty: that of the design'),
  accentDark: usual(accentOrNone('dark'), '', 'Accent colour of the dark theme; empty: that of the design'),
  whoisInaccuracyUrl: own(webAddress, 'https://registry.example/whois/inaccuracy', 'Where people say that data is wrong'),
  redactContactEmail: usual(
    yesNo,
    true,
    'RDAP leaves out e-mail addresses of contacts inside other objects, those for abuse excepted (RFC 9537)',
  ),
  routeConsent: named(
    oneOf('approve', 'notify', 'off'),
    'approve' as 'approve' | 'notify' | 'off',
    'A new route object from another holder’s AS number waits until its holder approves it (`approve`), is written and its holder is notified (`notify`), or is written without a word (`off`). The holder of the addresses always has to agree',
  ),
  irrRpkiFilter: usual(
    yesNo,
    true,
    'Answers of the IRRd protocol leave out routes that ROAs of this registry contradict, as IRRd does, unless a client asks for them',
  ),
  dumpPersonalData: usual(
    oneOf('omit', 'dummy', 'show'),
    'omit' as 'omit' | 'dummy' | 'show',
    'Persons in dumps and mirrors: left out (`omit`), replaced (`dummy`), or shown (`show`)',
  ),
  personalLookupsPerDay: usual(
    whole(1, 1_000_000),
    1000,
    'The most persons that one address may look up in a UTC day. Port 43, RDAP and the pages of whois are one count, which each process keeps in memory: with three processes an address may see up to three times as many, and a restart resets the count',
  ),
  reverseZones: own(
    listOf(reverseZone, { most: 1000 }),
    ['18.198.in-addr.arpa', '19.198.in-addr.arpa'],
    'Reverse zones that the registry makes; delegations below none of them belong to the zone of their /8, or their /12 of IPv6',
  ),
  reverseServers: own(
    listOf(hostName, { min: 1, most: 13 }),
    ['ns1.registry.example', 'ns2.registry.example'],
    'Name servers of these zones, the primary first',
  ),
  reverseContact: own(email, 'hostmaster@registry.example', 'Address of the contact of these zones'),
  dnsLab: usual(yesNo, false, 'Name servers may have private and reserved addresses: a lab, and never a registry of the internet'),
  lameDetectDays: usual(days(1), 15, 'Days that a name server doesn’t answer for a zone until its contacts are notified'),
  lameNotifyDays: usual(days(1), 45, 'Days after that until the server is left out of the parent zone, if `lameDisables`'),
  lameRemindDays: usual(days(1), 30, 'Days between reminders while it is'),
  lameDisables: usual(yesNo, true, 'Name servers that don’t answer are left out of the parent zone'),
  followCds: usual(yesNo, true, 'DS records of a zone follow its signed CDS and CDNSKEY records (RFC 7344, RFC 8078)'),
  lookingGlass: usual(
    listOf(record({ router: line, name: line, location: line, socket: line })),
    [],
    'Routers of the looking glass: BIRD, by the path of its control socket',
  ),
  fixed: usual(
    listOf(changedName, { most: 100 }),
    [],
    'Values that this file alone decides. Without it staff change the values of the desk’s pages Policy and Brand there; a value begins with what this file says',
  ),
} as const satisfies Record<string, ProfileValue<unknown>>;

/** Groups of values: an object of the file each. */
export const profileGroups = {
  billingCalendar: billingCalendarValues,
  limitsAlone: limitsAloneValues,
  requestPolicy: requestPolicyValues,
  retention: retentionValues,
} as const;
type Group = keyof typeof profileGroups;
const groupNames = Object.keys(profileGroups) as Group[];

type ValuesOf<Rows> = { -readonly [K in keyof Rows]: Rows[K] extends ProfileValue<infer T> ? T : never };
export type RequestPolicy = ValuesOf<typeof requestPolicyValues>;
export type BillingCalendar = ValuesOf<typeof billingCalendarValues>;
export type LimitsAlone = ValuesOf<typeof limitsAloneValues>;
export type Retention = ValuesOf<typeof retentionValues>;
export type Profile = ValuesOf<typeof profileValues> & {
  billingCalendar: BillingCalendar;
  limitsAlone: LimitsAlone;
  requestPolicy: RequestPolicy;
  retention: Retention;
};

const examplesOf = (rows: Record<string, ProfileValue<unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(rows).map(([key, { example }]) => [key, example]));

/** The values of the example registry. */
const exampleRegistry = {
  ...examplesOf(profileValues),
  ...Object.fromEntries(groupNames.map(group => [group, examplesOf(profileGroups[group])])),
} as Profile;

/** Pairs of values of which the first may not be above the second. Lengths are prefix lengths, shorter is larger. */
const inOrder = {
  billingCalendar: [
    ['invoiceDays', 'dueDays'],
    ['dueDays', 'suspensionDays'],
    ['suspensionDays', 'secondReminderDays'],
    ['secondReminderDays', 'closingWarningDays'],
    ['closingWarningDays', 'closingDays'],
  ],
  limitsAlone: [],
  retention: [],
  requestPolicy: [
    ['ipv4Limit', 'ipv4Smallest'],
    ['nirIpv4Limit', 'ipv4Smallest'],
    ['multihomingNow', 'multihomingYear'],
    ['lirNow', 'lirYear'],
    ['ixpLargest', 'ixpUsual'],
    ['ipv6Largest', 'ipv6Explained'],
    ['ipv6Explained', 'ipv6Provider'],
    ['ipv6Provider', 'ipv6EndSite'],
  ],
} as const satisfies { [G in Group]: readonly (readonly [keyof Profile[G], keyof Profile[G]])[] };

/** Returns pairs of values of which the first is above the second, though it may not be: their names and what they are. */
export const orderProblems = (profile: Profile): { less: [name: string, value: number]; more: [name: string, value: number] }[] =>
  groupNames.flatMap(group => {
    const values = profile[group] as Record<string, unknown>;
    return inOrder[group].flatMap(([less, more]) =>
      Number(values[less]) > Number(values[more])
        ? [
            {
              less: [`${group}.${less}`, Number(values[less])] as [string, number],
              more: [`${group}.${more}`, Number(values[more])] as [string, number],
            },
          ]
        : [],
    );
  });

/** Returns what e-invoices lack, where some economy has them (EN 16931 and Peppol: BR-08, BR-CO-26, BR-E-02, BR-O-10, PEPPOL-EN16931-R020). */
function eInvoiceProblems({ eInvoices, eInvoiceSeller: seller, eInvoiceUntaxed, taxEconomy }: Profile): string[] {
  if (eInvoices.length === 0) return [];
  const { untaxedCategory, untaxedReason } = seller;
  const lack = (key: keyof typeof seller, why: string): string[] =>
    seller[key] === '' ? [`"eInvoiceSeller.${key}" is missing: ${why}`] : [];
  const rows = eInvoiceUntaxed.map(
    ({ economy: of, customers }) => `${of || 'every economy'} and ${customers === 'all' ? 'all customers' : customers}`,
  );
  const twiceRow = rows.find((row, place) => rows.indexOf(row) !== place);
  const economies = eInvoices.map(({ economy: of }) => of);
  const twice = economies.find((of, place) => economies.indexOf(of) !== place);
  return [
    ...(twice === undefined ? [] : [`"eInvoices" has ${twice} twice`]),
    ...(twiceRow === undefined ? [] : [`"eInvoiceUntaxed" has ${twiceRow} twice`]),
    ...eInvoiceUntaxed.flatMap(({ category, reason }, place) => [
      ...(category === 'Z' && reason !== '' ? [`"eInvoiceUntaxed[${place}].reason" must be empty: the category Z has none`] : []),
      ...(category !== 'Z' && reason === '' ? [`"eInvoiceUntaxed[${place}].reason" is missing: the category ${category} asks for it`] : []),
      ...(category === 'O' ? [] : lack('vatNumber', `the category ${category} asks for it`)),
    ]),
    ...lack('electronicAddress', 'every e-invoice has its seller’s'),
    ...lack('economy', 'every e-invoice has its seller’s'),
    ...lack('registrationNumber', 'every e-invoice has its seller’s'),
    ...(untaxedCategory === 'O' ? [] : lack('vatNumber', `the category ${untaxedCategory} asks for it`)),
    ...(eInvoices.some(({ economy: of }) => of === taxEconomy) ? lack('vatNumber', `invoices to ${taxEconomy} are taxed`) : []),
    ...(untaxedCategory === 'Z' || untaxedReason !== '' ? [] : lack('untaxedReason', `the category ${untaxedCategory} asks for it`)),
    ...(untaxedCategory === 'Z' && untaxedReason !== '' ? ['"eInvoiceSeller.untaxedReason" must be empty: the category Z has none'] : []),
  ];
}

/** Returns the problems of a file under some rows, in sentences. @param at the place of the rows: `requestPolicy.` */
function problemsOf(given: Record<string, unknown>, rows: Record<string, ProfileValue<unknown>>, at: string): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
    if (row) return row.read(value) === undefined ? [`"${at}${key}" must be ${row.kind}`] : [];
    return at === '' && Object.hasOwn(profileGroups, key) ? [] : [`"${at}${key}" is unknown; known are ${Object.keys(rows).join(', ')}`];
  });
}

/** Values as their rows read them, such as an IBAN without its spaces; what is wrong or unknown stays, and is refused. */
const asRead = (given: Record<string, unknown>, rows: Record<string, ProfileValue<unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, (Object.hasOwn(rows, key) ? rows[key]!.read(value) : undefined) ?? value]),
  );

const isSame = (given: unknown, example: unknown): boolean => JSON.stringify(given) === JSON.stringify(example);

/** True of the example, and of a list that has kept one of its lines: the bank below another name. One word, such as a country, may be that of others. */
function hasLineOf(given: unknown, example: unknown): boolean {
  if (isSame(given, example) || !Array.isArray(given) || !Array.isArray(example)) return isSame(given, example);
  return given.some(line => example.some(each => isSame(line, each) && /\s/.test(String(line))));
}

/** Returns what a registry in production lacks: made-up values of the example, and values that members read. */
function lackingIn(given: Record<string, unknown>, rows: Record<string, ProfileValue<unknown>>, at: string): string[] {
  return Object.entries(rows).flatMap(([key, { origin, example }]) => {
    if (origin === 'usual') return [];
    if (!Object.hasOwn(given, key))
      return origin === 'lab' ? [] : [`"${at}${key}" is missing: members read it, so it is named in production`];
    const isExample = origin === 'own' ? hasLineOf(given[key], example) : isSame(given[key], example);
    return origin !== 'named' && isExample ? [`"${at}${key}" is still the example registry’s`] : [];
  });
}

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null && !Array.isArray(given);

/**
 * The profile of a file. What a file leaves out has the example registry's value; in production only what members don't read may be left out.
 * @param isDemo the registry is a demonstration, with the numbers of the example registry
 * @param isProduction the registry serves members: nothing that they read may be made up
 * @throws Error naming the file, each entry that is wrong, and what would be right
 */
export function readProfile(file: string, { isDemo = false, isProduction = false } = {}): Profile {
  if (file === '') {
    if (isProduction)
      throw new Error(
        'REGISTRY_PROFILE must name a file in production: without one, members would pay to the example registry’s bank account. `registry profile` prints one to start from.',
      );
    return exampleRegistry;
  }
  let given: unknown;
  try {
    given = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`The registry profile ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!isObject(given)) throw new Error(`The registry profile ${file} must be one JSON object.`);
  const groups = groupNames.map(group => {
    const values = given[group] ?? {};
    if (!isObject(values)) throw new Error(`The registry profile ${file}: "${group}" must be an object.`);
    return { group, values, rows: profileGroups[group], at: `${group}.` };
  });
  const profile = {
    ...exampleRegistry,
    ...(!isDemo && { labNumbers: [] }),
    ...asRead(given, profileValues),
    ...Object.fromEntries(groups.map(({ group, values, rows }) => [group, { ...exampleRegistry[group], ...asRead(values, rows) }])),
  } as Profile;
  const parts = [{ values: given, rows: profileValues, at: '' }, ...groups];
  const wrong = parts.flatMap(({ values, rows, at }) => problemsOf(values, rows, at));
  const unordered = orderProblems(profile).map(({ less, more }) => `"${less[0]}" (${less[1]}) may not be above "${more[0]}" (${more[1]})`);
  const lacking = isProduction ? parts.flatMap(({ values, rows, at }) => lackingIn(values, rows, at)) : [];
  const problems = wrong.length > 0 ? wrong : [...unordered, ...eInvoiceProblems(profile), ...lacking];
  if (problems.length > 0) throw new Error(problems.map(problem => `The registry profile ${file}: ${problem}.`).join('\n'));
  return profile;
}
