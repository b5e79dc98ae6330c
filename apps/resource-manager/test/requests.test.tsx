import { emptyForm, type RequestKind } from '@portal/contract/requests/request-form';
import type { RequestEligibility, ResourceRequestDetail } from '@portal/contract/requests/requests';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { loadAhead, showPage } from './framed-page.tsx';

loadAhead('ipv4Request');
afterEach(cleanup);

const terms = { acknowledgeDays: 30, feeDays: 30, holdDays: 30, draftDays: 30, answerDays: 30, holdYears: 5, ipv4Smallest: 24 };
const queue = { waiting: 5, inReview: 2, medianDays: 1.4, answerDays: [1, 1.5] };
const met = {
  checkId: 'open',
  fact: 'Account is open',
  known: 'The account is open',
  source: 'Accounts',
  state: 'met' as const,
  policy: 'Open account',
};
const eligibility = (kind: RequestKind, change: Partial<RequestEligibility> = {}): RequestEligibility => ({
  kind,
  checks: [met],
  why: null,
  paths: kind === 'ipv4' ? [{ path: 'lir', label: 'Services for customers', lengths: [24, 23], words: 'You assign addresses.' }] : [],
  documents: [],
  open: null,
  room: kind === 'asn' ? 'This one has no fee' : '512 of 512 addresses are left under the limit',
  share: kind === 'ipv6' ? null : { held: '0', limit: kind === 'ipv4' ? '512' : '2' },
  networks: kind === 'asn' ? [{ asn: 1299, peers: 290, seen: 'neighbour' }] : [],
  transfer: null,
  queue,
  oneClick: null,
  terms,
  ...change,
});
const need = {
  checkId: 'need-year',
  fact: 'Plan for a year',
  known: '0 addresses in 12 months',
  source: 'Your answer',
  state: 'open' as const,
  policy: '512 addresses within a year',
};
const draft = (kind: RequestKind, requestId: string): ResourceRequestDetail =>
  ({
    requestId,
    reference: `REQ-${requestId}`,
    kind,
    state: 'draft',
    asked: 'IPv4 /24',
    accountName: 'EXAMPLE-AU',
    otherParty: null,
    role: 'requester',
    nextMove: 'you',
    place: null,
    startedAt: '2026-11-20T00:00:00.000Z',
    submittedAt: null,
    since: '2026-11-20T00:00:00.000Z',
    expiresAt: '2026-12-20T00:00:00.000Z',
    requestedBy: 'Corin',
    resolvedAt: null,
    note: null,
    resources: [],
    subaccount: null,
    version: 1,
    terms,
    form: { ...emptyForm, length: kind === 'ipv4' ? 24 : 0, path: kind === 'ipv4' ? 'lir' : '' },
    receiveForm: null,
    checks: [met, need],
    documents: [],
    papers: [],
    question: null,
    events: [],
    fee: null,
    whois: null,
    plan: null,
    returnDue: null,
    recovery: null,
    direct: null,
    held: [],
    due: null,
  }) as ResourceRequestDetail;

const openAs = (kind: RequestKind, requestId: string) => ({ open: { requestId, reference: `REQ-${requestId}`, state: 'draft' as const } });
const answersWith = (kinds: Partial<Record<string, Partial<RequestEligibility>>>) => ({
  'requests.getEligibility': ({ kind }: { kind: RequestKind }) => eligibility(kind, kinds[kind]),
  'requests.listRequests': { rows: [], total: 0, queue },
  'requests.getRequestFee': { fee: { currency: 'AUD', now: '500.00', after: '1356.00', ipv4: '1356.00', ipv6: null, asns: null } },
  'requests.getRequest': ({ requestId }: { requestId: string }) => draft(requestId === '7' ? 'ipv4' : 'asn', requestId),
  'requests.saveRequest': ({ requestId }: { requestId: string }) => draft(requestId === '7' ? 'ipv4' : 'asn', requestId),
});

test('three kinds share one table of facts, and a kind that is open already leads to its request', async () => {
  showPage('/resources/ipv4_request_form', {
    answers: answersWith({ ipv6: { open: { requestId: '9', reference: 'REQ-9', state: 'in-review' } } }),
  });
  const row = within(await screen.findByRole('table', { name: 'Eligibility' })).getByRole('row', { name: /Account is open/ });
  expect(within(row).getAllByText('Met')).toHaveLength(3);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'IPv6 addresses' }).disabled).toBe(true);
  expect(screen.getByRole('link', { name: 'View REQ-9' }).getAttribute('href')).toContain('request=9');
  expect(screen.getByRole('img', { name: '0 of 512 addresses are held, 256 could be asked for' })).toBeTruthy();
});

test('a draft has policy beside its questions, the fee without tax and the place in line, and is not sent while it lacks something', async () => {
  const { calls } = showPage('/resources/ipv4_request_form', { answers: answersWith({ ipv4: openAs('ipv4', '7') }) });
  const policy = await screen.findByRole('complementary', { name: 'Policy for IPv4 addresses' });
  expect(within(policy).getByText('512 addresses within a year')).toBeTruthy();
  expect(within(policy).getByText(/Can’t be transferred for 5 years/)).toBeTruthy();
  expect(await screen.findByText('Annual fee, without tax')).toBeTruthy();
  expect(screen.getByText('6th in line')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Send request' }));
  expect(screen.getByText('Confirm that the answers are true')).toBeTruthy();
  expect((await screen.findAllByText('Enter at least one line with a purpose and a number of addresses')).length).toBeGreaterThan(0);
  expect(calls.some(({ id }) => id === 'requests.submitRequest')).toBe(false);
});

test('two kinds are one form with one button; the network is described once', async () => {
  const { calls } = showPage('/resources/ipv4_request_form?for=ipv4,asn', {
    answers: answersWith({ ipv4: openAs('ipv4', '7'), asn: openAs('asn', '8') }),
  });
  expect(await screen.findByRole('button', { name: 'Send 2 requests' })).toBeTruthy();
  expect(await screen.findByRole('region', { name: 'AS number' })).toBeTruthy();
  expect(screen.getAllByLabelText('The network')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Add AS1299' })).toBeTruthy();
  await userEvent.type(screen.getByLabelText('The network'), 'Two cities with a router each');
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() =>
    expect(
      calls.flatMap(({ id, input }) => (id === 'requests.saveRequest' ? [(input.body as { form: { network: string } }).form.network] : [])),
    ).toEqual(['Two cities with a router each', 'Two cities with a router each']),
  );
});

test('Send, pressed while the draft is being saved, waits and goes on with what was saved', async () => {
  const whole = { neighbours: [1299, 3356].map(asn => ({ asn: `AS${asn}`, name: '' })), multihomed: 'now' as const };
  const kept = (version: number, network: string): ResourceRequestDetail => {
    const one = draft('asn', '8');
    return { ...one, version, form: { ...one.form, ...whole, network } };
  };
  const saves: { body: { version: number; form: { network: string } }; answer: () => void }[] = [];
  const { calls } = showPage('/resources/ipv4_request_form?for=asn', {
    answers: {
      ...answersWith({ asn: openAs('asn', '8') }),
      'requests.getRequest': kept(1, ''),
      'requests.saveRequest': ({ body }: { body: (typeof saves)[number]['body'] }) =>
        new Promise(resolve => saves.push({ body, answer: () => resolve(kept(body.version + 1, body.form.network)) })),
      'requests.submitRequest': ({ body }: { body: { version: number } }) => ({ ...kept(body.version + 1, ''), state: 'submitted' }),
    },
  });
  const sent = () =>
    calls.flatMap(({ id, input }) => (id === 'requests.submitRequest' ? [(input.body as { version: number }).version] : []));
  const network = await screen.findByLabelText('The network');
  await userEvent.type(network, 'Two cities with a router each');
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(saves).toHaveLength(1));
  // Typed after the draft was sent to be saved: it is saved over the answer before anything is sent.
  await userEvent.type(network, ', and a third');
  await userEvent.click(screen.getByRole('checkbox', { name: /^The answers are true/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Send request' }));
  expect(saves).toHaveLength(1);
  expect(sent()).toEqual([]);
  saves[0]!.answer();
  await waitFor(() => expect(saves).toHaveLength(2));
  expect(saves[1]!.body).toMatchObject({ version: 2, form: { network: 'Two cities with a router each, and a third' } });
  expect(sent()).toEqual([]);
  saves[1]!.answer();
  await waitFor(() => expect(sent()).toEqual([3]));
  expect(saves).toHaveLength(2);
});
