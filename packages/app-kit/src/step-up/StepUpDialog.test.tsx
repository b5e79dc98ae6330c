import type { StoppedCall } from '@portal/api-client';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { anEnvironment, aRouter, show } from '../../test/member.tsx';
import { createHeldConfirmations } from './held-confirmations.ts';
import { StepUpDialog } from './StepUpDialog.tsx';
import { type Asking, createStepUps } from './step-ups.ts';

const call: StoppedCall = {
  endpoint: {
    id: 'requests.desk.approveRequest',
    method: 'POST',
    path: '/',
    access: { who: 'staff', permissions: ['support'] },
    effect: 'holding',
  },
  input: {},
  act: { name: 'Approve REQ-1', effect: '198.19.171.0/24 is delegated to CORAL-KI' },
};
const sentence = 'Approve REQ-1 of CORAL-KI (IPv4 /24)';
/** As the registry signs what it refused. */
const asked = `${btoa(JSON.stringify({ words: sentence }))}.signature`;
const challenge = { acrValues: null, maxAgeSeconds: 900, act: null, asked };
const begun = {
  acts: [sentence],
  effects: ['holding'],
  account: null,
  person: 'Stella',
  by: 'password',
  since: '2026-11-20T08:12:00Z',
  enrolled: true,
  ways: ['code'],
  passkey: null,
  needsPassword: false,
  minutes: 15,
  demoCode: null,
};
type Answer = [status: number, body: unknown];

/** The provider's answers, by the last part of the address. */
let answers: Record<string, Answer[]>;
let sent: { address: string; body: unknown; headers: Headers }[];
beforeEach(() => {
  sent = [];
  answers = { confirmation: [[200, begun]] };
  sessionStorage.setItem('id_token', 'a.b.c');
  document.title = 'Requests · MyRegistry';
  vi.stubGlobal('fetch', (address: string, { body, headers }: RequestInit) => {
    sent.push({ address, body: JSON.parse(body as string), headers: new Headers(headers) });
    const [status, answer] = answers[address.split('/').at(-1)!]!.shift()!;
    return Promise.resolve(new Response(status === 204 ? null : JSON.stringify(answer), { status }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

function open({ environment = anEnvironment(), isForeign = false } = {}) {
  const router = aRouter('/desk/requests?request=resources-1');
  const confirmations = createHeldConfirmations();
  const leadAway = vi.fn(() => Promise.resolve());
  const stepUps = createStepUps({ router, confirmations, leadAway });
  const outcome: { is?: unknown } = {};
  void stepUps.ask(challenge, call, isForeign).then(is => (outcome.is = is));
  show(<StepUpDialog asking={stepUps.get() as Asking} stepUps={stepUps} renew={() => Promise.resolve(false)} />, {
    router,
    kit: { environment },
  });
  return { outcome, confirmations, leadAway, stepUps };
}
const dialog = () => screen.findByRole('alertdialog', { name: 'Confirm that it’s you' });
const factors = () => sent.filter(({ address }) => address.endsWith('/factor'));

it('names the change first, has the focus in the field, and the press that confirms it sends the code', async () => {
  answers['factor'] = [[200, { confirmation: 'signed', seconds: 900 }]];
  const { outcome, confirmations } = open();
  const described = document.getElementById((await dialog()).getAttribute('aria-describedby')!)!;
  expect(described.textContent).toMatch(
    /^To carry outApprove REQ-1 of CORAL-KI \(IPv4 \/24\)198\.19\.171\.0\/24 is delegated to CORAL-KIOn the page “Requests”/,
  );
  const field = await screen.findByLabelText('One-time code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(screen.queryByLabelText('Password')).toBeNull();
  expect((await dialog()).textContent).toContain('good for decisions about resources and accounts in this tab for 15 minutes');

  await userEvent.type(field, '123 456');
  expect(factors(), 'not before the press').toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Approve REQ-1' }));
  await waitFor(() => expect(outcome.is).toMatchObject({ confirmation: 'signed', effects: ['holding'] }));
  expect(factors().map(({ body, headers }) => [body, headers.get('authorization')])).toEqual([
    [{ acts: [asked], code: '123456' }, 'Bearer a.b.c'],
  ]);
  expect(confirmations.of(call.endpoint, {})?.confirmation).toBe('signed');
});

it('of a page of another origin only the registry says what is confirmed, and for what else it is good', async () => {
  answers = {
    confirmation: [[200, { ...begun, acts: ['Remove Tess from EXAMPLE-AU'], effects: ['control'], account: 'EXAMPLE-AU' }]],
    factor: [[200, { confirmation: 'signed', seconds: 300 }]],
  };
  const { confirmations } = open({ isForeign: true });
  expect(document.body.textContent).not.toContain('REQ-1');
  expect(await screen.findByText('Remove Tess from EXAMPLE-AU')).toBeTruthy();
  expect((await dialog()).textContent).toContain('good for changes of contacts and account details of EXAMPLE-AU in this tab');
  expect((await dialog()).textContent).not.toMatch(/REQ-1|CORAL-KI/);
  await userEvent.type(screen.getByLabelText('One-time code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  // Held for what the registry said, not for what the page called it.
  await waitFor(() => expect(confirmations.get()).toMatchObject([{ effects: ['control'], account: 'EXAMPLE-AU' }]));
});

it.each([
  ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['Escape', () => userEvent.keyboard('{Escape}')],
])('%s gives it up, and sends nothing', async (_what, give) => {
  const { outcome } = open();
  await userEvent.type(await screen.findByLabelText('One-time code'), '123456');
  await give();
  await waitFor(() => expect(outcome.is).toBeNull());
  expect(factors()).toEqual([]);
});

it('an answer that comes after Escape confirms nothing that is asked about by then', async () => {
  const provider = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (address: string) =>
    address.endsWith('/factor') ? provider.promise : Promise.resolve(new Response(JSON.stringify(begun))),
  );
  const { outcome, confirmations, stepUps } = open();
  const confirm = vi.spyOn(stepUps, 'confirm');
  await userEvent.type(await screen.findByLabelText('One-time code'), '123456{Enter}');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(outcome.is).toBeNull());
  const other: { is?: unknown } = {};
  void stepUps.ask(challenge, call).then(is => (other.is = is));
  const asked = stepUps.get();
  provider.resolve(new Response(JSON.stringify({ confirmation: 'signed', seconds: 900 })));
  await waitFor(() => expect(confirm).toHaveBeenCalledTimes(1));
  expect([other, stepUps.get(), confirmations.get()]).toEqual([{}, asked, []]);
});

it('a wrong code is said beside its field, which is empty again and has the focus; the change still waits', async () => {
  const message = 'Wrong code. 4 tries left before a pause.';
  answers['factor'] = [[401, { why: 'wrong', field: 'code', message }]];
  const { outcome } = open();
  const field = await screen.findByLabelText<HTMLInputElement>('One-time code');
  await userEvent.type(field, '000000{Enter}');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(document.getElementById(field.getAttribute('aria-describedby')!)!.textContent).toContain(message);
  expect([field.value, document.activeElement === field]).toEqual(['', true]);
  expect(outcome).toEqual({});
});

it('without a connection the code stays, with the reason beside it', async () => {
  const { outcome } = open();
  const field = await screen.findByLabelText<HTMLInputElement>('One-time code');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await userEvent.type(field, '123456{Enter}');
  expect(await screen.findByText(/can’t be reached/)).toBeTruthy();
  expect([field.value, outcome]).toEqual(['123456', {}]);
});

it('an unfinished code is not sent', async () => {
  open();
  await userEvent.type(await screen.findByLabelText('One-time code'), '123{Enter}');
  expect(await screen.findByText('Enter all six digits')).toBeTruthy();
  expect(factors()).toEqual([]);
});

it('a code takes the password in a session that a passkey opened', async () => {
  answers = {
    confirmation: [[200, { ...begun, by: 'passkey', needsPassword: true }]],
    factor: [[401, { why: 'wrong', field: 'password', message: 'Wrong password.' }]],
  };
  open();
  await userEvent.type(await screen.findByLabelText('One-time code'), '123456{Enter}');
  expect(await screen.findByText('Enter your password')).toBeTruthy();
  const password = screen.getByLabelText<HTMLInputElement>('Password');
  await userEvent.type(password, 'secret words{Enter}');
  await screen.findByText('Wrong password.');
  expect(factors()[0]!.body).toMatchObject({ code: '123456', password: 'secret words' });
  expect(screen.getByLabelText<HTMLInputElement>('One-time code').value).toBe('123456');
});

it('a passkey confirms with one press', async () => {
  const get = vi.fn(() => Promise.resolve({ id: 'key' }));
  vi.stubGlobal('PublicKeyCredential', { parseRequestOptionsFromJSON: (options: unknown) => options });
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  answers = {
    confirmation: [[200, { ...begun, ways: ['passkey', 'code'], passkey: { name: 'Office laptop', lastUsedAt: null } }]],
    passkey: [[200, { challenge: 'x' }]],
    factor: [[200, { confirmation: 'signed', seconds: 900 }]],
  };
  const { outcome } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Use passkey' }));
  await waitFor(() => expect(outcome.is).toMatchObject({ confirmation: 'signed' }));
  expect(factors()[0]!.body).toEqual({ acts: [asked], passkey: '{"id":"key"}' });
});

it('a person without a second factor gives the password, and only then is led to set one up', async () => {
  answers = {
    confirmation: [[200, { ...begun, enrolled: false, ways: [] }]],
    password: [
      [401, { why: 'wrong', field: 'password', message: 'Wrong password.' }],
      [204, null],
    ],
  };
  const { outcome, leadAway } = open();
  const field = await screen.findByLabelText('Your password');
  await userEvent.type(field, 'wrong{Enter}');
  await screen.findByText('Wrong password.');
  expect(leadAway).not.toHaveBeenCalled();
  await userEvent.clear(field);
  await userEvent.type(field, 'right{Enter}');
  await waitFor(() => expect(leadAway).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(outcome.is).toBeNull());
});

it('another session in this browser is said, and nothing can be confirmed', async () => {
  answers = { confirmation: [[409, { why: 'session', field: null, message: 'You have logged in again in this browser meanwhile.' }]] };
  open();
  expect(await screen.findByText(/You have logged in again/)).toBeTruthy();
  expect(within(await dialog()).queryByLabelText('One-time code')).toBeNull();
});

it('with another provider it says where the person is about to go, and goes only on a press', async () => {
  const { leadAway } = open({ environment: anEnvironment({ issuerUri: 'https://login.example.net' }) });
  expect((await dialog()).textContent).toContain('login.example.net, where you log in, asks for your second factor.');
  expect([leadAway.mock.calls.length, sent]).toEqual([0, []]);
  await userEvent.click(screen.getByRole('button', { name: 'Go to login.example.net' }));
  expect(leadAway).toHaveBeenCalledTimes(1);
});
