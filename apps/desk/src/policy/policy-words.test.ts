import type { PolicyChange } from '@portal/contract/policy/policy';
import { expect, test } from 'vitest';
import { isReplaced, markOf, preparedFor, prepareHref, preparedIn } from './policy-words.ts';

const hours = 'requestPolicy.promiseHours';
const share = 'requestPolicy.transferFeeShare';

/** A change of some values, in force unless it is said otherwise. */
const changeOf = (changeId: string, validFrom: string, values: PolicyChange['values'], more: Partial<PolicyChange> = {}): PolicyChange => ({
  changeId,
  validFrom,
  state: 'in-force',
  values,
  reason: 'The council decided it',
  decision: '',
  preparedBy: 'Stella Kowalski',
  preparedByEmail: 'stella@registry.example',
  preparedAt: '2026-01-01T00:00:00Z',
  proposedBy: 'Stella Kowalski',
  confirmedBy: 'Stan Petrov',
  confirmedAt: '2026-01-02T00:00:00Z',
  endedBy: null,
  endedAt: null,
  until: '2026-01-03T00:00:00Z',
  announcement: null,
  fixed: [],
  ...more,
});

test('a change is replaced once later changes in force have all its values', () => {
  const both = changeOf('1', '2024-07-01', [
    { name: hours, before: '16', after: '40' },
    { name: share, before: '0.20', after: '0.15' },
  ]);
  const later = changeOf('2', '2025-01-01', [{ name: hours, before: '40', after: '24' }]);
  const latest = changeOf('3', '2026-01-01', [{ name: share, before: '0.15', after: '0.20' }]);
  expect(isReplaced(both, { changes: [later, both] })).toBe(false);
  expect(isReplaced(both, { changes: [latest, later, both] })).toBe(true);
  expect(isReplaced(both, { changes: [{ ...latest, state: 'confirmed' }, later, both] })).toBe(false);
  expect(isReplaced(latest, { changes: [latest, later, both] })).toBe(false);
  expect(markOf(both, { changes: [latest, later, both] }, null)).toEqual({ state: 'closed', words: 'Replaced' });
});

test('a change that waits is the move of those who can confirm it alone', () => {
  const prepared = changeOf('1', '2027-07-01', [], { state: 'prepared' });
  const of = (waits: { isYours: boolean } | null) => markOf(prepared, { changes: [prepared] }, waits).words;
  expect([of(null), of({ isYours: true }), of({ isYours: false })]).toEqual(['Not sent yet', 'Your move', 'Second person']);
});

test('the form begins with the values of its address', () => {
  const address = new URL(prepareHref([{ name: hours, value: '24' }, { name: share }]), 'http://localhost');
  expect(preparedIn(address.searchParams.get('prepare')!)).toEqual([
    { name: hours, value: '24' },
    { name: share, value: null },
  ]);
  expect(preparedIn('new|__proto__=1')).toEqual([]);
});

test('what is prepared for a value and not confirmed is listed by day', () => {
  const prepared = { state: 'prepared' } as const;
  const changes = [
    changeOf('3', '2027-03-01', [{ name: hours, before: '24', after: '16' }], prepared),
    changeOf('2', '2027-01-30', [{ name: hours, before: '24', after: '20' }], prepared),
    changeOf('1', '2027-01-01', [{ name: hours, before: '24', after: '40' }], { state: 'confirmed' }),
    changeOf('4', '2027-02-01', [{ name: hours, before: '24', after: '8' }], { ...prepared, fixed: [hours] }),
  ];
  expect(preparedFor(hours, { changes })).toEqual([
    { changeId: '2', day: '2027-01-30', value: '20' },
    { changeId: '3', day: '2027-03-01', value: '16' },
  ]);
  expect(preparedFor(share, { changes })).toEqual([]);
});
