import fs from 'node:fs';
import { parseResource } from '@portal/number-resources';

/** Numbers of the policy for requests and transfers; each registry sets its own. Lengths are prefix lengths, shorter is larger. */
export type RequestPolicy = {
  /** The smallest block that is delegated, transferred or listed. */
  ipv4Smallest: number;
  /** All an account may have from the last pool, as one prefix. */
  ipv4Limit: number;
  /** Multihoming: the share in percent that is used immediately, and within a year. */
  multihomingNow: number;
  multihomingYear: number;
  /** Months within which a network that is to be multihomed is. */
  multihomingMonths: number;
  /** Addresses an LIR uses or needs now, and plans for within a year. */
  lirNow: number;
  lirYear: number;
  /** The most IPv4 that a national registry delegates to one organisation, as one prefix. */
  nirIpv4Limit: number;
  /** Exchange points: the usual and the largest block, and how many participants there are. */
  ixpUsual: number;
  ixpLargest: number;
  ixpParticipants: number;
  /** Events: the largest block of IPv4 and of IPv6, and the longest time in months. */
  temporaryLargest: number;
  temporaryIpv6Largest: number;
  temporaryMonths: number;
  /** IPv6 for providers and for end sites; up to the third on an explanation. */
  ipv6Provider: number;
  ipv6EndSite: number;
  ipv6Explained: number;
  /** Assignments planned within two years, and the years within which it is announced. */
  ipv6Assignments: number;
  ipv6AnnounceYears: number;
  /** The largest block of IPv6 of one request. */
  ipv6Largest: number;
  /** Months ahead for which an event can be announced, and what all events together have at a time: a block of IPv4, one of IPv6, AS numbers. */
  temporaryAheadMonths: number;
  temporaryPoolIpv4: number;
  temporaryPoolIpv6: number;
  temporaryPoolAsns: number;
  /** AS numbers without a fee. The rules decide alone up to these; a hostmaster looks at the need for more. */
  freeAsns: number;
  /** Space that an account received from the last pool counts against its share for ever, unless it was returned; otherwise only what it holds counts. */
  lastPoolCountsSold: boolean;
  /** Numbers go only to accounts whose mailboxes for abuse reports were validated, once they have some. Otherwise one that didn’t answer for long stands against it. */
  abuseMailboxValidated: boolean;
  /** Days a recipient has to acknowledge; months a pre-approval counts; share of the annual fee that a transfer costs. */
  acknowledgeDays: number;
  preApprovalMonths: number;
  transferFeeShare: string;
  /** The fee of a merger or acquisition, and days to pay it or the transfer fee. A share or fee of zero is waived. */
  acquisitionFee: string;
  transferFeeDays: number;
  /** Days returned space rests; days of a draft; days to answer a question; working hours within which the registry answers. */
  quarantineDays: number;
  /** Days of notice before the registry takes numbers back, by ground. */
  recoveryDays: { unpaid: number; breach: number; fraud: number; unreachable: number; mistake: number };
  /** Days for which a transfer hands over what it holds. */
  holdDays: number;
  draftDays: number;
  answerDays: number;
  promiseHours: number;
  /** Requests for IPv4 that are approved while nothing is free wait in line; otherwise they can’t be approved. */
  ipv4WaitingList: boolean;
};

/**
 * The registry profile: brand and policy values in one file, so that another registry is a file, not a fork.
 */
export type Profile = {
  registryName: string;
  /** `Registry`: the portal is `My{product}`. */
  product: string;
  /** Whois source and registry field of the statistics file, in the registry's spelling. */
  source: string;
  statisticsRegistry: string;
  nicHandleSuffix: string;
  hostmasterMaintainer: string;
  /** Beginnings of maintainers’ names that members can’t take, besides `hostmasterMaintainer` and the source: those of other registries. */
  reservedMaintainers: string[];
  /** E-mail address of the registry's own contact in whois. */
  hostmasterEmail: string;
  /** IANA name of the registry's official time zone. */
  timeZone: string;
  currency: string;
  /** As printed on invoices: legal name, tax number, address. */
  invoiceName: string;
  invoiceTaxNumber: string;
  invoiceAddress: string[];
  billingEmail: string;
  /** E-mail address members write to for help. */
  supportEmail: string;
  /** Procedure for a person who lost every second factor, as the sign-in pages print it. */
  lostFactorProcedure: string;
  /** Payment instructions, one line each; the invoice number follows them. */
  paymentInstructions: string[];
  /** The most that one member of staff may record for an invoice alone, in its currency, such as `10000.00`; a second one approves more (S25). */
  paymentsAlone: string;
  /** One member of staff may approve transfers, mergers and returns alone: a registry with one hostmaster. Otherwise a second one confirms them (S25). */
  holderChangesAlone: boolean;
  /** A closed account opens again for this fee before tax, such as `1000.00`, and everything it owes. A fee of zero is waived. */
  reactivationFee: string;
  /** Months after closing in which a reactivation can be started, and days to pay it. */
  reactivationMonths: number;
  reactivationDays: number;
  /** Hours from the request to release a lock of resources until it ends, if a second person has confirmed it. */
  lockReleaseHours: number;
  /** After so many days without a run of the clock of memberships, suspensions and closures wait until staff have read the plan. */
  billingOutageDays: number;
  /** More suspensions and closures than this on one day wait for staff too. */
  mostEndingsPerDay: number;
  /**
   * Days from the suspension of an account until its certificate, ROAs and provider authorisations are withdrawn; 0 withdraws them immediately, null leaves them
   * until the account is closed.
   */
  rpkiSuspensionDays: number | null;
  /** A tax on everything that is billed to one economy: its name, the economy, and the rate such as `0.10`. An empty economy: none. */
  taxName: string;
  taxEconomy: string;
  taxRate: string;
  /** The last pool of IPv4: what is delegated from it may not be transferred for `holdYears`. */
  lastSlash8: string;
  holdYears: number;
  /**
   * Special-purpose numbers that this registry delegates all the same, because it is a demonstration or a laboratory: documentation, benchmarking and
   * private space. None where a profile file does not name them.
   */
  labNumbers: string[];
  requestPolicy: RequestPolicy;
  /** The regional registry under whose name the transfer log is published, as the NRO’s format spells it. */
  transferLogRegistry: string;
  /** ISO 3166 alpha-2 codes of the economies whose organisations may become members. */
  serviceRegion: string[];
  /** Economies with a registry of their own, to which applicants are pointed first. */
  nationalRegistries: { economy: string; name: string; url: string }[];
  /** Version of the agreement a new member accepts; a new text gets a new version. */
  agreementVersion: string;
  agreementUrl: string;
  /** Host that answers port 43; RDAP names it. */
  whoisHost: string;
  /** Terms of the whois and RDAP services, and where people say that data is wrong. */
  whoisTermsUrl: string;
  whoisInaccuracyUrl: string;
  /** RDAP leaves out e-mail addresses of contacts inside other objects, those for abuse excepted (RFC 9537). */
  redactContactEmail: boolean;
  /**
   * A new route object from another holder's AS number: waits until its holder `approve`s it, is written and its holder is notified (`notify`), or is
   * written without a word (`off`). The holder of the addresses always has to agree.
   */
  routeConsent: string;
  /** Answers of the IRRd protocol leave out routes that ROAs of this registry contradict, as IRRd does, unless a client asks for them. */
  irrRpkiFilter: boolean;
  /** Persons in dumps and mirrors: `omit` them, put a `dummy` in their place, or `show` them. */
  dumpPersonalData: string;
  /**
   * Maximum number of persons one address may look up in a UTC day. Each process counts in memory, port 43 and
   * RDAP separately: with three processes an address may see up to three times as many on one of them, and a restart resets the count.
   */
  personalLookupsPerDay: number;
  /** Reverse zones that the registry makes; delegations below none of them belong to the zone of their /8, or their /12 of IPv6. */
  reverseZones: string[];
  /** Name servers of these zones, the primary first, and the address of their contact. */
  reverseServers: string[];
  reverseContact: string;
  /** Name servers may have private and reserved addresses: a lab, and never a registry of the internet. */
  dnsLab: boolean;
  /**
   * Name servers that don't answer for a zone: days until its contacts are notified, days after that until the server is left out of the parent zone (if
   * `lameDisables`), and days between reminders while it is.
   */
  lameDetectDays: number;
  lameNotifyDays: number;
  lameRemindDays: number;
  lameDisables: boolean;
  /** DS records of a zone follow its signed CDS and CDNSKEY records (RFC 7344, RFC 8078). */
  followCds: boolean;
  /** Routers of the looking glass: BIRD, by the path of its control socket. */
  lookingGlass: { router: string; name: string; location: string; socket: string }[];
};

/** Values of `routeConsent`. */
const routeConsents = ['approve', 'notify', 'off'] as const;

const exampleRegistry: Profile = {
  registryName: 'Example Registry',
  product: 'Registry',
  source: 'EXAMPLE',
  statisticsRegistry: 'example',
  nicHandleSuffix: '-EX',
  hostmasterMaintainer: 'EXAMPLE-HM',
  reservedMaintainers: ['AFRINIC-', 'APNIC-', 'ARIN-', 'IANA-', 'LACNIC-', 'RIPE-'],
  hostmasterEmail: 'hostmaster@registry.example',
  timeZone: 'Australia/Brisbane',
  currency: 'AUD',
  invoiceName: 'Example Registry Limited',
  invoiceTaxNumber: 'ABN 00 000 000 000',
  invoiceAddress: ['1 Registry Place', 'South Brisbane QLD 4101', 'Australia'],
  billingEmail: 'billing@registry.example',
  supportEmail: 'helpdesk@registry.example',
  lostFactorProcedure:
    'The registry decides how it checks who you are, and tells you in its answer. After that it removes your second factor, and you add a new one at your next sign-in.',
  paymentInstructions: ['By bank transfer to Example Registry Limited', 'Example Bank, BSB 000-000, account 00000000', 'SWIFT EXAMAU2SXXX'],
  paymentsAlone: '10000.00',
  holderChangesAlone: false,
  reactivationFee: '1000.00',
  reactivationMonths: 3,
  reactivationDays: 30,
  lockReleaseHours: 72,
  billingOutageDays: 3,
  mostEndingsPerDay: 50,
  rpkiSuspensionDays: 0,
  taxName: 'GST',
  taxEconomy: 'AU',
  taxRate: '0.10',
  lastSlash8: '203.0.113.0/24',
  holdYears: 5,
  labNumbers: [
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
  requestPolicy: {
    ipv4Smallest: 24,
    ipv4Limit: 23,
    nirIpv4Limit: 23,
    multihomingNow: 25,
    multihomingYear: 50,
    multihomingMonths: 6,
    lirNow: 256,
    lirYear: 512,
    ixpUsual: 26,
    ixpLargest: 22,
    ixpParticipants: 3,
    temporaryLargest: 21,
    temporaryIpv6Largest: 29,
    temporaryMonths: 6,
    ipv6Provider: 32,
    ipv6EndSite: 48,
    ipv6Explained: 29,
    ipv6Assignments: 200,
    ipv6AnnounceYears: 2,
    ipv6Largest: 20,
    temporaryAheadMonths: 12,
    temporaryPoolIpv4: 21,
    temporaryPoolIpv6: 29,
    temporaryPoolAsns: 8,
    freeAsns: 2,
    lastPoolCountsSold: true,
    abuseMailboxValidated: false,
    acknowledgeDays: 30,
    preApprovalMonths: 24,
    transferFeeShare: '0.20',
    acquisitionFee: '0.00',
    transferFeeDays: 30,
    quarantineDays: 183,
    recoveryDays: { unpaid: 30, breach: 30, fraud: 7, unreachable: 60, mistake: 7 },
    holdDays: 30,
    draftDays: 30,
    answerDays: 30,
    promiseHours: 16,
    ipv4WaitingList: false,
  },
  transferLogRegistry: 'APNIC',
  // biome-ignore format: a list of codes
  serviceRegion: [
    'AF', 'AS', 'AU', 'BD', 'BN', 'BT', 'CC', 'CK', 'CN', 'CX', 'FJ', 'FM', 'GU', 'HK', 'ID', 'IN', 'IO', 'JP', 'KH', 'KI', 'KP', 'KR', 'LA', 'LK',
    'MH', 'MM', 'MN', 'MO', 'MP', 'MV', 'MY', 'NC', 'NF', 'NP', 'NR', 'NU', 'NZ', 'PF', 'PG', 'PH', 'PK', 'PN', 'PW', 'SB', 'SG', 'TF', 'TH', 'TK',
    'TL', 'TO', 'TV', 'TW', 'VN', 'VU', 'WF', 'WS',
  ],
  nationalRegistries: [
    { economy: 'CN', name: 'CNNIC', url: 'https://www.cnnic.cn' },
    { economy: 'ID', name: 'IDNIC', url: 'https://idnic.id' },
    { economy: 'IN', name: 'IRINN', url: 'https://www.irinn.in' },
    { economy: 'JP', name: 'JPNIC', url: 'https://www.nic.ad.jp' },
    { economy: 'KR', name: 'KRNIC', url: 'https://krnic.kisa.or.kr' },
    { economy: 'TW', name: 'TWNIC', url: 'https://www.twnic.tw' },
    { economy: 'VN', name: 'VNNIC', url: 'https://vnnic.vn' },
  ],
  agreementVersion: '2026-07',
  agreementUrl: 'https://www.registry.example/membership-agreement',
  whoisHost: 'whois.registry.example',
  whoisTermsUrl: 'https://registry.example/whois/terms',
  whoisInaccuracyUrl: 'https://registry.example/whois/inaccuracy',
  redactContactEmail: true,
  routeConsent: 'approve',
  irrRpkiFilter: true,
  dumpPersonalData: 'omit',
  personalLookupsPerDay: 1000,
  reverseZones: ['18.198.in-addr.arpa', '19.198.in-addr.arpa'],
  reverseServers: ['ns1.registry.example', 'ns2.registry.example'],
  reverseContact: 'hostmaster@registry.example',
  dnsLab: false,
  lameDetectDays: 15,
  lameNotifyDays: 45,
  lameRemindDays: 30,
  lameDisables: true,
  followCds: true,
  lookingGlass: [],
};

/**
 * The profile of a file, completed with the example registry's values; unknown or mistyped entries are refused.
 * @param isDemo the registry is a demonstration, with the numbers of the example registry
 * @throws Error naming the file and the entry.
 */
export function readProfile(file: string, { isDemo = false } = {}): Profile {
  if (file === '') return exampleRegistry;
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`The registry profile ${file} cannot be read: ${(error as Error).message}`);
  }
  for (const [key, value] of Object.entries(given)) {
    const expected = exampleRegistry[key as keyof Profile];
    if (expected === undefined)
      throw new Error(`The registry profile ${file} has an unknown entry "${key}"; known are ${Object.keys(exampleRegistry).join(', ')}.`);
    if (key !== 'rpkiSuspensionDays' && typeof value !== typeof expected)
      throw new Error(`The registry profile ${file}: "${key}" must be a ${typeof expected}.`);
  }
  const policy = (given.requestPolicy ?? {}) as Record<string, unknown>;
  for (const [key, value] of Object.entries(policy)) {
    const expected = exampleRegistry.requestPolicy[key as keyof RequestPolicy];
    if (typeof value !== typeof expected)
      throw new Error(`The registry profile ${file}: "requestPolicy.${key}" is unknown or of another type.`);
  }
  const profile = {
    ...exampleRegistry,
    ...(!isDemo && { labNumbers: [] }),
    ...given,
    requestPolicy: { ...exampleRegistry.requestPolicy, ...policy },
  } as Profile;
  refuseUnreadable(file, profile.labNumbers);
  if (!/^[01](\.\d{1,4})?$/.test(profile.taxRate)) throw new Error(`The registry profile ${file}: "taxRate" must be a share such as 0.10.`);
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(profile.requestPolicy.acquisitionFee))
    throw new Error(`The registry profile ${file}: "requestPolicy.acquisitionFee" must be an amount such as 500.00.`);
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(profile.reactivationFee))
    throw new Error(`The registry profile ${file}: "reactivationFee" must be an amount such as 1000.00.`);
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(profile.paymentsAlone))
    throw new Error(`The registry profile ${file}: "paymentsAlone" must be an amount such as 10000.00.`);
  const { rpkiSuspensionDays: days } = profile;
  if (days !== null && !(Number.isInteger(days) && days >= 0 && days <= 3650))
    throw new Error(`The registry profile ${file}: "rpkiSuspensionDays" must be a whole number of days up to 3650, or null for never.`);
  if (!(routeConsents as readonly string[]).includes(profile.routeConsent))
    throw new Error(`The registry profile ${file}: "routeConsent" must be ${routeConsents.join(', ')}.`);
  return profile;
}

/** @throws Error naming the file and a text that is no number resource */
function refuseUnreadable(file: string, labNumbers: readonly unknown[]): void {
  for (const text of labNumbers)
    try {
      parseResource(String(text));
    } catch (error) {
      throw new Error(`The registry profile ${file}: "labNumbers" has ${String(text)}, which is no number resource.`, { cause: error });
    }
}
