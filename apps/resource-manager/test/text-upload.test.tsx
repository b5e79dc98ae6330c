import type { TaskDetail } from '@portal/contract/tasks/tasks';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadAhead, refusal, showPage } from './framed-page.tsx';

beforeEach(() => localStorage.clear());
loadAhead('whoisTextUpload');
afterEach(cleanup);

const text = Array.from(
  { length: 501 },
  (_, index) =>
    `as-set: AS64500:AS-${index}\ndescr: Customers\ntech-c: CA1-EX\nadmin-c: CA1-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
).join('\n');

const task = (change: Partial<TaskDetail>): TaskDetail => ({
  taskId: 12,
  name: 'whois.modifyObjects',
  kind: 'Whois objects',
  hasItems: true,
  summary: 'Dry run of 501 whois objects',
  state: 'completed',
  outcome: 'success',
  startedBy: 'Corin Achterberg',
  mine: true,
  createdAt: '2026-10-01T10:00:00.000Z',
  startedAt: '2026-10-01T10:00:01.000Z',
  finishedAt: '2026-10-01T10:00:03.000Z',
  itemsDone: 501,
  itemsTotal: 501,
  error: null,
  mayCancel: false,
  link: '/task/MyRegistry/Whois/Bulk/ModifyObjects/1/details?id=12',
  counts: { pending: 0, ok: 501, unchanged: 0, failed: 0, skipped: 0 },
  mode: 'best-effort',
  dryRun: true,
  mayRetry: false,
  mayRevert: false,
  request: null,
  failures: [],
  ...change,
});

/** The page after a reload: the text and its dry run's task are stored on the device. */
function comeBack(task: unknown, mode: 'best-effort' | 'atomic' = 'best-effort') {
  localStorage.setItem('draft:1:whois-text:EXAMPLE-AU', JSON.stringify({ at: new Date().toISOString(), value: text }));
  localStorage.setItem(
    'draft:1:whois-text-dry-run:EXAMPLE-AU',
    JSON.stringify({ at: new Date().toISOString(), value: { taskId: 12, mode } }),
  );
  return showPage('/resources/whois-text-upload', {
    answers: { 'tasks.getTask': task, 'whois.uploadText': { objects: 501, outcomes: null, taskId: 13 } },
  });
}

const writeButton = () => screen.queryByRole('button', { name: /^Save [\d,]+ object/ });

describe('a text with more objects than run immediately', () => {
  test('is not written while its dry run is under way', async () => {
    const under = { pending: 400, ok: 101, unchanged: 0, failed: 0, skipped: 0 };
    comeBack(task({ state: 'running', outcome: null, finishedAt: null, itemsDone: 101, counts: under }));
    expect(await screen.findByText('101 would change')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Dry run' }).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('The dry run is running')).toBeTruthy();
    expect(writeButton()).toBeNull();
  });

  test('is saved without the objects that would be refused, once those are known', async () => {
    const counts = { pending: 0, ok: 499, unchanged: 0, failed: 2, skipped: 0 };
    const { calls, left } = comeBack(task({ outcome: 'partial', counts, failures: [{ message: 'There is no CA1-EX', objects: 2 }] }));
    await userEvent.click(await screen.findByRole('button', { name: 'Save 499 objects as a task' }));
    await waitFor(() => expect(left).toEqual(['/task/MyRegistry/Whois/Bulk/ModifyObjects/1/details?id=13']));
    expect(calls.find(({ id }) => id === 'whois.uploadText')?.input.body).toEqual({ text, mode: 'best-effort', dryRun: false });
    expect(localStorage).toHaveLength(0);
  });

  test('can’t be saved if one object is refused, with all or nothing', async () => {
    comeBack(task({ outcome: 'failed', counts: { pending: 0, ok: 0, unchanged: 0, failed: 1, skipped: 500 } }), 'atomic');
    expect(await screen.findByText('Fix rejected objects, then try again')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Show 1 rejected' })).toBeTruthy();
    expect(writeButton()).toBeNull();
  });

  test('is not saved if it would change nothing', async () => {
    comeBack(task({ counts: { pending: 0, ok: 0, unchanged: 501, failed: 0, skipped: 0 } }));
    expect(await screen.findByText('No changes: all objects are already stored like this')).toBeTruthy();
    expect(writeButton()).toBeNull();
  });

  test('needs another dry run when its dry run was cancelled, failed or no longer exists', async () => {
    const cancelled = { pending: 0, ok: 0, unchanged: 0, failed: 0, skipped: 501 };
    comeBack(task({ state: 'cancelled', outcome: null, counts: cancelled }));
    expect(await screen.findByText('The dry run was cancelled.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Dry run' }).getAttribute('aria-disabled')).toBeNull();
    cleanup();
    comeBack(task({ outcome: 'failed', error: 'The worker stopped three times.' }));
    expect(await screen.findByText(/The worker stopped three times/)).toBeTruthy();
    expect(writeButton()).toBeNull();
    cleanup();
    comeBack(refusal(404, 'NOT_FOUND', 'The task does not exist'));
    expect(await screen.findByText(/no longer exists/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Dry run' }).getAttribute('aria-disabled')).toBeNull();
  });

  test('needs another dry run when all or nothing is chosen after it, or the text is cleared', async () => {
    comeBack(task({}));
    await screen.findByRole('button', { name: 'Save 501 objects as a task' });
    await userEvent.click(screen.getByRole('radio', { name: 'Save none' }));
    expect(writeButton()).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Save the others' }));
    expect(writeButton()).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(writeButton()).toBeNull();
    expect(localStorage).toHaveLength(0);
  });
});
