import type { PolicyChange } from '@portal/contract/policy/policy';
import { expect, test } from 'vitest';
import { changeLabel, changeSentence, drawnChanges, labelledOn } from './changes-line.ts';

const hours = 'requestPolicy.promiseHours';
const changeOf = (changeId: string, validFrom: string, state: PolicyChange['state'] = 'in-force'): PolicyChange => ({
  changeId,
  validFrom,
  state,
  values: [{ name: hours, before: '16', after: '24' }],
  reason: 'The council decided it',
  decision: '',
  preparedBy: 'Stella Kowalski',
  preparedByEmail: 'stella@registry.example',
  preparedAt: '2026-01-01T00:00:00Z',
  proposedBy: null,
  confirmedBy: null,
  confirmedAt: null,
  endedBy: null,
  endedAt: null,
  until: '2026-01-03T00:00:00Z',
  announcement: null,
  fixed: [],
});
const desk = { today: '2026-11-30', currency: 'AUD' };

test('the line has the latest changes that count or may count, in the order of their days', () => {
  const changes = [changeOf('c', '2027-03-01', 'prepared'), changeOf('a', '2025-01-01'), changeOf('b', '2026-01-01', 'withdrawn')];
  expect(drawnChanges({ changes }).map(({ changeId }) => changeId)).toEqual(['a', 'c']);
  const many = Array.from({ length: 12 }, (_, place) => changeOf(String(place), `20${10 + place}-01-01`));
  expect(drawnChanges({ changes: many }).map(({ changeId }) => changeId)).toEqual(['4', '5', '6', '7', '8', '9', '10', '11']);
});

test('a label says the day and the value, and a sentence whether it is confirmed', () => {
  expect(changeLabel(changeOf('a', '2027-03-01'), 'AUD')).toMatch(/^1 Mar 2027: .*24/);
  expect(changeSentence(changeOf('a', '2027-03-01', 'prepared'), 'AUD')).toMatch(/^From 1 Mar 2027: .* 24.*, not confirmed$/);
});

test('words that would cross each other are in rows above each other, and none leaves the drawing', () => {
  const { labels, rows, scale } = labelledOn([changeOf('a', '2024-01-01'), changeOf('b', '2026-12-01'), changeOf('c', '2026-12-20')], desk);
  expect(labels.map(({ change, row }) => [change.changeId, row])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ]);
  expect(rows).toBe(2);
  expect(scale.x('2026-12-20')).toBeLessThan(700);
});

test('words stay before the line of today where they have the room', () => {
  const { labels, scale } = labelledOn([changeOf('a', '2025-01-01'), changeOf('b', '2026-11-01')], desk);
  const [first, second] = labels;
  expect(first!.x + 12 + first!.words.length * 6.4).toBeLessThanOrEqual(scale.x(desk.today));
  expect(first!.words).toMatch(/^1 Jan 2025: .*24/);
  expect(second!.words).toMatch(/^1 Nov 2026: .*24/);
});
