import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type Answer, aRouter, aSession, show } from '@portal/app-kit/testing';
import { isCredential, newElectionId } from '@portal/ballots';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordSavedFiles } from '../../../../test/saved-files.ts';
import { workerHere } from '../../../../test/worker-here.ts';
import DutyPage from '../DutyPage.tsx';
import type { AuthorityView } from './AuthorityView.ts';
import { ceremonyTasks } from './ceremony-tasks.ts';

let savedFiles: ReturnType<typeof recordSavedFiles>;

beforeEach(() => {
  savedFiles = recordSavedFiles();
  vi.stubGlobal(
    'Worker',
    workerHere(() => ceremonyTasks),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const uuid = newElectionId();
const rows: { accountName: string; votes: number; emails: string[]; proxyId: string | null }[] = [
  { accountName: 'EXAMPLE-AU', votes: 8, emails: ['corin@example.net'], proxyId: null },
  { accountName: 'QUIET-FJ', votes: 1, emails: [], proxyId: null },
];
const view = (given: Partial<AuthorityView> = {}): AuthorityView => ({
  uuid,
  title: 'Council',
  roll: [
    { votes: 1, accounts: 1 },
    { votes: 8, accounts: 1 },
  ],
  sent: null,
  setUpAt: null,
  isPublished: false,
  proxies: null,
  progress: {
    authority: { fullName: 'Tess Lindqvist', isDue: true, askedAt: null },
    hasCredentials: false,
    trustees: [],
    hasKey: false,
    setUpAt: null,
  },
  ...given,
});

function openPage(given: Partial<AuthorityView> = {}, refuse?: Answer, roll = rows) {
  const arrived: string[] = [];
  const user = userEvent.setup();
  const { sent } = show(
    <PageFrame page={pages.ballotDuty}>
      <DutyPage />
    </PageFrame>,
    {
      session: aSession(),
      router: aRouter('/voting/7/duty/authority'),
      answer({ endpoint, input }) {
        if (endpoint === 'encryptedBallots.credentials.takeRoll')
          return refuse ?? { status: 200, data: { uuid, title: 'Council', rows: roll } };
        if (endpoint === 'encryptedBallots.credentials.sendCredentials') {
          arrived.push((input as { body: { credentials: string } }).body.credentials);
          return { status: 200, data: { accounts: 2, votes: 9, fingerprint: 'f' } };
        }
        return { status: 200, data: view(arrived.length > 0 ? { ...given, sent: { accounts: 2, fingerprint: 'f' } } : given) };
      },
    },
  );
  return { user, arrived, sent };
}

test('before the roll is fixed there is nothing to do, and nothing is taken', async () => {
  const { sent } = openPage({ roll: null });
  expect(await screen.findByRole('heading', { name: 'Awaiting the roll' })).toBeDefined();
  expect(sent.map(({ endpoint }) => endpoint)).toEqual(['encryptedBallots.credentials.getAuthority']);
});

test('codes are made here and kept as files; the public list that is sent has none of them', async () => {
  const { user, arrived } = openPage();
  await user.click(await screen.findByRole('button', { name: 'Take the roll and make the codes' }));
  await user.click(await screen.findByRole('button', { name: 'Private file' }));
  await user.click(screen.getByRole('button', { name: 'Mail merge (CSV)' }));
  await user.click(screen.getByRole('button', { name: 'Mailbox (mbox)' }));
  expect(screen.getByText('One account has no one who votes for it.')).toBeDefined();
  const saved = await savedFiles();
  expect(saved.map(({ name }) => name)).toEqual([`${uuid}.privcreds`, 'voting-codes-7.csv', 'voting-codes-7.mbox']);
  const codes = saved[0]!.text
    .trim()
    .split('\n')
    .map(line => line.split(' ')[1]!);
  expect(codes.map(isCredential)).toEqual([true, true]);
  expect(saved[1]!.text).toContain(`EXAMPLE-AU,8,corin@example.net,${codes[0]}`);
  const send = async () => user.click(await screen.findByRole('button', { name: 'Send the public list' }));
  await send();
  expect(arrived).toEqual([]);
  await user.click(screen.getByRole('checkbox', { name: 'I have kept the private file' }));
  await send();
  expect(await screen.findByText('Public list sent')).toBeDefined();
  for (const code of codes) expect(arrived[0]).not.toContain(code);
  expect(arrived[0]).toMatch(/^\d+ \d\n\d+ \d\n\n[0-9a-f]{64}\n[0-9a-f]{64}\n$/);
  // Nothing of the codes stays on the page.
  for (const code of codes) expect(document.body.innerHTML).not.toContain(code);
});

test('codes of belenios-tool are taken from its private file, and a file of another roll is refused in words', async () => {
  const { user } = openPage();
  const use = async (text: string) => {
    await user.upload(await screen.findByLabelText('The private file that it made'), new File([text], 'a.privcreds'));
    await user.click(await screen.findByRole('button', { name: 'Use these codes' }));
  };
  await user.click(await screen.findByText('Use codes of belenios-tool instead'));
  await use('EXAMPLE-AU,EXAMPLE-AU,8 Txj-zz4-xhc-DQR-pZr\n');
  expect(await screen.findByText(/^QUIET-FJ is on the roll and isn’t in the file/)).toBeDefined();
  await use('EXAMPLE-AU,EXAMPLE-AU,8 Txj-zz4-xhc-DQR-pZr\nQUIET-FJ,QUIET-FJ,1 fLN-oBi-o8V-F2c-fd4\n');
  await user.click(await screen.findByRole('button', { name: 'Private file' }));
  const saved = await savedFiles();
  expect(saved[0]!.text).toContain('EXAMPLE-AU,EXAMPLE-AU,8 Txj-zz4-xhc-DQR-pZr');
});

test('a roll that the registry refuses is shown with its reason', async () => {
  const { user } = openPage(
    {},
    {
      status: 409,
      errors: [{ code: 'BALLOT_NOT_READY', message: 'This isn’t possible yet: the registry hasn’t fixed the roll', traceId: 'abc' }],
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Take the roll and make the codes' }));
  expect(await screen.findByText(/the registry hasn’t fixed the roll/)).toBeDefined();
});

test('once appointments are final, the codes of accounts with proxies are found in the private file, which stays here', async () => {
  const file = 'EXAMPLE-AU,EXAMPLE-AU,8 Txj-zz4-xhc-DQR-pZr\nQUIET-FJ,QUIET-FJ,1 fLN-oBi-o8V-F2c-fd4\n';
  const given = { sent: { accounts: 2, fingerprint: 'f' }, setUpAt: '2027-02-10T04:00:00Z', isPublished: true };
  const proxies = { accounts: 1, closesAt: '2027-02-12T04:00:00Z' };
  const before = openPage({ ...given, proxies: { ...proxies, isClosed: false } });
  expect(await screen.findByText('Proxies can still be appointed and revoked')).toBeDefined();
  await before.user.click(screen.getByRole('button', { name: 'Find the codes of proxies' }));
  expect(before.sent.map(({ endpoint }) => endpoint)).not.toContain('encryptedBallots.credentials.takeRoll');
  cleanup();

  const moved = rows.with(1, { accountName: 'QUIET-FJ', votes: 1, emails: ['paul@proxy.example'], proxyId: '31' });
  const { user, sent } = openPage({ ...given, proxies: { ...proxies, isClosed: true } }, undefined, moved);
  await user.upload(await screen.findByLabelText('Your private file'), new File([file], 'a.privcreds'));
  await user.click(screen.getByRole('button', { name: 'Find the codes of proxies' }));
  await user.click(await screen.findByRole('button', { name: 'Mail merge (CSV)' }));
  const [merge] = await savedFiles();
  expect(merge!.text.trim().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^QUIET-FJ,1,paul@proxy\.example,fLN-oBi-o8V-F2c-fd4,.*\/voting\/proxy-votes\/31$/),
  ]);
  expect(JSON.stringify(sent)).not.toContain('fLN-oBi-o8V-F2c-fd4');
});
