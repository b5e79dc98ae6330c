import { PageFrame } from '@portal/app-kit';
import type { ActivityLine } from '@portal/contract/activity-log/activity-log';
import { dayIn, daysAfter } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type SentCall, type Answer, anAccount, anEnvironment, aRouter, aSession, show } from '@portal/app-kit/testing';
import ActivityLogsPage from './ActivityLogsPage.tsx';

const environment = anEnvironment({ profileUrl: 'http://localhost:3000/account' });
const today = dayIn(environment.registryTimeZone, new Date());
const session = aSession({ account: anAccount({ permissions: ['member-account-access-logs-view'] }), environment });

const aLine = (given: Partial<ActivityLine> = {}): ActivityLine => ({
  activityId: 7,
  at: '2026-11-20T09:31:00Z',
  actor: { kind: 'contact', name: 'Corin Achterberg', contactId: '3f0e0d3c-7c52-4a3e-9a62-0f3a8e3f8a11' },
  action: 'contacts.inviteContact',
  what: 'Invite a contact',
  category: 'contacts',
  object: 'Penny Day',
  summary: 'Invited a contact',
  result: 'done',
  refusal: null,
  address: '192.0.2.7',
  secondFactor: true,
  traceId: 'ab'.repeat(16),
  ...given,
});
const refused = aLine({
  activityId: 6,
  object: '',
  result: 'refused',
  refusal: { code: 'NO_PERMISSION', words: 'You do not have permission to access this feature' },
});
const detail = {
  line: aLine(),
  changes: [
    {
      rowChangeId: 1,
      operation: 'changed',
      what: 'Contact',
      name: 'Penny Day',
      columns: [
        { label: 'Contact types', shape: 'list', before: ['technical', 'billing'], after: ['billing', 'corporate'] },
        { label: 'Telephone', shape: 'text', before: null, after: ['+61 7 5550 0100'] },
      ],
    },
  ],
  more: false,
  withheld: [{ permission: 'View number resources', rows: 2 }],
  forgotten: 0,
  seal: null,
};

/** The API of a log with these lines; `newer` may change while the page is open. */
const log = (lines: ActivityLine[], api: { newer?: number; failing?: boolean } = {}) => {
  const answers: Record<string, (query: Record<string, unknown>) => Answer> = {
    'activityLog.listActivities': ({ before }) =>
      api.failing
        ? { status: 500, errors: [{ code: 'UNEXPECTED_ERROR', message: 'It broke', traceId: 'f00d' }] }
        : {
            status: 200,
            data: before ? { lines: [aLine({ activityId: 1, object: 'Olden Time' })], older: false } : { lines, older: lines.length > 1 },
          },
    'activityLog.listDays': ({ from, to }) => {
      const days: string[] = [];
      for (let day = String(from); day <= String(to); day = daysAfter(day, 1)) days.push(day);
      return {
        status: 200,
        data: { timeZone: 'Australia/Brisbane', days: days.map(day => ({ day, done: day === today ? lines.length : 0, refused: 0 })) },
      };
    },
    'activityLog.getActivityLog': () => ({
      status: 200,
      data: {
        contacts: [{ contactId: '3f0e0d3c-7c52-4a3e-9a62-0f3a8e3f8a11', name: 'Corin Achterberg', former: false }],
        since: null,
        sealed: { activityId: 5, at: '2026-11-20T09:30:00Z' },
      },
    }),
    'activityLog.countNewer': () => ({ status: 200, data: { lines: api.newer ?? 0 } }),
    'activityLog.getActivity': () => ({ status: 200, data: detail }),
  };
  return ({ endpoint, input }: SentCall): Answer => answers[endpoint]!((input as { query?: Record<string, unknown> }).query ?? {});
};
const open = (answer: (sent: SentCall) => Answer, router = aRouter('/')) =>
  show(
    <PageFrame page={pages.activityLogs}>
      <ActivityLogsPage />
    </PageFrame>,
    { answer, session, router, kit: { environment } },
  );
const queries = (sent: readonly SentCall[], endpoint: string) =>
  sent.filter(call => call.endpoint === endpoint).map(call => (call.input as { query: Record<string, unknown> }).query);

it('lists changes and refused attempts, and links to the person’s own sign-ins', async () => {
  const { sent } = open(log([aLine(), refused]));
  expect(await screen.findByText('Penny Day')).toBeTruthy();
  expect(screen.getByText('You do not have permission to access this feature')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'your own' }).getAttribute('href')).toBe('http://localhost:3000/account/history');
  expect(await screen.findByText(/Sealed up to line 5/)).toBeTruthy();
  expect(queries(sent, 'activityLog.listActivities')[0]).toMatchObject({ from: daysAfter(today, -29), to: today });
});

it('a proof of more days than it covers is offered for the newest of them, and says so before the press', async () => {
  open(log([aLine()]), aRouter('/?period=365'));
  expect(await screen.findByRole('button', { name: 'Proof of the last 92 days' })).toBeTruthy();
  expect(screen.getByText(/A proof covers at most 92 days/)).toBeTruthy();
});

it('a proof of days that it covers is offered as it is', async () => {
  open(log([aLine()]), aRouter('/?period=90'));
  expect(await screen.findByRole('button', { name: 'Proof' })).toBeTruthy();
  expect(screen.queryByText(/A proof covers at most/)).toBeNull();
});

it('filters are part of the address, and the list and the days follow', async () => {
  const router = aRouter('/');
  const { sent } = open(log([aLine()]), router);
  await screen.findByText('Penny Day');
  fireEvent.change(screen.getByLabelText('Result'), { target: { value: 'refused' } });
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: 'staff' } });
  expect(new URLSearchParams(router.place().search).get('result')).toBe('refused');
  await waitFor(() => expect(queries(sent, 'activityLog.listActivities').at(-1)).toMatchObject({ result: 'refused', actor: 'staff' }));
  expect(queries(sent, 'activityLog.listDays').at(-1)).toMatchObject({ result: 'refused', actor: 'staff' });
});

it('a day is chosen with the keyboard, a second one makes it a range, Escape clears it', async () => {
  const router = aRouter('/');
  open(log([aLine()]), router);
  const chart = await screen.findByRole('listbox', { name: /^Activities by day/ });
  const last = () => within(chart).getAllByRole('option').at(-1)!;
  expect(last().getAttribute('aria-label')).toMatch(/: 1 done$/);
  fireEvent.keyDown(last(), { key: 'Enter' });
  const chosen = () => Object.fromEntries(new URLSearchParams(router.place().search));
  expect(chosen()).toMatchObject({ from: today, to: today });
  fireEvent.keyDown(last(), { key: 'ArrowLeft', shiftKey: true });
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowLeft', shiftKey: true });
  fireEvent.keyDown(document.activeElement!, { key: 'Enter' });
  expect(chosen()).toMatchObject({ from: daysAfter(today, -2), to: today });
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
  expect(chosen()).toEqual({});
});

it('a line opens with its before and after, and has its own address', async () => {
  const router = aRouter('/');
  open(log([aLine(), refused]), router);
  fireEvent.click(await screen.findByRole('button', { name: /Penny Day/ }));
  expect(router.place().search).toContain('line=7');
  const drawer = await screen.findByRole('dialog', { name: 'Line 7' });
  expect(await within(drawer).findByText('+61 7 5550 0100')).toBeTruthy();
  const row = within(drawer).getByRole('row', { name: /^Contact types/ });
  expect(row.textContent).toContain('removed: technical');
  expect(row.textContent).toContain('added: corporate');
  expect(within(drawer).getByText(/2 changed rows are left out: they need “View number resources”/)).toBeTruthy();
  fireEvent.click(within(drawer).getByRole('button', { name: 'Older line' }));
  expect(router.place().search).toContain('line=6');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(router.place().search).toBe('');
});

it('older lines are requested after the last one', async () => {
  const { sent } = open(log([aLine(), refused]));
  fireEvent.click(await screen.findByRole('button', { name: 'Show older lines' }));
  expect(await screen.findByText('Olden Time')).toBeTruthy();
  expect(queries(sent, 'activityLog.listActivities').at(-1)).toMatchObject({ before: 6 });
  expect(screen.queryByRole('button', { name: 'Show older lines' })).toBeNull();
});

it('new lines are announced and loaded on demand', async () => {
  const api = { newer: 3 };
  const lines = [aLine()];
  open(log(lines, api));
  const news = await screen.findByRole('button', { name: '3 new lines' });
  lines.unshift(aLine({ activityId: 10, object: 'Quinn Abel' }));
  api.newer = 0;
  act(() => news.click());
  expect(await screen.findByText('Quinn Abel')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('3 new lines')).toBeNull());
});

it('an empty log explains what belongs there; one emptied by filters, how to see more', async () => {
  const router = aRouter('/?result=refused');
  open(log([]), router);
  expect(await screen.findByText('No matches')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
  expect(await screen.findByText('No activity')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show 12 months' }));
  expect(router.place().search).toBe('?period=365');
});

it('a failed read says so, with the trace id and a way to retry', async () => {
  const api = { failing: true };
  open(log([aLine()], api));
  expect((await screen.findByRole('alert')).textContent).toContain('It broke');
  expect(screen.getByText('f00d', { exact: false })).toBeTruthy();
  api.failing = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Penny Day')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
