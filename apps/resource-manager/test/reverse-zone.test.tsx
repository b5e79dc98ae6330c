import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import type { ZoneReport } from '@portal/contract/reverse-dns/zone-reports';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { answers } from './example-holdings.ts';
import { account, loadAhead, refusal, showPage } from './framed-page.tsx';

loadAhead('reverseDns', 'reverseDnsSummary');
beforeAll(
  () =>
    Promise.all([
      import('../src/whois/reverse-dns/ZonePage.tsx'),
      import('../src/whois/reverse-dns/ZoneForm.tsx'),
      import('../src/shell/zone-check/ZoneCheck.tsx'),
    ]),
  60_000,
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const zone = '3.18.198.in-addr.arpa';
const report: CheckReport = {
  findings: [
    {
      check: 'authoritative',
      state: 'failed',
      severity: 'error',
      group: 'delegation',
      server: 'ns2.example.net',
      detail: 'ns2.example.net (192.0.2.54) refuses the zone (REFUSED)',
    },
    { check: 'udp', state: 'passed', severity: 'error', group: 'connectivity', server: null, detail: '' },
  ],
  servers: [
    {
      server: 'ns1.example.net',
      address: '192.0.2.53',
      state: 'authoritative',
      said: 'Answers with authority',
      udpMs: 12,
      tcpMs: 24,
      serial: 7,
    },
    {
      server: 'ns2.example.net',
      address: '192.0.2.54',
      state: 'lame',
      said: 'refuses the zone (REFUSED)',
      udpMs: 27,
      tcpMs: 31,
      serial: null,
    },
  ],
  chain: [
    { zone: '', signed: true, servers: 13 },
    { zone: '18.198.in-addr.arpa', signed: true, servers: 4 },
  ],
  keys: [],
  ds: [],
  cds: [],
  signatures: [],
  signaturesEnd: null,
  raw: [],
};
const lame: ZoneReport = {
  zone: {
    zone,
    prefix: '198.18.3.0/24',
    kind: 'ipv4',
    within: '198.18.0.0/19',
    state: 'lame',
    dnssec: 'none',
    servers: ['ns1.example.net', 'ns2.example.net'],
    ds: [],
    coveredBy: null,
    version: 2,
    checkedAt: '2026-11-24T08:00:00Z',
    checkId: 'c1',
    problem: 'ns2.example.net (192.0.2.54) refuses the zone (REFUSED)',
    signaturesEnd: null,
    lame: [],
    sinceSerial: 2026112401,
  },
  run: {
    checkId: 'c1',
    zone,
    prefix: '198.18.3.0/24',
    undelegated: false,
    servers: ['ns1.example.net', 'ns2.example.net'],
    askedDs: [],
    state: 'done',
    grade: 'error',
    askedAt: '2026-11-24T08:00:00Z',
    doneAt: '2026-11-24T08:00:05Z',
    until: '2026-12-01T08:00:00Z',
    report,
    since: null,
  },
  lame: [
    {
      server: 'ns2.example.net',
      since: '2026-11-06',
      notifyOn: '2026-11-21',
      notifiedOn: '2026-11-21',
      removeOn: '2027-01-05',
      removedOn: null,
    },
  ],
  parent: { zone: '18.198.in-addr.arpa', serial: 2026112401, publishedAt: '2026-11-24T07:00:00Z' },
  leftOut: null,
  contacts: { adminC: 'ENO1-EX', techC: 'ENO1-EX', zoneC: 'ENO1-EX' },
};
const given = (data: unknown) => ({
  ...answers,
  'reverseDns.zoneReports.getZone': data,
  'publication.getPublication': { places: [] },
  'whois.listMaintainers': { rows: [] },
});
const address = `/resources/ReverseDNS?zone=${zone}`;

test('the page of a zone shows where its path breaks, until when that can last, and the lines that fix it', async () => {
  showPage(address, { answers: given(lame) });
  const servers = await screen.findByRole('list', { name: 'Name servers' });
  const [good, bad] = within(servers).getAllByRole('listitem');
  expect(good!.textContent).toContain('Answers with authority');
  expect(bad!.textContent).toContain('Refuses the zone (REFUSED)');
  expect(bad!.textContent).toContain('since 6 Nov 2026');
  expect(screen.getByText(/The path breaks at ns2\.example\.net/)).toBeTruthy();
  expect((await screen.findByText(/ns2\.example\.net is left out of the registry’s zone on/)).textContent).toContain('5 Jan 2027');
  expect(screen.getByText(/primaries \{ 192\.0\.2\.53; \}/)).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'PowerDNS' }));
  expect(screen.getByText(/pdnsutil create-secondary-zone 3\.18\.198\.in-addr\.arpa 192\.0\.2\.53/)).toBeTruthy();
  // A page that shows a zone is no form.
  expect(screen.queryByRole('list', { name: 'Progress' })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'Name servers' })).toBeNull();
});

test('a check of the zone is started, and the page is read again once it is done', async () => {
  const { calls } = showPage(address, {
    answers: {
      ...given(lame),
      'reverseDns.checks.startCheck': { checkId: 'c2', zone },
      'reverseDns.checks.getCheck': { ...lame.run!, checkId: 'c2' },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Check again' }));
  await vi.waitFor(() => expect(calls.filter(({ id }) => id === 'reverseDns.zoneReports.getZone')).toHaveLength(2));
  expect(calls.find(({ id }) => id === 'reverseDns.checks.startCheck')!.input.body).toEqual({ zone });
});

test('the form of a zone opens where it is asked for, and begins with its first own step', async () => {
  showPage(`${address}&edit=yes`, { answers: given(lame) });
  const steps = await screen.findByRole('list', { name: 'Progress' }, { timeout: 5_000 });
  expect(
    within(steps)
      .getAllByRole('listitem')
      .map(each => each.textContent),
  ).toEqual(['Servers, keys, contacts', 'Review', 'Published']);
  expect(within(steps).getAllByRole('listitem')[0]!.getAttribute('aria-current')).toBe('step');
});

test('visiting registry staff read the page and check the zone, and are offered no change of it', async () => {
  const visit = { as: account({ asStaff: true, contactTypes: [], permissions: [] }), staff: true };
  showPage(address, { ...visit, answers: given(lame) });
  expect(await screen.findByRole('button', { name: 'Check again' })).toBeTruthy();
  expect(await screen.findByText(/The path breaks at ns2\.example\.net/)).toBeTruthy();
  for (const name of ['Edit zone', 'Delegate it']) expect(screen.queryByRole('link', { name }), name).toBeNull();
  expect(screen.queryByText('End the delegation')).toBeNull();
  cleanup();
  showPage(`${address}&edit=yes`, { ...visit, answers: given(lame) });
  expect(await screen.findByText(/The path breaks at ns2\.example\.net/)).toBeTruthy();
  expect(screen.queryByRole('list', { name: 'Progress' })).toBeNull();
});

test('a zone that is not delegated ends at its parent, with the way to delegate it; one of others is refused in words', async () => {
  const missing: ZoneReport = {
    ...lame,
    zone: { ...lame.zone, state: 'missing', version: null, servers: [] },
    run: null,
    lame: [],
    parent: null,
    contacts: null,
  };
  showPage(address, { answers: given(missing) });
  expect(await screen.findByText(/isn’t delegated, so its addresses have no names/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Delegate it' }).getAttribute('href')).toContain('ReverseDNS_ip');
  cleanup();
  showPage(address, { answers: given(refusal(404, 'NOT_FOUND', 'No such zone')) });
  expect(await screen.findByText('Not a zone of this account')).toBeTruthy();
});

const none = { needed: 0, covered: 0, delegated: 0, ok: 0, warning: 0, lame: 0, unchecked: 0, missing: 0, signed: 0, endsSoon: 0 };
const summary = (outside: object[]) => ({ counts: none, contacts: null, lastCheckedAt: null, blocks: [], outside, servers: [] });

test('an account whose space other registries delegated reads which one serves its zones; only one without space has none yet', async () => {
  const waiting = { 'reverseDns.waiting.listWaiting': { rows: [], total: 0 } };
  showPage('/resources/ReverseDNSSummary', {
    answers: {
      ...answers,
      ...waiting,
      'reverseDns.getSummary': summary([{ why: 'registry', registry: 'the RIPE NCC', prefixes: ['193.0.0.0/21'], count: 7 }]),
    },
  });
  const list = await screen.findByRole('region', { name: 'Your reverse zones are served elsewhere' });
  expect(list.textContent).toContain('193.0.0.0/21 and 6 more');
  expect(list.textContent).toContain('Delegated by the RIPE NCC, which serves the reverse zones');
  expect(screen.queryByText('No address space yet')).toBeNull();
  cleanup();
  showPage('/resources/ReverseDNSSummary', { answers: { ...answers, ...waiting, 'reverseDns.getSummary': summary([]) } });
  expect(await screen.findByText('No address space yet')).toBeTruthy();
});
