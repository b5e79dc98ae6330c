import { PageFrame } from '@portal/app-kit';
import { anAccount, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { pages } from '@portal/contract/pages';
import { rpkiAspas } from '@portal/contract/rpki/aspas';
import { type Roa, type RpkiStatus, rpki } from '@portal/contract/rpki/rpki';
import { rpkiSelfHosted, type SelfHosted } from '@portal/contract/rpki/self-hosted';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import RpkiPage from './RpkiPage.tsx';

const hoursFromNow = (hours: number): string => instantAfter(new Date(), hours * HOUR_MS);
const key = (keyId: string, state: 'new' | 'current' | 'old'): RpkiStatus['keys'][number] => ({
  number: Number(keyId) - 3,
  keyId,
  state,
  since: hoursFromNow(-30),
  certificate: {
    serial: '3bd35a2dcdab0000',
    notBefore: hoursFromNow(-30),
    notAfter: hoursFromNow(10_000),
    uri: 'rsync://localhost/repository/registry/a.cer',
    resources: ['198.18.0.0/19'],
  },
  manifest: { number: 7, thisUpdate: hoursFromNow(-2), nextUpdate: hoursFromNow(24), uri: 'rsync://localhost/repository/members/a/a.mft' },
});
const hosted = (given: Partial<RpkiStatus> = {}): RpkiStatus => ({
  suspension: null,
  mode: 'hosted',
  version: 3,
  enabledAt: hoursFromNow(-30),
  held: ['198.18.0.0/20', '198.18.16.0/20', '203.0.113.0/24'],
  certified: ['198.18.0.0/19'],
  missing: ['203.0.113.0/24'],
  keys: [key('4', 'current')],
  rollover: null,
  counts: { roas: 1, pending: 0, published: 1, notHeld: 0, stopped: 0 },
  repository: {
    serial: 12,
    publishedAt: hoursFromNow(-2),
    rsync: 'rsync://localhost:8730/repository/',
    notification: null,
    locator: 'http://localhost/rpki/registry.tal',
    as0Locator: null,
  },
  isPublishing: false,
  unpublished: { files: [], waitingSince: null },
  ...given,
});
const roa: Roa = {
  roaId: '1',
  prefix: '198.18.0.0/20',
  asn: 64500,
  maxLength: 20,
  comment: 'Sydney',
  state: 'published',
  uri: 'rsync://localhost/repository/members/a/b.roa',
  expiresAt: hoursFromNow(8_000),
  createdAt: hoursFromNow(-30),
};

function open(
  status: RpkiStatus,
  search = '',
  permissions = ['rescert-view', 'rescert-update', 'rpki-config-update'],
  selfHosted: SelfHosted = { authority: null, certifiable: ['198.18.0.0/20'] },
  session = aSession({ account: anAccount({ permissions: permissions as never }) }),
  refused: Record<string, { code: string; field: string; message: string }[]> = {},
) {
  const router = aRouter(`/resources/rpki/index${search}`);
  const answers: Record<string, unknown> = {
    [rpki.getStatus.id]: status,
    [rpkiSelfHosted.getSelfHosted.id]: selfHosted,
    [rpki.listRoas.id]: { version: status.version, rows: [roa], total: 1 },
    [rpki.previewRevocation.id]: { version: status.version, roas: [roa], certified: status.certified },
    [rpki.listHistory.id]: { rows: [], more: false },
    [notificationPreferences.getNotificationPreferences.id]: { topics: [{ topic: 'routes.alerts', delivery: 'daily' }] },
    [rpkiAspas.listAspas.id]: { rows: [], asNumbers: ['AS64500'] },
    [rpkiAspas.checkAspa.id]: {
      problems: [],
      version: 0,
      added: [64501, 64502],
      removed: [],
      kept: [],
      seen: { collectedAt: null, upstreams: [], lacking: [], toConfirm: 0 },
    },
  };
  const shown = show(
    <PageFrame page={pages.rpki}>
      <RpkiPage />
    </PageFrame>,
    {
      router,
      session,
      answer: ({ endpoint }) =>
        refused[endpoint] ? { status: 400, errors: refused[endpoint] as never } : { status: 200, data: answers[endpoint] ?? {} },
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, sent };
}

it('RPKI is enabled in three steps of the address, after the member agreed that the registry keeps the keys', async () => {
  const off = hosted({
    mode: 'off',
    version: 0,
    enabledAt: null,
    certified: [],
    missing: [],
    keys: [],
    counts: { ...hosted().counts, roas: 0 },
  });
  const { router, sent } = open(off);
  fireEvent.click(await screen.findByRole('button', { name: 'Next: what is certified' }));
  expect(router.place().search).toBe('?step=two');
  expect(screen.getByText('203.0.113.0/24')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Next: enable' }));
  const enable = screen.getByRole('button', { name: 'Enable RPKI' });
  expect(enable.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Enable RPKI' }));
  await waitFor(() => expect(sent(rpki.enable.id)).toEqual([{ account: 'EXAMPLE-AU' }]));
});

it('each held resource shows whether the certificate covers it, also if one contains another', async () => {
  open(hosted());
  const certificate = within((await screen.findByRole('heading', { name: 'Certificate' })).closest('section')!);
  expect(certificate.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '198.18.0.0/20Certified',
    '198.18.16.0/20Certified',
    '203.0.113.0/24In the next publication',
  ]);
  expect(screen.getByRole('figure', { name: /^Life of the certificate: 13 months left/ })).toBeTruthy();
});

it('how the person gets alerts is chosen beside the certificate', async () => {
  const { sent } = open(hosted());
  fireEvent.change(await screen.findByLabelText('Delivery'), { target: { value: 'weekly' } });
  await waitFor(() =>
    expect(sent(notificationPreferences.saveNotificationPreference.id)).toEqual([{ body: { topic: 'routes.alerts', delivery: 'weekly' } }]),
  );
});

it('an expiring and an expired manifest are shown as such', async () => {
  const ending = (hours: number) =>
    hosted({ keys: [{ ...key('4', 'current'), manifest: { ...key('4', 'current').manifest!, nextUpdate: hoursFromNow(hours) } }] });
  const first = open(ending(4));
  expect(await screen.findByText(/^Late/)).toBeTruthy();
  first.unmount();
  open(ending(-1));
  expect(await screen.findByText('Ended: validators ignore your ROAs')).toBeTruthy();
});

it('the certificate is revoked only after the number of ROAs is typed', async () => {
  const { sent, router } = open(hosted(), '?act=revoke');
  const act = await screen.findByRole('button', { name: 'Revoke, and delete 1 ROA' });
  expect(act.getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(screen.getByLabelText('Type the number of ROAs to confirm'), { target: { value: '1' } });
  fireEvent.click(screen.getByRole('button', { name: 'Revoke, and delete 1 ROA' }));
  await waitFor(() => expect(sent(rpki.revoke.id)).toEqual([{ account: 'EXAMPLE-AU', body: { version: 3, removing: 1 } }]));
  await waitFor(() => expect(router.place().search).toBe(''));
});

it('a rollover shows its stage, and the new key can’t sign until a day after it was certified', async () => {
  const rolling = (hours: number) =>
    hosted({
      keys: [key('4', 'current'), key('5', 'new')],
      rollover: { startedAt: hoursFromNow(hours - 24), activateFrom: hoursFromNow(hours) },
    });
  const early = open(rolling(20));
  expect((await screen.findByRole('button', { name: 'Let the new key sign' })).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Wait 24 hours').closest('li')!.getAttribute('aria-current')).toBe('step');
  early.unmount();
  const { sent } = open(rolling(-1));
  fireEvent.click(await screen.findByRole('button', { name: 'Let the new key sign' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Let it sign' }));
  await waitFor(() => expect(sent(rpki.activateKey.id)).toEqual([{ account: 'EXAMPLE-AU' }]));
});

it('a contact with read-only access is refused changes, with the reason', async () => {
  open(hosted(), '', ['rescert-view']);
  for (const name of ['Roll over the key', 'Revoke the certificate'])
    expect((await screen.findByRole('button', { name })).getAttribute('aria-disabled')).toBe('true');
});

it('providers of an AS are reviewed before they are published', async () => {
  const { sent } = open(hosted({ held: ['198.18.0.0/19', 'AS64500'] }), '?aspa=new', ['rescert-view', 'roas-update']);
  fireEvent.change(await screen.findByLabelText('Providers'), { target: { value: 'AS64502, AS64501' } });
  fireEvent.click(screen.getByRole('button', { name: 'Review' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Publish providers' }));
  await waitFor(() =>
    expect(sent(rpkiAspas.saveAspa.id)).toEqual([
      { account: 'EXAMPLE-AU', body: { customer: 'AS64500', providers: ['AS64502', 'AS64501'], comment: '', version: 0 } },
    ]),
  );
});

const own: SelfHosted = {
  certifiable: ['198.18.0.0/20'],
  authority: {
    handle: 'Example-AU',
    connectedAt: hoursFromNow(-5),
    parentResponse: '<parent_response/>',
    keys: [
      {
        keyIdentifier: 'ab'.repeat(20),
        resources: ['198.18.0.0/20'],
        notAfter: hoursFromNow(9_000),
        publishesHere: true,
        repositoryUri: 'rsync://localhost/repository/delegated/a/',
        shrinksAt: null,
      },
    ],
    lastAskedAt: hoursFromNow(-1),
    publication: {
      handle: 'Example-AU',
      directory: 'rsync://localhost/repository/delegated/a/',
      repositoryResponse: '<repository_response/>',
      files: 4,
      lastPublishedAt: hoursFromNow(-1),
      problems: [],
      hints: ['a.mft: The manifest lists its files in another order'],
      endsAt: hoursFromNow(20),
      beingChecked: false,
    },
    vrps: 2,
    hostedAlone: { count: 1, roas: ['AS64500 198.18.0.0/20, max /20'] },
  },
};
const all = ['rescert-view', 'rescert-update', 'rpki-config-update'];

it('a certificate authority of the account’s own is connected with its file', async () => {
  const { sent } = open(hosted(), '?act=connect');
  fireEvent.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Choose child_request.xml first')).toBeTruthy();
  expect(sent(rpkiSelfHosted.connect.id)).toEqual([]);
  fireEvent.change(screen.getByLabelText('child_request.xml'), {
    target: { files: [new File(['<child_request/>'], 'child_request.xml')] },
  });
  await screen.findByText('child_request.xml', { selector: 'li *' });
  fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
  await waitFor(() =>
    expect(sent(rpkiSelfHosted.connect.id)).toEqual([{ account: 'EXAMPLE-AU', body: { childRequest: '<child_request/>' } }]),
  );
});

it('a problem of a set-up file is shown where it was chosen', async () => {
  const message = 'The message is not well-formed XML, line 1, character 8: text data outside of root node';
  open(hosted(), '?act=connect', all, undefined, undefined, {
    [rpkiSelfHosted.connect.id]: [{ code: 'INVALID_REQUEST', field: 'childRequest', message }],
  });
  fireEvent.change(await screen.findByLabelText('child_request.xml'), { target: { files: [new File(['nonsense'], 'child_request.xml')] } });
  await screen.findByText('child_request.xml', { selector: 'li *' });
  fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryByText(/childRequest/)).toBeNull();
});

it('the focus moves into the form that the button opens, and back to the button', async () => {
  open(hosted());
  const opener = await screen.findByRole('button', { name: 'Connect yours' });
  opener.focus();
  fireEvent.click(opener);
  await waitFor(() => expect(document.activeElement?.contains(screen.getByLabelText('child_request.xml'))).toBe(true));
  expect(document.activeElement).not.toBe(document.body);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Connect yours' })));
});

it('keys are numbered for the account', async () => {
  open(hosted());
  expect(await screen.findByText('Key 1')).toBeTruthy();
});

it('hosted ROAs missing at its own certificate authority are listed before hosted RPKI is turned off', async () => {
  const first = open(hosted(), '', all, own);
  expect(await screen.findByText('1 hosted ROA is not published here by your own.')).toBeTruthy();
  first.unmount();
  open(hosted(), '', all, { ...own, authority: { ...own.authority!, hostedAlone: { count: 0, roas: [] } } });
  fireEvent.click(await screen.findByRole('button', { name: 'Turn hosted RPKI off' }));
  expect(await screen.findByRole('button', { name: 'Revoke, and delete 1 ROA' })).toBeTruthy();
});

it('payloads are marked as outdated while the latest publication is checked', async () => {
  const authority = { ...own.authority!, publication: { ...own.authority!.publication!, beingChecked: true } };
  open(hosted(), '', all, { ...own, authority });
  expect(await screen.findByText('2. What it published last is being checked')).toBeTruthy();
});

it('it is disconnected only after the number of ROA payloads is typed', async () => {
  const { sent } = open(hosted({ mode: 'off', counts: { ...hosted().counts, roas: 0 } }), '?act=disconnect', all, own);
  await screen.findByRole('button', { name: 'Disconnect, and withdraw 2 ROA payloads' });
  fireEvent.change(screen.getByLabelText('Type the number of ROA payloads to confirm'), { target: { value: '2' } });
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect, and withdraw 2 ROA payloads' }));
  await waitFor(() => expect(sent(rpkiSelfHosted.disconnect.id)).toEqual([{ account: 'EXAMPLE-AU', body: { removing: 2 } }]));
});

it('registry staff who view an account see its RPKI without actions, and no alerts of their own', async () => {
  const visit = aSession({
    account: anAccount({ asStaff: true, contactTypes: [], permissions: [] }),
    person: aPerson({ staff: true, mfa: true }),
  });
  open(hosted(), '', [], { authority: null, certifiable: [] }, visit);
  expect(await screen.findByText('198.18.0.0/20')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Revoke the certificate' }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByText('How you get alerts')).toBeNull();
});

it('says what is left out of publication, and that it still counts elsewhere', async () => {
  const uri = 'rsync://localhost/repository/members/a/c.roa';
  open(
    hosted({
      isPublishing: true,
      unpublished: { files: [{ uri, problem: 'its name is longer than the file system takes' }], waitingSince: hoursFromNow(-1) },
    }),
  );
  await screen.findByText('Changes are left out');
  expect(screen.getByText('Your changes are not published.')).toBeTruthy();
  expect(screen.getByText('A file is not in rsync.')).toBeTruthy();
  expect(screen.getByText(/c\.roa: its name is longer/)).toBeTruthy();
});

it('is silent about what is left out where nothing is', async () => {
  open(hosted());
  await screen.findByText('Up to date');
  expect(screen.queryByText(/not in rsync|not published/)).toBeNull();
});
