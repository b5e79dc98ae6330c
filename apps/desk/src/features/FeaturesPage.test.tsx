import { PageFrame } from '@portal/app-kit';
import { type Answer, aPerson, aRouter, aSession, type SentCall, show } from '@portal/app-kit/testing';
import type { AccountFeature, FeatureDetails } from '@portal/contract/features/features';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import './FeatureForm.tsx';
import './FeatureView.tsx';
import { answerInWords, namesIn, standingInWords } from './feature-words.ts';
import FeaturesPage from './FeaturesPage.tsx';

const details = (given: Partial<FeatureDetails> = {}): FeatureDetails => ({
  feature: 'zonefiles',
  title: 'Zone file upload',
  does: 'Members upload a zone file.',
  setting: {
    edition: 3,
    stands: 'share',
    share: 25,
    accounts: ['EXAMPLE-AU'],
    reason: 'A first quarter',
    changedBy: 'Stella Kowalski',
    changedAt: '2026-11-20T09:00:00Z',
  },
  variable: 'FLAG_ZONEFILES',
  offByInstallation: false,
  accountsOn: 103,
  accountsTotal: 412,
  calls: [
    { id: 'reverseDns.zoneFiles.readZoneFile', method: 'POST', path: '/api/:account/zone', summary: 'What a zone file would delegate.' },
  ],
  pages: [{ title: 'Zone file upload', path: '/resources/whois-zonefile-upload' }],
  accountsByShare: Array.from({ length: 101 }, (_, share) => share * 4),
  settings: [],
  ...given,
});

function open(
  search = '?feature=zonefiles',
  {
    feature = details(),
    staffPermissions = ['policy'],
    answer,
  }: { feature?: FeatureDetails; staffPermissions?: string[]; answer?: (sent: SentCall) => Answer | undefined } = {},
) {
  const person = aPerson({ staff: true, staffPermissions: staffPermissions as never });
  return show(
    <PageFrame page={pages.deskFeatures}>
      <FeaturesPage />
    </PageFrame>,
    {
      router: aRouter(`/desk/features${search}`),
      session: aSession({ person, account: null }),
      answer: sent =>
        answer?.(sent) ??
        (sent.endpoint === 'features.listFeatures' ? { status: 200, data: { features: [feature] } } : { status: 200, data: feature }),
    },
  );
}
const bodies = (sent: readonly SentCall[]) =>
  sent.filter(({ endpoint }) => endpoint === 'features.setFeature').map(({ input }) => (input as { body: unknown }).body);
const form = () => screen.findByRole('form', { name: 'Change Zone file upload' });

it('the list says who has each feature, how many accounts, and who changed it last', async () => {
  open('');
  const line = (await screen.findByRole('link', { name: 'Zone file upload' })).closest('li')!;
  expect(line.textContent).toContain('On for 25\u00a0% of accounts and 1 named account');
  expect(line.textContent).toContain('103 of 412 accounts');
  expect(line.textContent).toContain('Stella Kowalski');
});

it('a share says how many accounts it is before it is applied, and is sent with the accounts beside it', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const fields = within(await form());
  fireEvent.change(fields.getByLabelText('Share in percent'), { target: { value: '50' } });
  expect(fields.getByText(/^200 of 412 accounts now/)).toBeTruthy();
  fireEvent.change(fields.getByLabelText(/^Other accounts that have it/), { target: { value: 'example-au, other-sg' } });
  fireEvent.change(fields.getByLabelText('Reason'), { target: { value: 'It works' } });
  fireEvent.click(fields.getByRole('button', { name: 'Apply now' }));
  await waitFor(() =>
    expect(bodies(sent)).toEqual([{ edition: 3, stands: 'share', share: 50, accounts: ['EXAMPLE-AU', 'OTHER-SG'], reason: 'It works' }]),
  );
});

it('an earlier setting is set again with one press and a reason', async () => {
  const now = details().setting;
  const before = { ...now, edition: 2, stands: 'accounts' as const, share: null, accounts: ['OTHER-SG'], reason: 'First' };
  const { sent } = open('?feature=zonefiles', { feature: details({ settings: [now, before] }) });
  expect(await screen.findAllByRole('button', { name: /^Set again/ })).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Set again: On for 1 named account' }));
  const fields = within(await form());
  fireEvent.change(fields.getByLabelText('Reason'), { target: { value: 'Back' } });
  fireEvent.click(fields.getByRole('button', { name: 'Apply now' }));
  await waitFor(() =>
    expect(bodies(sent)).toEqual([{ edition: 3, stands: 'accounts', share: null, accounts: ['OTHER-SG'], reason: 'Back' }]),
  );
});

it('off needs a reason alone, and sends neither a share nor accounts', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const fields = within(await form());
  fireEvent.change(fields.getByLabelText('Available to'), { target: { value: 'off' } });
  expect(fields.queryByLabelText('Share in percent')).toBeNull();
  fireEvent.click(fields.getByRole('button', { name: 'Apply now' }));
  expect((await fields.findAllByText(/Say why in a few words/)).length).toBeGreaterThan(0);
  expect(bodies(sent)).toEqual([]);
  fireEvent.change(fields.getByLabelText('Reason'), { target: { value: 'It fails' } });
  fireEvent.click(fields.getByRole('button', { name: 'Apply now' }));
  await waitFor(() => expect(bodies(sent)).toEqual([{ edition: 3, stands: 'off', share: null, accounts: [], reason: 'It fails' }]));
});

it.each([['0'], ['100'], ['ten'], ['']])('a share of “%s” is refused at its field', async share => {
  const { sent } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const fields = within(await form());
  fireEvent.change(fields.getByLabelText('Share in percent'), { target: { value: share } });
  fireEvent.change(fields.getByLabelText('Reason'), { target: { value: 'It works' } });
  fireEvent.click(fields.getByRole('button', { name: 'Apply now' }));
  expect((await fields.findAllByText('Enter a share from 1 to 99 percent')).length).toBeGreaterThan(0);
  expect(bodies(sent)).toEqual([]);
});

it('what the installation switches off is said, and an auditor changes nothing', async () => {
  open('?feature=zonefiles', { feature: details({ offByInstallation: true, accountsOn: 0 }), staffPermissions: ['audit'] });
  expect(await screen.findByText('This feature is off in the installation’s settings.')).toBeTruthy();
  expect(screen.getByText('Off in the installation')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
});

it('someone else’s change in the meantime is said', async () => {
  open('?feature=zonefiles', {
    answer: ({ endpoint }) =>
      endpoint === 'features.setFeature' ? { status: 412, errors: [{ code: 'STALE', message: 'no', traceId: 'f00d' }] } : undefined,
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const fields = within(await form());
  fireEvent.change(fields.getByLabelText('Available to'), { target: { value: 'everyone' } });
  fireEvent.change(fields.getByLabelText('Reason'), { target: { value: 'It works' } });
  fireEvent.click(fields.getByRole('button', { name: 'Apply now' }));
  expect(await fields.findByText('Someone else changed this feature.')).toBeTruthy();
});

it('it is asked for one account, and the answer says why', async () => {
  const asked: AccountFeature = { accountName: 'OTHER-SG', isOn: false, why: 'not-in-share', fromShare: 37 };
  const { sent } = open('?feature=zonefiles', {
    answer: ({ endpoint }) => (endpoint === 'features.getAccountFeature' ? { status: 200, data: asked } : undefined),
  });
  fireEvent.change(await screen.findByLabelText('Is it on for this account?'), { target: { value: ' other-sg ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Check' }));
  expect(await screen.findByText('Off for OTHER-SG.')).toBeTruthy();
  expect(screen.getByText('OTHER-SG is in every share from 37 %.')).toBeTruthy();
  expect(sent.at(-1)?.input).toEqual({ feature: 'zonefiles', query: { account: 'OTHER-SG' } });
});

it.each([
  [{ stands: 'off', share: null, accounts: [] }, 'Off'],
  [{ stands: 'everyone', share: null, accounts: [] }, 'On for everyone'],
  [{ stands: 'accounts', share: null, accounts: ['A', 'B'] }, 'On for 2 named accounts'],
  [{ stands: 'share', share: 5, accounts: [] }, 'On for 5\u00a0% of accounts'],
] as const)('%j is said as “%s”', (setting, words) => {
  expect(standingInWords({ ...setting, accounts: [...setting.accounts] })).toBe(words);
});

it('names of accounts may be parted by anything, and each counts once', () => {
  expect(namesIn(' example-au, OTHER-SG\nexample-au; ')).toEqual(['EXAMPLE-AU', 'OTHER-SG']);
});

it('an account that has it is told apart from one that doesn’t', () => {
  expect(answerInWords({ accountName: 'X-AU', isOn: true, why: 'named', fromShare: 2 }).title).toBe('On for X-AU');
});
