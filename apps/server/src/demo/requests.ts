import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import {
  approveRequest,
  askAboutRequest,
  refuseRequest,
  reviewRequest,
  saveRequest,
  startRequest,
  submitRequest,
} from '../modules/requests/index.ts';
import type { Caller } from '../platform/caller.ts';
import type { Change } from '../platform/database/index.ts';
import type { AdmittedAccount } from '../platform/endpoints.ts';
import type { Profile } from '../profile.ts';

/** How far a case of the demo registry came. */
type Far = 'draft' | 'sent' | 'review' | 'asked' | 'approved' | 'rejected';
/** A case: by a person in an account, so many days ago, so far. */
export type DemoCase = { person: string; accountName: string; kind: RequestKind; form: Partial<RequestForm>; days: number; far: Far };

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

/** The living queue: each state, one waiting on the member, one late, transfers half way. */
export const demoCases = (today: Date): DemoCase[] => [
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

/** Plays one case through the same functions as people do. */
export async function playDemoCase(
  change: Change,
  { kind, form, far, days }: DemoCase,
  { account, caller, stella, profile, today }: { account: AdmittedAccount; caller: Caller; stella: Caller; profile: Profile; today: Date },
): Promise<void> {
  const deps = { profile, now: today, robot: false };
  const started = await startRequest(change, account, { kind }, caller, deps);
  const { requestId } = started;
  const saved = await saveRequest(
    change,
    account,
    requestId,
    { version: started.version, form: { ...emptyForm, ...form }, documentIds: [] },
    caller,
    deps,
  );
  const decided = far === 'review' || far === 'asked' || far === 'approved' || far === 'rejected';
  // A decision names the account itself.
  if (!decided) await change.concerns(account.accountName, account.contactId);
  if (far === 'draft') return;
  await submitRequest(change, account, requestId, { version: saved.version, truthful: true }, caller, deps);
  if (far === 'review') await reviewRequest(change, requestId, stella, deps);
  if (far === 'asked')
    await askAboutRequest(
      change,
      requestId,
      { question: 'How many of the 640 sites are connected today? A list of the first 50 is enough.' },
      stella,
      deps,
    );
  if (far === 'approved') await approveRequest(change, requestId, { note: '', resource: '' }, stella, deps);
  if (far === 'rejected')
    await refuseRequest(
      change,
      requestId,
      { reason: 'A network with one provider and no routing policy of its own doesn’t need an AS number.' },
      stella,
      deps,
    );
  const sentAt = instantBefore(today, days * DAY_MS);
  await change.rows(sql`update resource_request set submitted_at = ${sentAt}::timestamptz, started_at = ${sentAt}::timestamptz,
    since = case state when 'submitted' then ${sentAt}::timestamptz else since end where resource_request_id = ${Number(requestId)}`);
}
