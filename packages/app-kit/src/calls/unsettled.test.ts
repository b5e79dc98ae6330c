import type { Client } from '@portal/api-client';
import { beforeEach, expect, it } from 'vitest';
import type { Notice } from '../kit/kit.ts';
import { settleStoredChanges, unsettledChanges } from './unsettled.ts';

const change = { endpoint: 'contacts.inviteContact', key: 'a'.repeat(32) };
beforeEach(() => sessionStorage.clear());

/** A registry that gives these outcomes, one for each question; null: it does not answer. */
function registry(outcomes: (string | null)[]) {
  const asked: unknown[] = [];
  const notices: Notice[] = [];
  const call = (async (_: unknown, { body }: { body: unknown }) => {
    asked.push(body);
    const outcome = outcomes.shift() ?? null;
    return outcome === null ? { status: 500, errors: [] } : { status: 200, data: { outcome, savedAt: null } };
  }) as unknown as Client;
  return { asked, notices, call, notify: (notice: Notice) => notices.push(notice) };
}

it('a person reads that the outcome is unknown, then that it was saved; nothing is left to ask', async () => {
  const { call, asked, notices, notify } = registry([]);
  const { unsure, settled } = unsettledChanges(notify);
  unsure(change);
  settled(change, 'saved');
  expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/^The connection broke/), 'Your change was saved.']);
  await settleStoredChanges(call, notify);
  expect(asked).toEqual([]);
});

it('a page that was reloaded shows the result of the change once the registry answers', async () => {
  const { call, asked, notices, notify } = registry([null, 'saved', 'not-saved']);
  unsettledChanges(() => {}).unsure(change);
  await settleStoredChanges(call, notify);
  expect(notices).toEqual([]);
  await settleStoredChanges(call, notify);
  expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/^Your change from \d\d:\d\d was saved\.$/)]);
  expect(asked).toEqual([change, change]);
  unsettledChanges(() => {}).unsure(change);
  await settleStoredChanges(call, notify);
  expect(notices[1]).toMatchObject({ kind: 'info', text: expect.stringContaining('was not saved') });
});

it('full storage or invalid content does no harm', async () => {
  const full = {
    getItem: () => '{"a":1}',
    removeItem: () => undefined,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  const { call, asked, notify } = registry([]);
  unsettledChanges(notify, full as unknown as Storage).unsure(change);
  await settleStoredChanges(call, notify, full as unknown as Storage);
  expect(asked).toEqual([]);
});
