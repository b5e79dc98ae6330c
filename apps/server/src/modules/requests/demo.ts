import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { requestLife } from '@portal/contract/requests/life';
import { sql } from 'kysely';
import { membershipOf } from '../accounts/index.ts';
import type { AdmittedAccount, Caller } from '../../platform/http/caller.ts';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { moveCase } from '../../platform/http/cases.ts';
import { casesOfParty, casesOfStaff } from './cases.ts';
import { approveRequest, askAboutRequest, refuseRequest, reviewRequest } from './decisions.ts';
import { saveRequest, startRequest } from './drafts.ts';
import { addListing } from './listings/listings.ts';
import { getStaffRequest } from './staff-request.ts';
import { submitRequest } from './submission.ts';

/** How far a case of the demo registry got. */
type Far = 'draft' | 'sent' | 'review' | 'asked' | 'approved' | 'rejected';
/** A case: its person, account, age in days, and progress. */
type DemoCase = { person: string; accountName: string; kind: RequestKind; form: Partial<RequestForm>; days: number; far: Far };

const provider = (text: string): Partial<RequestForm> => ({
  path: 'lir',
  length: 24,
  providerSpace: '100.64.12.0/24',
  plan: [
    { purpose: 'Broadband customers', amounts: [180, 290, 360] },
    { purpose: 'Hosting', amounts: [80, 120, 160] },
  ],
  network: text,
});

/** Requests in each state: one waiting for the member, one late, transfers under way. */
const casesOf = (today: Date): DemoCase[] => [
  {
    person: 'max',
    accountName: 'CORAL-KI',
    kind: 'ipv4',
    form: provider('Two islands with one border router each, connected by a satellite and a cable provider.'),
    days: 9,
    far: 'sent',
  },
  {
    person: 'max',
    accountName: 'DELTA-VN',
    kind: 'asn',
    form: {
      multihomed: 'now',
      neighbours: [
        { asn: 'AS64500', name: 'Example Networks' },
        { asn: 'AS64501', name: 'Other Cloud' },
      ],
      network: 'A data centre with two upstreams and its own routing policy.',
    },
    days: 1,
    far: 'review',
  },
  {
    person: 'max',
    accountName: 'ESTUARY-TH',
    kind: 'ipv6',
    form: {
      path: 'lir',
      length: 32,
      sites: 640,
      startsOn: utcDay(today.getTime() + 90 * DAY_MS),
      network: 'A regional provider with 640 sites planned over two years.',
    },
    days: 3,
    far: 'asked',
  },
  {
    person: 'max',
    accountName: 'GROVE-LK',
    kind: 'ipv4',
    form: provider('A provider in two cities; the block of our upstream is full.'),
    days: 20,
    far: 'approved',
  },
  {
    person: 'max',
    accountName: 'GROVE-LK',
    kind: 'pre-approval',
    form: {
      blocks: 4,
      plan: [{ purpose: 'Broadband customers', amounts: [0, 256, 600, 900, 1300] }],
      network: 'Growth of the access network over two years.',
    },
    days: 15,
    far: 'approved',
  },
  {
    person: 'max',
    accountName: 'HARBOUR-HK',
    kind: 'asn',
    form: { multihomed: 'no', neighbours: [{ asn: 'AS64500', name: 'Example Networks' }], network: 'One office behind one provider.' },
    days: 30,
    far: 'rejected',
  },
  {
    person: 'tess',
    accountName: 'EXAMPLE-AU',
    kind: 'asn',
    form: {
      multihomed: 'planned',
      neighbours: [{ asn: 'AS64501', name: 'Other Cloud' }],
      network: 'A second network for the hosting platform.',
    },
    days: 0,
    far: 'draft',
  },
  {
    person: 'tess',
    accountName: 'EXAMPLE-AU',
    kind: 'transfer',
    form: { resources: ['198.18.64.0/23'], recipient: 'OTHER-SG', reason: 'ACCESS-B moved to new space.' },
    days: 4,
    far: 'sent',
  },
  {
    person: 'corin',
    accountName: 'SOUTHSITE-NZ',
    kind: 'return',
    form: { resources: ['192.0.2.0/24'], reason: 'The site is closed.', startsOn: utcDay(today) },
    days: 2,
    far: 'sent',
  },
];

/** Listings: offers, one of them anonymous, and a wish. */
const listings = [
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

/** Adds cases in every state, and listings. */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  const { db, today, profile, callerOf } = registry;
  for (const each of casesOf(today)) {
    const caller = callerOf(each.person);
    const account = (await membershipOf(db.read, caller, each.accountName))!;
    const happenedAt = instantBefore(today, each.days * DAY_MS);
    await registry.change({ action: 'demo.request', summary: 'Sent a request for resources', happenedAt }, change =>
      addCase(change, each, { account, caller }, registry),
    );
  }
  for (const { person, accountName, ...listing } of listings)
    await registry.changeAs({
      person,
      accountName,
      action: 'requests.listings.addListing',
      summary: 'Listed IPv4 for transfer',
      daysAgo: 3,
      run: (change, { account, caller }) =>
        addListing({ change, account, caller, body: { ...listing, consent: true }, registry: { profile, now: today } }),
    });
}

/** Adds one case through the functions that people use. */
async function addCase(
  change: Change,
  { kind, form, far, days }: DemoCase,
  { account, caller }: { account: AdmittedAccount; caller: Caller },
  { profile, config, today, callerOf }: DemoRegistry,
): Promise<void> {
  const stella = callerOf('stella');
  const registry = { profile, now: today, config: { ...config, robotHostmaster: false } };
  const started = await startRequest({ change, account, caller, body: { kind }, registry });
  const { requestId } = started;
  const saved = await saveRequest({
    change,
    account,
    caller,
    params: { requestId },
    body: { version: started.version, form: { ...emptyForm, ...form }, documentIds: [] },
    registry,
  });
  const decided = far === 'review' || far === 'asked' || far === 'approved' || far === 'rejected';
  // A decision names the account itself.
  if (!decided) await change.concerns(account.accountName, account.contactId);
  if (far === 'draft') return;
  const ofParty = { change, account, caller, params: { account: account.accountName, requestId }, registry };
  await moveCase(casesOfParty, requestLife.send, submitRequest, { ...ofParty, body: { version: saved.version, truthful: true } });
  const ofStaff = { change, caller: stella, params: { requestId }, registry };
  if (far === 'review') await moveCase(casesOfStaff, requestLife.review, reviewRequest, { ...ofStaff, body: undefined });
  if (far === 'asked')
    await moveCase(casesOfStaff, requestLife.ask, askAboutRequest, {
      ...ofStaff,
      body: { question: 'How many of the 640 sites are connected today? A list of the first 50 is enough.' },
    });
  if (far === 'approved') {
    const { version } = await getStaffRequest({ read: change, caller: stella, params: { requestId }, registry });
    await moveCase(casesOfStaff, requestLife.approve, approveRequest, { ...ofStaff, body: { note: '', resource: '', version } });
  }
  if (far === 'rejected')
    await moveCase(casesOfStaff, requestLife.refuse, refuseRequest, {
      ...ofStaff,
      body: { reason: 'A network with one provider and no routing policy of its own doesn’t need an AS number.' },
    });
  const sentAt = instantBefore(today, days * DAY_MS);
  // Answered on the next working day.
  const answeredAt = instantBefore(today, Math.max(0, days - 1 - (days % 3)) * DAY_MS);
  await change.rows(sql`update resource_request set submitted_at = ${sentAt}::timestamptz, started_at = ${sentAt}::timestamptz,
    since = case when state in ('submitted', 'offered') then ${sentAt}::timestamptz else ${answeredAt}::timestamptz end,
    resolved_at = case when resolved_at is null then null else ${answeredAt}::timestamptz end where resource_request_id = ${Number(requestId)}`);
  await change.rows(sql`update resource_request_event set at = case when kind in ('submitted', 'offered') then ${sentAt}::timestamptz
    else ${answeredAt}::timestamptz end where resource_request_id = ${Number(requestId)}`);
}

export { regionStages } from './demo-region.ts';
