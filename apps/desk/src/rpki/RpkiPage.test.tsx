import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { RpkiOverview, TroubledAuthority } from '@portal/contract/rpki/desk';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import RpkiPage from './RpkiPage.tsx';

const root = {
  keyIdentifier: '53fb663036d881044bdf64717769f704169a4970',
  keyPlace: 'here' as const,
  certificate: { notBefore: '2026-01-01T00:00:00.000Z', notAfter: '2036-01-01T00:00:00.000Z', resources: ['0.0.0.0/0', '::/0'] },
  manifest: { number: 12, thisUpdate: '2026-11-22T00:00:00.000Z', nextUpdate: '2026-11-23T02:00:00.000Z' },
};
const well: RpkiOverview = {
  alarms: [],
  trustAnchor: {
    setting: 'online',
    authority: root,
    responseAwaitedSince: null,
    locator: 'https://portal.test/rpki/registry.tal',
    as0Locator: null,
  },
  registry: root,
  publication: {
    session: {
      sessionId: '9df4b597-af9e-4dca-bdda-719cce2c4e28',
      begunAt: '2026-01-01T00:00:00.000Z',
      reason: 'The first publication',
      serial: 4031,
      publishedAt: '2026-11-22T10:00:00.000Z',
    },
    notification: 'https://portal.test/rrdp/notification.xml',
    rsync: 'rsync://portal.test/repository/',
    tree: { serial: 4031, isPresent: true },
    objects: [
      { kind: 'certificate', count: 1 },
      { kind: 'roa', count: 2400 },
    ],
    manifests: { count: 3, next: { of: 'member', accountName: 'EXAMPLE-AU', nextUpdate: '2026-11-23T01:00:00.000Z' } },
    waiting: { accounts: 0, since: null, messages: 0 },
    publisher: { succeededAt: new Date().toISOString(), failedAt: null, failure: null },
  },
  keys: { ready: 12, wanted: 24 },
  members: { hosted: 3, selfHosted: 1, suspended: 0, rollover: 0, attention: 0 },
};
const silent: TroubledAuthority = {
  accountName: 'NATREG-XX',
  orgName: 'National Registry',
  mode: 'self-hosted',
  problem: 'refused-files',
  at: '2026-11-20T10:00:00.000Z',
  refusals: ['own.mft: it has ended'],
};

function open(overview: RpkiOverview, rows: TroubledAuthority[] = [], sent: unknown[] = []) {
  return show(
    <PageFrame page={pages.deskRpki}>
      <RpkiPage />
    </PageFrame>,
    {
      router: aRouter('/desk/rpki'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer: ({ endpoint, input }) => {
        if (endpoint === 'rpki.desk.listTroubled')
          return { status: 200, data: { total: rows.length, rows, counts: rows.map(({ problem }) => ({ problem, count: 1 })) } };
        if (endpoint === 'rpki.desk.requestSignature')
          return { status: 200, data: { fileName: 'trust-anchor-request-2026-11-22.json', content: '{}\n' } };
        if (endpoint === 'rpki.desk.importSignature') {
          sent.push(input);
          return { status: 200, data: { serial: 4032, nextUpdate: '2027-02-20T00:00:00.000Z' } };
        }
        return { status: 200, data: overview };
      },
    },
  );
}

it('shows keys, certificates and the publication, and says where nothing needs attention', async () => {
  open(well);
  const publication = await screen.findByRole('region', { name: 'Publication' });
  expect(within(publication).getByText('Running')).toBeTruthy();
  expect(publication.textContent).toMatch(/2.400 ROAs/);
  expect(publication.textContent).toContain('1 certificate');
  expect(within(publication).getByRole('link', { name: 'EXAMPLE-AU' }).getAttribute('href')).toBe('/desk/accounts/EXAMPLE-AU');
  const anchor = screen.getByRole('region', { name: 'Trust anchor' });
  expect(anchor.textContent).toContain('Sealed in the database');
  expect(within(anchor).getByRole('link', { name: 'Locator (TAL)' }).getAttribute('href')).toBe('https://portal.test/rpki/registry.tal');
  expect(within(anchor).queryByRole('button', { name: 'Upload response file' })).toBeNull();
  expect(screen.getByText('No certificate authority needs attention')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says each alarm in words with what to do', async () => {
  open({
    ...well,
    alarms: [
      { kind: 'dated-in-the-future', count: 12, latest: '2027-11-22T10:00:00.000Z' },
      { kind: 'publishing-fails', since: '2026-11-22T10:00:00.000Z', failure: 'the disk is full' },
      { kind: 'manifests-end', count: 1, soonest: '2026-11-22T14:00:00.000Z' },
      { kind: 'trust-anchor-ends', soonest: '2026-11-29T10:00:00.000Z' },
      { kind: 'certificate-ends', soonest: '2026-12-10T10:00:00.000Z' },
      { kind: 'changes-wait', accounts: 2, since: '2026-11-22T10:00:00.000Z' },
    ],
    publication: {
      ...well.publication,
      publisher: { succeededAt: null, failedAt: '2026-11-22T10:00:00.000Z', failure: 'the disk is full' },
    },
  });
  const alarms = (await screen.findAllByRole('alert')).map(({ textContent }) => textContent);
  expect(alarms.shift()).toMatch(/12 files begin in the future.*22 Nov 2027.*validators refuse them.*Check the clocks/);
  expect(alarms).toHaveLength(5);
  expect(alarms[0]).toMatch(/Publishing fails.*The publisher says: the disk is full.*Read the log/);
  expect(alarms[1]).toMatch(/1 manifest was not renewed in time.*22 Nov 2026, 2:00/);
  expect(alarms[2]).toMatch(/has to sign again.*29 Nov 2026/);
  expect(alarms[3]).toMatch(/certificate of the registry ends soon.*10 Dec 2026/);
  expect(alarms[4]).toMatch(/Changes of 2 accounts wait/);
  expect(screen.getByText('Its last round failed')).toBeTruthy();
});

it('names members whose authority needs attention, with what to do and what validators say', async () => {
  open({ ...well, members: { ...well.members, attention: 1 } }, [silent]);
  const row = await screen.findByRole('row', { name: /NATREG-XX/ });
  expect(within(row).getByRole('link', { name: 'NATREG-XX' }).getAttribute('href')).toBe('/desk/accounts/NATREG-XX');
  expect(within(row).getByText('Validators refuse files')).toBeTruthy();
  expect(row.textContent).toContain('own.mft: it has ended');
});

it('saves the request file of an offline trust anchor and takes its response', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const sent: unknown[] = [];
  open(
    {
      ...well,
      trustAnchor: {
        ...well.trustAnchor,
        setting: 'offline',
        authority: { ...root, keyPlace: 'offline' },
        responseAwaitedSince: '2026-11-21T09:00:00.000Z',
      },
    },
    [],
    sent,
  );
  expect(await screen.findByText(/its response hasn’t been uploaded/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Download request file' }));
  await vi.waitFor(() => expect(saved).toEqual(['trust-anchor-request-2026-11-22.json']));
  await userEvent.click(screen.getByRole('button', { name: 'Upload response file' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Publish' }));
  expect(await within(dialog).findByText('Choose the response file')).toBeTruthy();
  await userEvent.upload(
    within(dialog).getByLabelText('Response file'),
    new File(['{"kind":"x"}'], 'response.json', { type: 'application/json' }),
  );
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Publish' }));
  await vi.waitFor(() => expect(sent).toEqual([expect.objectContaining({ body: { response: '{"kind":"x"}' } })]));
});

it('says how an offline trust anchor is set up, and that an online one makes itself', async () => {
  const { unmount } = open({
    ...well,
    trustAnchor: { ...well.trustAnchor, setting: 'offline', authority: null, locator: null },
    registry: null,
  });
  expect((await screen.findByText('registry rpki ta init FOLDER')).tagName).toBe('CODE');
  unmount();
  open({
    ...well,
    trustAnchor: { ...well.trustAnchor, authority: null, locator: null },
    registry: null,
    publication: { ...well.publication, session: null, publisher: null },
  });
  expect(await screen.findByText('No trust anchor yet')).toBeTruthy();
  expect(screen.getByText('No publication yet')).toBeTruthy();
});
