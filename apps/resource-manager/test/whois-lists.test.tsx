import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { account, loadAhead, showPage } from './framed-page.tsx';

loadAhead('tasks', 'bulkUpdateTasks', 'download', 'whoisUpdates');
afterEach(cleanup);

const corin = '00000000-0000-4000-8000-000000000001';
const tasks = {
  rows: [],
  more: false,
  total: 0,
  facets: {
    names: [{ value: 'whois.echo', kind: 'Echo', tasks: 3 }],
    states: [{ value: 'completed', tasks: 3 }],
    outcomes: [{ value: 'failed', tasks: 1 }],
    people: [
      { value: corin, name: 'Corin Achterberg', tasks: 1 },
      { value: 'registry', name: 'The registry', tasks: 2 },
    ],
  },
};

describe('the list of tasks', () => {
  test('uses the filters in the address, and ignores invalid ones', async () => {
    const { calls } = showPage(`/task/list?outcome=partial&person=${corin}&from=2026-10-01&to=yesterday&name=mail`, {
      answers: { 'tasks.listTasks': tasks },
    });
    expect(await screen.findByText('No matches')).toBeTruthy();
    const { query } = calls.find(({ id }) => id === 'tasks.listTasks')!.input;
    expect(JSON.parse(JSON.stringify(query))).toEqual({ kind: 'all', outcome: 'partial', person: corin, from: '2026-10-01', limit: 50 });
    // The chosen filter is visible even if it matches nothing.
    expect(screen.getByRole('option', { name: 'Partly completed (0)', selected: true })).toBeTruthy();
  });

  test('shows the count of every choice, keeps it in the address, and exports it', async () => {
    const { calls, search } = showPage('/task/bulk-updates-list', {
      answers: { 'tasks.listTasks': tasks, 'tasks.exportTasks': { fileName: 'tasks.csv', blob: new Blob(['a']) } },
    });
    await screen.findByText('No tasks yet');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Started by' }), 'Corin Achterberg (1)');
    await waitFor(() => expect(search()).toBe(`?person=${corin}`));
    await userEvent.click(screen.getByRole('button', { name: 'Export tasks as CSV' }));
    await waitFor(() =>
      expect(calls.find(({ id }) => id === 'tasks.exportTasks')?.input.query).toMatchObject({ kind: 'bulk', person: corin, format: 'csv' }),
    );
  });
});

describe('the download', () => {
  const counted = {
    objects: 2_000,
    bytes: 900_000,
    classes: [
      { class: 'inetnum', objects: 1_500, bytes: 800_000 },
      { class: 'person', objects: 500, bytes: 100_000 },
    ],
    privateOnes: 4,
    masked: 0,
  };
  const answers = {
    'whoisDownload.countDownload': counted,
    'whois.download.countDownload': counted,
    'whois.listMaintainers': { rows: [] },
  };

  test('shows its size before it starts, and compresses large ones', async () => {
    showPage('/resources/download?classes=inetnum&private=yes', { answers });
    expect(await screen.findByRole('button', { name: /Download 1.500 objects/ })).toBeTruthy();
    expect(screen.getByText('with 4 private assignments, about 800 kB before it is packed')).toBeTruthy();
    expect((screen.getByRole('checkbox', { name: 'Packed (gzip)' }) as HTMLInputElement).checked).toBe(true);
  });

  test('explains an invalid range, and sends nothing to the server', async () => {
    const { calls } = showPage('/resources/download?ranges=198.18.0.9/19', { answers });
    expect(await screen.findByText(/has host bits set/)).toBeTruthy();
    expect(screen.getByText('Fix the ranges first')).toBeTruthy();
    expect(calls.some(({ id }) => id.endsWith('countDownload'))).toBe(false);
  });

  test('leaves out private assignments for those who may not see them, and says so', async () => {
    const { calls } = showPage('/resources/download?private=yes', {
      answers,
      as: account({ contactTypes: ['technical'], permissions: ['whois-domain-objects-view'] }),
    });
    await screen.findByRole('button', { name: /Download 2.000 objects/ });
    expect((screen.getByRole('checkbox', { name: 'Private assignments' }) as HTMLInputElement).disabled).toBe(true);
    expect(calls.find(({ id }) => id.endsWith('countDownload'))!.input.query).not.toHaveProperty('privateOnes');
  });
});

test('followed objects are in one list, and one click stops following', async () => {
  const rows = [
    {
      followId: 2,
      class: null,
      key: '198.18.0.0/19',
      shown: '198.18.0.0/19',
      followedAt: '2026-10-01T10:00:00.000Z',
      changedAt: null,
      gone: false,
    },
    {
      followId: 1,
      class: 'route',
      key: '198.18.0.0/24as64500',
      shown: '198.18.0.0/24AS64500',
      followedAt: '2026-10-01T09:00:00.000Z',
      changedAt: null,
      gone: true,
    },
  ];
  const { calls } = showPage('/resources/whois-updates-js/all?followed=yes', {
    answers: { 'whois.follows.listFollows': { rows }, 'whois.follows.unfollow': null },
  });
  expect((await screen.findByRole('link', { name: '198.18.0.0/19' })).getAttribute('href')).toContain(
    '/resources/prefix?prefix=198.18.0.0/19',
  );
  expect(screen.getByText('route, deleted')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Stop following route 198.18.0.0/24 AS64500' }));
  await waitFor(() => expect(calls.find(({ id }) => id === 'whois.follows.unfollow')?.input).toMatchObject({ followId: '1' }));
});
