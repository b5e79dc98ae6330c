import { PageFrame } from '@portal/app-kit';
import { feeEstimates } from '@portal/contract/billing/fee-estimates';
import { emptyApplication } from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications } from '@portal/contract/applications/applications';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answer, aRouter, aSession, show } from '@portal/app-kit/testing';
import AddAccountPage from './AddAccountPage.tsx';

const application = (given: Partial<ApplicationDetail> = {}): ApplicationDetail => ({
  applicationId: '12',
  reference: 'APP-12',
  state: 'draft',
  orgName: '',
  accountName: '',
  step: 'contacts',
  startedAt: '2026-11-20T09:00:00Z',
  savedAt: '2026-11-20T09:00:00Z',
  submittedAt: null,
  expiresAt: '2026-12-04T09:00:00Z',
  accountStatus: null,
  referredBy: null,
  version: 3,
  draft: { ...emptyApplication, position: 'Director', contactPhone: '+679 555 0141' },
  applicant: { fullName: 'Nadia Haddad', email: 'nadia@gmail.com' },
  question: null,
  agreement: null,
  papers: [],
  events: [],
  ...given,
});

function open(saving: (version: number) => Answer | Promise<Answer>, given: Partial<ApplicationDetail> = {}, search = '?application=12') {
  const router = aRouter(`/add-account${search}`);
  const shown = show(
    <PageFrame page={pages.addAccount}>
      <AddAccountPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null }),
      answer({ endpoint, input }) {
        if (endpoint === 'applications.getApplicationTerms')
          return {
            status: 200,
            data: {
              economies: ['FJ'],
              nationalRegistries: [],
              agreement: { version: '1', url: 'https://a.example' },
              maxDrafts: 3,
              reviewTime: 'two to five working days',
              draftDays: 14,
            },
          };
        if (endpoint === 'applications.saveDraft') return saving((input as { body: { version: number } }).body.version);
        if (endpoint === feeEstimates.getFeeEstimate.id)
          return {
            status: 200,
            data: {
              estimate: {
                currency: 'AUD',
                total: (input as { query: { kind: string } }).query.kind === 'member' ? '2190.00' : '2640.00',
                taxRate: '0.10',
                lines: [{ step: 'sign-up', quantity: 1, unit: '500.00', amount: '500.00' }],
              },
            },
          };
        if (endpoint === applications.checkAccountName.id) {
          const { name } = (input as { body: { name: string } }).body;
          return { status: 200, data: { free: name === 'LAGOON-FJ', proposals: ['LAGOON-FJ'] } };
        }
        if (endpoint === 'applications.getApplication') return { status: 200, data: application(given) };
        return { status: 200, data: [] };
      },
    },
  );
  const saved = () =>
    shown.sent
      .filter(({ endpoint }) => endpoint === 'applications.saveDraft')
      .map(({ input }) => {
        const { version, draft, step } = (input as { body: { version: number; step: string; draft: typeof emptyApplication } }).body;
        return { version, position: draft.position, step };
      });
  return { ...shown, router, saved };
}
const done = (version: number): Answer => ({
  status: 200,
  data: { version: version + 1, savedAt: '2026-11-20T10:00:00Z', expiresAt: '2026-12-04T10:00:00Z' },
});
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('input typed during a running save is saved after it, on top of it', async () => {
  let arrive: () => void = () => undefined;
  const first = new Promise<void>(resolve => (arrive = resolve));
  const { saved, router } = open(async version => {
    if (version === 3) await first;
    return done(version);
  });
  await screen.findByText('Corporate contact');
  type('Your position', 'Owner');
  fireEvent.click(screen.getByText('Continue'));
  await waitFor(() => expect(saved()).toHaveLength(1));
  type('Your position', 'Owner and director');
  arrive();
  await waitFor(() => expect(router.place().search).toBe('?application=12&step=membership'));
  expect(saved()).toEqual([
    { version: 3, position: 'Owner', step: 'membership' },
    { version: 4, position: 'Owner and director', step: 'membership' },
  ]);
});

it('a step with errors can’t be left, and shows them', async () => {
  const { saved } = open(done);
  await screen.findByText('Corporate contact');
  type('Your position', '');
  fireEvent.click(screen.getByText('Continue'));
  expect(screen.getAllByText('Enter your position, such as Network manager')).toHaveLength(1);
  expect(saved()).toEqual([]);
  expect(screen.getByText('nadia@gmail.com is a webmail address.')).toBeTruthy();
});

it('after a save on another device nothing is overwritten, and the newer version can be loaded', async () => {
  const { router } = open(() => ({ status: 412, errors: [{ code: 'STALE', message: 'The application was changed', traceId: 't' }] }));
  await screen.findByText('Corporate contact');
  type('Your position', 'Owner');
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('This application was changed in another window or on another device.');
  expect(router.place().search).toBe('?application=12');
  fireEvent.click(screen.getByText('Load the latest version'));
  await waitFor(() => expect((screen.getByLabelText('Your position') as HTMLInputElement).value).toBe('Director'));
});

it('a submitted application can be followed, and the registry’s question answered', async () => {
  const application = { state: 'needs-info', step: 'review', question: 'Which street number?', accountName: 'LAGOON-FJ' } as const;
  const { router } = open(done, application);
  expect(await screen.findByText('Which street number?')).toBeTruthy();
  fireEvent.click(screen.getByText('Answer'));
  await waitFor(() => expect(router.place().search).toBe('?application=12&step=review'));
  expect(await screen.findByLabelText('Your answer')).toBeTruthy();
});

it('another contact has to be complete, and the first missing field gets the focus', async () => {
  open(done);
  await screen.findByText('Corporate contact');
  fireEvent.click(screen.getAllByLabelText('Same as me')[0]!);
  fireEvent.click(screen.getByText('Continue'));
  expect(screen.getByRole('link', { name: 'Enter the full name of the billing contact' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Enter the e-mail address of the billing contact' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Full name'));
  type('Full name', 'Bill Okonkwo');
  type('E-mail', 'bill@lagoon.example');
  fireEvent.change(screen.getByLabelText('E-mail again'), { target: { value: 'bill@lagoon.exmaple' } });
  fireEvent.click(screen.getByText('Continue'));
  expect(document.activeElement).toBe(screen.getByLabelText('E-mail again'));
  expect(screen.queryByRole('alert', { name: 'There’s a problem' })).toBeNull();
});

it('a step that was left with errors shows them again', async () => {
  open(done);
  await screen.findByText('Corporate contact');
  type('Your position', '');
  fireEvent.click(screen.getByText('Continue'));
  fireEvent.click(screen.getByRole('button', { name: /Organisation/ }));
  expect(await screen.findByLabelText('Legal name')).toBeTruthy();
  // This one has not been left yet.
  expect(screen.queryByText('Enter the legal name, at least 2 characters')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /Contacts/ }));
  expect(await screen.findByText('Enter your position, such as Network manager')).toBeTruthy();
});

it('a taken account name is reported, and a free one can be picked', async () => {
  const { saved } = open(done, {}, '?application=12&step=membership');
  // The first free name is filled in, and each kind of membership has what its first year costs.
  await waitFor(() => expect((screen.getByLabelText('Account name') as HTMLInputElement).value).toMatch(/-FJ$/));
  expect(await screen.findByRole('radio', { name: /^Member\. Can vote\. AUD\s2\s190\.00$/ })).toBeTruthy();
  expect(await screen.findByRole('radio', { name: /^Non-member\. .* AUD\s2\s640\.00$/ })).toBeTruthy();
  expect(screen.getByText(/The amounts are for the first year with a \/24 of IPv4.* with tax and the sign-up fee/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'LAGOON-FJ' }));
  expect((screen.getByLabelText('Account name') as HTMLInputElement).value).toBe('LAGOON-FJ');
  fireEvent.change(screen.getByLabelText('Account name'), { target: { value: 'other-fj' } });
  fireEvent.blur(screen.getByLabelText('Account name'));
  expect(await screen.findByText('OTHER-FJ is taken. Choose another account name')).toBeTruthy();
  await waitFor(() => expect(saved()).not.toEqual([]));
});

it('what signing up and the first year cost is said before an application', async () => {
  open(done, {}, '');
  expect(
    await screen.findByText(/Signing up costs AUD.500\.00, once\..*costs AUD.2.190\.00, with tax, with the sign-up fee\./),
  ).toBeTruthy();
  expect(screen.getByText('Calculate the fee of other sizes').getAttribute('href')).toBe('/help/fee-calculator');
});
