import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type IrtMailbox, whoisIrts } from '@portal/contract/whois/irts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answer, aRouter, show } from '@portal/app-kit/testing';
import IrtValidationPage from './IrtValidationPage.tsx';

const mailbox = (given: Partial<IrtMailbox> = {}): IrtMailbox => ({
  irt: 'IRT-EXAMPLE-AU',
  mailbox: 'abuse@example.net',
  attribute: 'abuse-mailbox',
  state: 'pending',
  validatedAt: null,
  dueAt: null,
  askedAt: '2026-11-20T00:00:00Z',
  sentAt: '2026-11-20T00:00:00Z',
  invalidAt: null,
  restrictedAt: null,
  mails: 1,
  wrongCodes: 0,
  resendsLeft: 2,
  ...given,
});

function open({
  rows = [mailbox()],
  mayAsk = true,
  restrictedBy = [],
  search = '',
  doing = { status: 200, data: {} },
}: {
  rows?: IrtMailbox[];
  mayAsk?: boolean;
  restrictedBy?: { irt: string; mailbox: string }[];
  search?: string;
  doing?: Answer;
} = {}) {
  const router = aRouter(`/admin/irt-validation${search}`);
  const notices: string[] = [];
  const shown = show(
    <PageFrame page={pages.irtValidation}>
      <IrtValidationPage />
    </PageFrame>,
    {
      router,
      kit: { notify: ({ text }) => notices.push(text) },
      answer: ({ endpoint }) => (endpoint === whoisIrts.listMailboxes.id ? { status: 200, data: { rows, mayAsk, restrictedBy } } : doing),
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, notices, sent };
}

it('a mailbox that two irts name is listed once, and a valid one needs nothing', async () => {
  open({
    rows: [
      mailbox({ state: 'valid', validatedAt: '2026-10-01T00:00:00Z', dueAt: '2027-04-01T00:00:00Z' }),
      mailbox({ state: 'valid', irt: 'IRT-EXAMPLE-NZ', attribute: 'e-mail' }),
    ],
  });
  expect(await screen.findByRole('link', { name: 'IRT-EXAMPLE-NZ' })).toBeTruthy();
  expect(screen.getAllByText('abuse@example.net')).toHaveLength(1);
  expect(screen.getByText('Valid')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Enter code' })).toBeNull();
});

it('a code counts only with the confirmation that reports are read; a wrong code is shown at the field', async () => {
  const { sent, notices } = open({ search: '?mailbox=abuse@example.net', doing: { status: 200, data: { result: 'wrong' } } });
  const dialog = within(await screen.findByRole('dialog', { name: 'Enter the code' }));
  const validate = () => fireEvent.click(dialog.getByRole('button', { name: 'Validate mailbox' }));
  fireEvent.change(dialog.getByLabelText('Code'), { target: { value: ' AB12-CD34 ' } });
  validate();
  expect(dialog.getByText('Confirm that reports are read and answered')).toBeTruthy();
  expect(sent(whoisIrts.enterCode.id)).toEqual([]);
  fireEvent.click(dialog.getByLabelText('Reports to this mailbox are read and answered'));
  validate();
  expect(await dialog.findByText(/This isn’t the latest code/)).toBeTruthy();
  expect(dialog.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true');
  expect(sent(whoisIrts.enterCode.id)).toEqual([
    { account: 'EXAMPLE-AU', body: { mailbox: 'abuse@example.net', code: 'AB12-CD34', readAndAnswered: true } },
  ]);
  expect(notices).toEqual([]);
});

it('the right code closes the dialog', async () => {
  const { router, notices } = open({ search: '?mailbox=abuse@example.net', doing: { status: 200, data: { result: 'validated' } } });
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Code'), { target: { value: 'AB12-CD34' } });
  fireEvent.click(dialog.getByLabelText(/Reports to this mailbox/));
  fireEvent.click(dialog.getByRole('button', { name: 'Validate mailbox' }));
  await waitFor(() => expect(notices).toEqual(['abuse@example.net is validated.']));
  expect(router.place().search).toBe('');
});

it('a new code is mailed to the mailbox, with the number left today shown', async () => {
  const { sent, notices } = open({ doing: { status: 200, data: { resendsLeft: 1 } } });
  fireEvent.click(await screen.findByRole('button', { name: 'Send a new code' }));
  await waitFor(() => expect(notices).toEqual(['New code sent to abuse@example.net. 1 more today.']));
  expect(sent(whoisIrts.sendCode.id)).toEqual([{ account: 'EXAMPLE-AU', body: { mailbox: 'abuse@example.net' } }]);
});

it.each([
  ['who may not ask', { mayAsk: false }, 'Only corporate and technical contacts, and users of a maintainer, can do this'],
  ['three codes today', { rows: [mailbox({ resendsLeft: 0 })] }, 'Limit of three codes a day reached. Try again tomorrow'],
  ['no first code yet', { rows: [mailbox({ sentAt: null })] }, 'The first code is sent within minutes'],
])('no new code for %s', async (_, given, reason) => {
  const { sent } = open(given);
  fireEvent.click(await screen.findByRole('button', { name: 'Send a new code' }));
  expect(screen.getByText(reason)).toBeTruthy();
  expect(sent(whoisIrts.sendCode.id)).toEqual([]);
});

it('a restricted account sees which mailbox causes it', async () => {
  open({ restrictedBy: [{ irt: 'IRT-EXAMPLE-AU', mailbox: 'abuse@example.net' }], rows: [mailbox({ state: 'restricted' })] });
  expect(await screen.findByText('EXAMPLE-AU can’t change whois objects.')).toBeTruthy();
  expect(screen.getByText(/abuse@example.net of IRT-EXAMPLE-AU/)).toBeTruthy();
});
