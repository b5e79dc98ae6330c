import { DAY_MS, dayIn, daysAfter, HOUR_MS, instantAfter, instantBefore, utcDay } from '@portal/contract/days';
import type { Config } from '../config.ts';
import { membershipOf } from '../modules/accounts/index.ts';
import { recordPastRenewal } from '../modules/billing/index.ts';
import { askForPermission, requestContactChange } from '../modules/contacts/index.ts';
import type { FileStore } from '../modules/documents/index.ts';
import { addElection, publishElection, saveOptions } from '../modules/elections/index.ts';
import { type News, storeNotification } from '../modules/notifications/index.ts';
import { requestAccountClosure, requestOrganisationChange } from '../modules/organisations/index.ts';
import { changeRoas, enableRpki, saveAspa } from '../modules/rpki/index.ts';
import { noteSeenZones, submitZones } from '../modules/reverse-dns/index.ts';
import { bulkChange } from '../modules/whois/index.ts';
import type { Caller } from '../platform/caller.ts';
import type { ActivityInfo, Change, Database } from '../platform/database/index.ts';
import type { AdmittedAccount } from '../platform/endpoints.ts';
import type { Profile } from '../profile.ts';
import { addDemoSubaccounts } from './national-registry.ts';
import { demoPeople } from './people.ts';
import { demoRouteChanges, loadDemoBgp } from './routes.ts';
import { addDemoPools } from './pools.ts';
import { demoCases, playDemoCase } from './requests.ts';
import { addListing } from '../modules/requests/index.ts';
import { loadDemoTickets } from './tickets.ts';

type Logins = ReadonlyMap<string, { loginId: string; fullName: string; email: string }>;
type Options = { config: Config; profile: Profile; logins: Logins; today: Date; store?: FileStore };
/** Work of a demo person in an account, done so many days ago. */
type Work = {
  person: string;
  accountName: string;
  action: string;
  summary: string;
  run: (change: Change, as: { account: AdmittedAccount; caller: Caller }) => Promise<void>;
};

/**
 * Loads what people are in the middle of, so that the pages of a first visit have something to show: requests that wait, for members and for the registry, bulk
 * updates with their reports, and an election that is open. It is for people who look around; tests begin with a registry in which nothing waits.
 */
export async function loadDemoLife(db: Database, options: Options): Promise<void> {
  for (const { person, accountName, run, ...words } of works(options)) {
    const caller = callerOf(person, options.logins);
    const account = await membershipOf(db.read, caller, accountName);
    if (!account) throw new Error(`${person} is not a contact of ${accountName}`);
    const activity: ActivityInfo = { ...words, traceId: '0'.repeat(32), accountName, contactId: account.contactId };
    await db.change(activity, change => run(change, { account, caller }));
  }
  await db.change({ action: 'demo.fillPools', summary: 'Filled the pools', traceId: '0'.repeat(32) }, change => addDemoPools(change));
  for (const each of demoCases(options.today)) {
    const caller = callerOf(each.person, options.logins);
    const account = (await membershipOf(db.read, caller, each.accountName))!;
    const activity = {
      action: 'demo.request',
      summary: 'Sent a request for resources',
      traceId: '0'.repeat(32),
    };
    await db.change(activity, change =>
      playDemoCase(change, each, { ...options, account, caller, stella: callerOf('stella', options.logins) }),
    );
  }
  for (const { person, accountName, ...listing } of demoListings) {
    const caller = callerOf(person, options.logins);
    const account = (await membershipOf(db.read, caller, accountName))!;
    const activity = { action: 'requests.listings.addListing', summary: 'Listed IPv4 for transfer', traceId: '0'.repeat(32), accountName };
    await db.change({ ...activity, contactId: account.contactId }, async change => {
      await addListing(change, account, { ...listing, consent: true }, caller, { profile: options.profile, now: options.today });
    });
  }
  if (options.store) await loadOverdueInvoice(db, { ...options, store: options.store });
  await loadDemoBgp(db, options.today);
  await db.change({ action: 'demo.openElection', summary: 'Opened a vote', traceId: '0'.repeat(32) }, change =>
    openVote(change, options.today),
  );
  await loadDemoTickets(db, username => callerOf(username, options.logins));
  await db.change({ action: 'demo.notify', summary: 'Notified the demo people', traceId: '0'.repeat(32) }, async change => {
    for (const [username, news] of notices) await storeNotification(change, news, options.logins.get(username)!.loginId);
  });
}

/** A renewal of another account of corin's that is overdue: the registry waits for its payment for two more weeks. */
async function loadOverdueInvoice(db: Database, { config, profile, today, store }: Options & { store: FileStore }): Promise<void> {
  const accountName = 'SOUTHSITE-NZ';
  const day = dayIn(profile.timeZone, today);
  const termEnd = daysAfter(day, -38);
  const activity = { action: 'demo.renewal', summary: 'Imported an invoice', traceId: '0'.repeat(32), accountName };
  await db.change({ ...activity, action: 'demo.lateAccount', summary: 'Set the end of the term' }, change =>
    change.updateTable('account').set({ expiryDate: termEnd }).where('accountName', '=', accountName).execute(),
  );
  const steps = { reminder: daysAfter(termEnd, -30), holdings: termEnd, invoice: daysAfter(termEnd, 1) };
  const clockwork = { profile, store, fonts: config.certificateFonts, activity };
  await recordPastRenewal(db, { accountName, termEnd, steps, extendedUntil: daysAfter(day, 14) }, clockwork);
}

/** The listings: offers, one without names, and something wanted. */
const demoListings = [
  {
    person: 'olive',
    accountName: 'OTHER-SG',
    kind: 'offer' as const,
    resource: '198.51.100.0/24',
    length: 0,
    notes: 'Never announced since 2024, clean in the block lists we know of.',
    namesHolder: true,
    interRegistry: true,
  },
  {
    person: 'tess',
    accountName: 'EXAMPLE-AU',
    kind: 'offer' as const,
    resource: '198.18.28.0/22',
    length: 0,
    notes: 'Free after we consolidated our access network.',
    namesHolder: false,
    interRegistry: false,
  },
  {
    person: 'max',
    accountName: 'DELTA-VN',
    kind: 'wanted' as const,
    resource: '',
    length: 23,
    notes: 'For a data centre that opens next year. Pre-approval is there.',
    namesHolder: false,
    interRegistry: true,
  },
];

/** Unread notifications, besides those of the requests. */
const notices: readonly (readonly [username: string, news: News])[] = [
  [
    'tess',
    {
      topic: 'contacts.access',
      accountName: 'EXAMPLE-AU',
      subject: 'You’re now a technical contact of EXAMPLE-AU',
      body: ['You accepted the invitation of Corin Achterberg. Your contact type sets what you can do in the account.'],
      path: '/member-account-settings/my-permissions',
      act: 'See your permissions',
    },
  ],
  [
    'bill',
    {
      topic: 'contacts.review',
      accountName: 'EXAMPLE-AU',
      subject: 'Are your details in EXAMPLE-AU still correct?',
      body: ['Once a year we ask whether your name, e-mail address, telephone number and position are still correct.'],
      path: '/member-account-settings/account-contacts',
      act: 'Look at your details',
    },
  ],
];

/** The example key of RFC 6605. */
const demoKey = '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';

/** Returns results of checks of the demo zones: one of each state. */
const seenZones = (today: Date) => [
  ...[0, 1, 2, 4, 5].map(third => ({ zone: `${third}.18.198.in-addr.arpa`, state: 'ok' as const, signed: third !== 2 })),
  {
    zone: '3.18.198.in-addr.arpa',
    state: 'lame' as const,
    signed: false,
    problem: 'ns2.example.net (192.0.2.54) refuses the zone (REFUSED)',
  },
  {
    zone: '6.18.198.in-addr.arpa',
    state: 'warning' as const,
    signed: true,
    problem: 'Signatures on ns1.example.net end in two days',
    signaturesEnd: instantAfter(today, 2 * DAY_MS),
  },
  { zone: '7.18.198.in-addr.arpa', state: 'warning' as const, signed: true, problem: 'Different serials: 2026112103 and 2026112201' },
  { zone: '113.0.203.in-addr.arpa', state: 'ok' as const, signed: false },
];

const ago = (today: Date, days: number, hours = 0): string => instantBefore(today, days * DAY_MS + hours * HOUR_MS);

function works({ config, profile, today }: Options): Work[] {
  const bulk = (request: Parameters<typeof bulkChange>[2]): Work => ({
    person: 'tess',
    accountName: 'EXAMPLE-AU',
    action: 'whois.bulkChange',
    summary: 'Bulk-updated whois objects',
    run: async (change, { account }) => {
      await bulkChange(change, account, request, { profile, limits: config, isFresh: true });
    },
  });
  const networks = { classes: ['inet6num' as const] };
  const byMaintainer = { attribute: 'mnt-by' as const, value: 'MAINT-AU-EXAMPLE' };
  return [
    ...certified(config),
    {
      person: 'corin',
      accountName: 'EXAMPLE-AU',
      action: 'rpki.aspas.saveAspa',
      summary: 'Changed the providers of an AS',
      run: async (change, { account }) => {
        await saveAspa(change, account, { customer: 'AS64500', providers: ['AS64501', 'AS64502'], comment: 'Both upstreams', version: 0 });
      },
    },
    ...demoRouteChanges.map(
      (save): Work => ({
        person: 'corin',
        accountName: 'EXAMPLE-AU',
        action: 'routes.saveRoutes',
        summary: 'Changed routes',
        run: (change, { account }) => save(change, account, { config, profile }),
      }),
    ),
    bulk({
      choose: { ...networks, ...byMaintainer },
      actions: [{ action: 'add', attribute: 'remarks', newValue: 'Addressing plan 2026: see noc@example-au.example' }],
      mode: 'best-effort',
      dryRun: false,
    }),
    bulk({
      choose: { ...networks, ...byMaintainer },
      actions: [{ action: 'set', attribute: 'tech-c', newValue: 'NW9-EX' }],
      mode: 'atomic',
      dryRun: false,
    }),
    {
      person: 'nils',
      accountName: 'NATREG-XX',
      action: 'nir.delegations.addNirDelegation',
      summary: 'Delegated to sub-accounts',
      run: (change, { account }) => addDemoSubaccounts(change, account, { profile, config }),
    },
    {
      person: 'tess',
      accountName: 'EXAMPLE-AU',
      action: 'reverseDns.submitZones',
      summary: 'Changed reverse delegations',
      run: async (change, { account }) => {
        const contact = { descr: '', adminC: 'ENO1-EX', techC: 'ENO1-EX', zoneC: 'ENO1-EX', mntBy: 'MAINT-AU-EXAMPLE', reason: '' };
        const servers = ['ns1.example.net', 'ns2.example.net'];
        const zones = [0, 1, 4, 5, 6, 7, 8].map(third => `${third}.18.198.in-addr.arpa`);
        const request = { ...contact, zones, servers, keys: demoKey, operation: 'delegate' as const };
        await submitZones(change, account, request, { profile, config, isFresh: true });
        await noteSeenZones(change, seenZones(today));
      },
    },
    {
      person: 'tilda',
      accountName: 'EXAMPLE-AU',
      action: 'contacts.accessRequests.requestContactChange',
      summary: 'Asked for a change of contacts',
      run: async (change, { account, caller }) => {
        const { requestId } = await requestContactChange(
          change,
          { account, now: today },
          {
            kind: 'ADD_CONTACT',
            fullName: 'Nora Vale',
            email: 'nora@example-au.example',
            contactTypes: ['technical'],
            reason: 'Nora joins the network team in December',
          },
          caller,
        );
        await ageRequest(change, requestId, ago(today, 9));
      },
    },
    {
      person: 'bill',
      accountName: 'EXAMPLE-AU',
      action: 'contacts.askForPermission',
      summary: 'Asked for a permission',
      run: async (change, { account, caller }) => {
        const { requestId } = await askForPermission(
          change,
          account,
          {
            permissions: ['member-account-access-logs-view'],
            page: '/member-account-settings/activity-logs',
            message: 'Our auditor asks who changed the billing address',
          },
          { loginId: caller.loginId, appUrl: config.appUrl },
        );
        await ageRequest(change, requestId, ago(today, 2));
      },
    },
    {
      person: 'olive',
      accountName: 'OTHER-SG',
      action: 'organisations.changes.requestOrganisationChange',
      summary: 'Asked for a change of organisation details',
      run: async (change, { account, caller }) => {
        await requestOrganisationChange(change, account, caller, {
          field: 'organisationType',
          value: 'partnership',
          reason: 'The company is run as a limited partnership since October',
          documentIds: [],
        });
        await change
          .updateTable('organisationChange')
          .set({ requestedAt: ago(today, 3, 2) })
          .where('accountName', '=', 'OTHER-SG')
          .execute();
      },
    },
    {
      person: 'max',
      accountName: 'INLET-ID',
      action: 'organisations.closures.requestAccountClosure',
      summary: 'Asked the registry to close the account',
      run: async (change, { account, caller }) => {
        await requestAccountClosure(
          change,
          account,
          caller,
          {
            reason: 'The group merged its networks into HARBOUR-HK',
            closeOn: daysAfter(utcDay(today), 40),
            resources: 'none',
            confirmation: 'INLET-ID',
            documentIds: [],
          },
          { timeZone: profile.timeZone },
        );
        await change
          .updateTable('accountClosureRequest')
          .set({ requestedAt: ago(today, 12) })
          .where('accountName', '=', 'INLET-ID')
          .execute();
      },
    },
  ];
}

/**
 * Hosted RPKI in two accounts, as their people would set it up. Nothing is signed here: the publisher finds it due, and makes keys and certificates once the
 * program is running.
 */
const certified = (config: Config): Work[] =>
  Object.entries(roas).flatMap(([accountName, { person, add }]): Work[] => [
    {
      person,
      accountName,
      action: 'rpki.enable',
      summary: 'Enabled hosted RPKI',
      run: async (change, { account }) => {
        await enableRpki(change, account, config);
      },
    },
    {
      person,
      accountName,
      action: 'rpki.changeRoas',
      summary: 'Changed ROAs',
      run: async (change, { account }) => {
        await changeRoas(change, account, { version: 1, add, remove: [] });
      },
    },
  ]);

/** ROAs of the demo registry: most are right, one is wider than it has to be, one forbids a block that is not in use. */
const roas: Readonly<Record<string, { person: string; add: { prefix: string; asn: string; maxLength?: number; comment: string }[] }>> = {
  'EXAMPLE-AU': {
    person: 'corin',
    add: [
      { prefix: '198.18.0.0/19', asn: 'AS64500', comment: 'Sydney and Melbourne' },
      { prefix: '198.18.64.0/23', asn: 'AS65536', maxLength: 24, comment: 'Content delivery, one /24 a site' },
      { prefix: '2001:db8::/32', asn: 'AS64500', comment: 'Backbone' },
      { prefix: '203.0.113.0/24', asn: 'AS0', comment: 'Kept for 2027, not announced' },
    ],
  },
  'OTHER-SG': {
    person: 'olive',
    add: [
      { prefix: '198.51.100.0/24', asn: 'AS64501', comment: 'Singapore' },
      { prefix: '3fff:200::/32', asn: 'AS64501', comment: '' },
    ],
  },
};

/** Requests of contacts expire thirty days after they were made. */
async function ageRequest(change: Change, requestId: string, requestedAt: string): Promise<void> {
  await change
    .updateTable('accessRequest')
    .set({ requestedAt, notifiedAt: requestedAt, expiresAt: instantAfter(requestedAt, 30 * DAY_MS) })
    .where('accessRequestId', '=', Number(requestId))
    .execute();
}

function callerOf(username: string, logins: Logins): Caller {
  const login = logins.get(username);
  const person = demoPeople.find(each => each.username === username);
  if (!login || !person) throw new Error(`${username} is not a demo person`);
  return {
    loginId: login.loginId,
    issuer: '',
    subject: '',
    name: login.fullName,
    email: login.email,
    sid: null,
    amr: [],
    acr: null,
    authTime: null,
    expiresAt: 0,
    mfa: person.totpSecret !== undefined,
    staff: person.staff ?? false,
  };
}

/** A resolution that members vote on now. */
async function openVote(change: Change, today: Date): Promise<void> {
  const midnight = Math.floor(today.getTime() / DAY_MS) * DAY_MS;
  const at = (day: number, time = 4 * HOUR_MS): string => new Date(midnight + day * DAY_MS + time).toISOString();
  const { electionId, version } = await addElection(change, {
    kind: 'RESOLUTION',
    title: 'Fee schedule from 2028',
    description: 'Members decide whether fees follow the amount of address space in finer steps from 2028 on.',
    seats: null,
    maxSelections: null,
    timeZone: 'Australia/Brisbane',
    conference: null,
    registrationCutOff: null,
    candidatesUrl: '',
    resultsUrl: '',
    windows: [
      { kind: 'PROXY_APPOINT', opensAt: at(-4), closesAt: at(7), url: '' },
      { kind: 'MEMBER_VOTE', opensAt: at(-4), closesAt: at(10, 7.5 * HOUR_MS), url: '' },
      { kind: 'PROXY_VOTE', opensAt: at(10, 0), closesAt: at(10, 7.5 * HOUR_MS), url: '' },
    ],
  });
  await saveOptions(change, electionId, [
    { name: 'For', statement: 'Fees follow the amount of address space in finer steps from 2028 on.' },
    { name: 'Against', statement: 'The steps stay as they are.' },
  ]);
  await publishElection(change, electionId, version, new Date(at(-25)));
}
