import { PageFrame } from '@portal/app-kit';
import { type Answer, aRouter, aSession, show } from '@portal/app-kit/testing';
import { emptyApplication } from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications } from '@portal/contract/applications/applications';
import { feeEstimates } from '@portal/contract/billing/fee-estimates';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApplicationWizard } from './ApplicationWizard.tsx';

const application = (given: Partial<ApplicationDetail> = {}): ApplicationDetail => ({
  applicationId: '12',
  reference: 'APP-12',
  state: 'draft',
  orgName: 'Lagoon Networks',
  accountName: '',
  step: 'organisation',
  startedAt: '2026-11-20T09:00:00Z',
  savedAt: '2026-11-20T09:00:00Z',
  submittedAt: null,
  expiresAt: '2026-12-04T09:00:00Z',
  accountStatus: null,
  referredBy: null,
  version: 3,
  draft: { ...emptyApplication, orgName: 'Lagoon Networks' },
  applicant: { fullName: 'Nadia Haddad', email: 'nadia@lagoon.example' },
  question: null,
  agreement: null,
  papers: [],
  events: [],
  ...given,
});
const terms = {
  economies: ['FJ'],
  nationalRegistries: [],
  agreement: { version: '1', url: 'https://a.example' },
  maxDrafts: 3,
  reviewTime: 'two to five working days',
  draftDays: 14,
};
const saved: Answer = { status: 200, data: { version: 4, savedAt: '2026-11-20T10:00:00Z', expiresAt: '2026-12-04T10:00:00Z' } };

function open(
  given: Partial<ApplicationDetail> = {},
  { saving = () => saved, search = '' }: { saving?: () => Answer; search?: string } = {},
) {
  const router = aRouter(`/add-account?application=12${search}`);
  const shown = show(
    <PageFrame page={pages.addAccount}>
      <ApplicationWizard application={application(given)} />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null }),
      answer({ endpoint }) {
        if (endpoint === applications.getApplicationTerms.id) return { status: 200, data: terms };
        if (endpoint === applications.saveDraft.id) return saving();
        if (endpoint === applications.withdrawApplication.id) return { status: 200, data: application({ state: 'withdrawn' }) };
        if (endpoint === feeEstimates.getFeeEstimate.id)
          return { status: 200, data: { estimate: { currency: 'AUD', total: '2190.00', taxRate: '0.10' } } };
        if (endpoint === applications.checkAccountName.id) return { status: 200, data: { free: true, proposals: [] } };
        return { status: 200, data: [] };
      },
    },
  );
  const sent = (id: string) => shown.sent.filter(({ endpoint }) => endpoint === id).map(({ input }) => input);
  return { ...shown, router, sent };
}

it('the current step is marked, and the address leads to another', async () => {
  open({}, { search: '&step=membership' });
  const steps = await screen.findByRole('list', { name: 'Steps of the application' });
  expect(
    within(steps)
      .getAllByRole('listitem')
      .filter(step => step.getAttribute('aria-current') === 'step'),
  ).toHaveLength(1);
  expect(await screen.findByLabelText('Account name')).toBeDefined();
});

it('a failed save shows why, keeps the input, and can be repeated', async () => {
  let fails = true;
  const errors = [{ code: 'UNAVAILABLE', message: 'The registry is not available at the moment', traceId: 'abc' }];
  const { router, sent } = open({}, { saving: () => (fails ? { status: 503, errors } : saved) });
  fireEvent.change(await screen.findByLabelText('Legal name'), { target: { value: 'Lagoon Networks Pte Ltd' } });
  fireEvent.click(screen.getByRole('button', { name: /Contacts/ }));
  expect(await screen.findByRole('button', { name: 'Save again' })).toBeDefined();
  expect(screen.getByText(/not saved/)).toBeDefined();
  expect(router.place().search).toBe('?application=12');
  expect((screen.getByLabelText('Legal name') as HTMLInputElement).value).toBe('Lagoon Networks Pte Ltd');
  fails = false;
  fireEvent.click(screen.getByRole('button', { name: 'Save again' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save again' })).toBeNull());
  expect(sent(applications.saveDraft.id).at(-1)).toMatchObject({ body: { version: 3, draft: { orgName: 'Lagoon Networks Pte Ltd' } } });
});

it('a draft is deleted only after confirmation, which leads back to the applications', async () => {
  const { router, sent } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Delete draft' }));
  const dialog = await screen.findByRole('alertdialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(sent(applications.withdrawApplication.id)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Delete draft' }));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete draft' }));
  await waitFor(() => expect(router.place().path).toBe(pages.addAccount.path));
  expect(sent(applications.withdrawApplication.id)).toEqual([{ applicationId: '12' }]);
});

it('a submitted application cannot be deleted as a draft, and the question of the registry is shown', async () => {
  open({ state: 'needs-info', question: 'Which street number?' });
  expect(await screen.findByText('Which street number?')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Delete draft' })).toBeNull();
});

it('the first step shows a referred person who proposed the application and what that account sees', async () => {
  open({ referredBy: 'EXAMPLE-AU' });
  expect(await screen.findByText('EXAMPLE-AU proposed this application.')).toBeDefined();
  expect(screen.getByText(/nothing you enter here/)).toBeDefined();
});

it('the network plan is marked optional until resources are chosen', async () => {
  open({}, { search: '&step=resources' });
  const label = async () => (await screen.findByText('Network plan')).closest('label')?.textContent;
  expect(await label()).toContain('optional');
  fireEvent.click(screen.getByRole('checkbox', { name: 'IPv6' }));
  expect(await label()).not.toContain('optional');
});

it('hints follow the chosen economy', async () => {
  open({ draft: { ...emptyApplication, economy: 'FJ' } }, { search: '&step=billing' });
  expect(await screen.findByText('Of VAT, GST or a similar tax.')).toBeDefined();
  expect(screen.queryByText(/ABN|Australia/)).toBeNull();
});

it('the review shows the amounts again, that of the chosen kind first', async () => {
  open({ draft: { ...emptyApplication, membership: 'non-member' } }, { search: '&step=review' });
  const fees = within(await screen.findByRole('region', { name: 'Fees' }));
  expect(await fees.findAllByText(/2.190\.00/)).toHaveLength(2);
  expect(fees.getAllByRole('term').map(term => term.textContent)).toEqual(['Non-member, as chosen', 'Member']);
});
