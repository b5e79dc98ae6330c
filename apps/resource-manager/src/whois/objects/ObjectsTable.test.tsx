import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answer, type SentCall, show } from '@portal/app-kit/testing';
import { consent } from '../../../test/example-consent.ts';
import { ObjectsTable } from './ObjectsTable.tsx';

const listing = {
  class: 'as-set',
  key: 'as64500:as-all',
  shown: 'AS64500:AS-ALL',
  name: 'All',
  maintainers: ['MAINT-AU-EXAMPLE'],
  version: 1,
  changedAt: '2026-11-01T00:00:00Z',
  kept: false,
};
const answerWith =
  (consents: Answer | Promise<Answer>) =>
  ({ endpoint }: SentCall): Answer | Promise<Answer> =>
    endpoint === 'whois.listObjects'
      ? { status: 200, data: { rows: [listing], total: 1, classes: [{ class: 'as-set', objects: 1 }] } }
      : endpoint === 'whois.listMaintainers'
        ? { status: 200, data: { rows: [] } }
        : consents;

test('consents appear together with the objects, and do not push them down later', async () => {
  let come: (answer: Answer) => void = () => undefined;
  const { answers } = show(<ObjectsTable />, { answer: answerWith(new Promise<Answer>(resolve => (come = resolve))) });
  await expect.poll(() => answers.isFetching()).toBe(1);
  expect(screen.queryByText('AS64500:AS-ALL')).toBeNull();
  come({ status: 200, data: { toAnswer: [consent], asked: [] } });
  expect(await screen.findByText('AS64500:AS-ALL')).toBeDefined();
  expect(screen.getByRole('list', { name: 'Waiting for your consent' })).toBeDefined();
});

test('the objects appear even if the pending consents can’t be read', async () => {
  show(<ObjectsTable />, { answer: answerWith({ status: 403, errors: [{ code: 'NO_PERMISSION', message: 'No', traceId: 'f00d' }] }) });
  expect(await screen.findByText('AS64500:AS-ALL')).toBeDefined();
});
