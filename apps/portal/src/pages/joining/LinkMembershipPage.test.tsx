import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Answer, aRouter, aSession, show } from '@portal/app-kit/testing';
import LinkMembershipPage from './LinkMembershipPage.tsx';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] }));

const page = (
  <PageFrame page={pages.linkMembership}>
    <LinkMembershipPage />
  </PageFrame>
);
const request = (accountName: string, remindFrom: string) => ({ accountName, askedAt: '2026-11-20T09:00:00Z', remindFrom });

/** Opens the page as a person without an account, whose requests are answered with `asking`. */
function open(
  { asking = { status: 204 }, requests = [], at = '/link-existing-membership', session = aSession({ account: null }) } = {} as {
    asking?: Answer;
    requests?: object[];
    at?: string;
    session?: ReturnType<typeof aSession>;
  },
) {
  const shown = show(page, {
    router: aRouter(at),
    session,
    answer: ({ endpoint }) => (endpoint === 'contacts.accessRequests.linkAccount' ? asking : { status: 200, data: requests }),
  });
  const field = screen.getByLabelText<HTMLInputElement>('Account name');
  const send = (name?: string) => {
    if (name !== undefined) fireEvent.change(field, { target: { value: name } });
    fireEvent.submit(field.form!);
  };
  return { ...shown, field, send, sent: () => shown.sent.filter(({ endpoint }) => endpoint === 'contacts.accessRequests.linkAccount') };
}

it('the name is sent as the registry writes it, and the answer is neutral', async () => {
  const { send, sent } = open();
  send(' example-au');
  const words = await screen.findByText('If EXAMPLE-AU exists, its corporate contacts got your request.');
  expect(sent()).toMatchObject([{ input: { body: { accountName: 'EXAMPLE-AU' } } }]);
  await waitFor(() => expect(document.activeElement?.contains(words)).toBe(true));
  fireEvent.click(screen.getByText('Ask for another account'));
  expect(screen.getByLabelText<HTMLInputElement>('Account name').value).toBe('');
});

it('without a name, or with an invalid one, nothing is sent and the field shows why', () => {
  const { field, send, sent } = open();
  send();
  expect(screen.getByText('Enter the account name')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  send('example au');
  expect(screen.getByText(/2 to 40 letters/)).toBeTruthy();
  fireEvent.change(field, { target: { value: 'example-au' } });
  expect(screen.queryByText(/2 to 40 letters/)).toBeNull();
  expect(sent()).toEqual([]);
});

it.each([
  ['Ｅxample-sg', 'EXAMPLE-SG'],
  ['7net', '7NET'],
])('"%s" is requested as %s', async (typed, accountName) => {
  const { send, sent } = open();
  send(typed);
  await waitFor(() => expect(sent()).toMatchObject([{ input: { body: { accountName } } }]));
});

it.each(['a', '-AU'])('"%s" is not an account name', typed => {
  const { send, sent } = open();
  send(typed);
  expect(screen.getByText('An account name has 2 to 40 letters, digits and hyphens, such as EXAMPLE-AU')).toBeTruthy();
  expect(sent()).toEqual([]);
});

it('an account the person already acts for needs no request', () => {
  const { send, sent } = open({ session: aSession() });
  send('example-au');
  expect(screen.getByText('You’re already a contact of EXAMPLE-AU')).toBeTruthy();
  expect(sent()).toEqual([]);
});

it('a link can fill in the name', () => {
  expect(open({ at: '/link-existing-membership?account=OTHER-SG' }).field.value).toBe('OTHER-SG');
});

it('the sixth request within a day is refused with a message, and the input stays', async () => {
  const errors = [{ code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Try again in 7200 seconds', traceId: 't' }];
  const { field, send } = open({ asking: { status: 429, errors } });
  send('example-au');
  expect(await screen.findByText(/Try again in about 2 hours/)).toBeTruthy();
  expect(field.value).toBe('example-au');
});

it('requests appear in a list; after a day a reminder can be sent', async () => {
  const { sent } = open({ requests: [request('EXAMPLE-AU', '2026-11-21T09:00:00Z'), request('OTHER-SG', '2026-11-22T09:00:00Z')] });
  fireEvent.click(await screen.findByLabelText('Remind the contacts of EXAMPLE-AU'));
  await waitFor(() => expect(sent()).toMatchObject([{ input: { body: { accountName: 'EXAMPLE-AU' } } }]));
  expect(screen.queryByLabelText('Remind the contacts of OTHER-SG')).toBeNull();
  expect(screen.getByText(/You can remind them from/)).toBeTruthy();
});
