import { expect, test } from 'vitest';
import { inRows } from './mark-rows.ts';

const span = { from: '2026-01-01', to: '2026-04-11' };
const long = 'Ticket 20004 Change of our billing address, and of the person who pays';

test('words stand after their mark while they fit, then before it, and those that would cover others take the next row', () => {
  const marks = inRows(
    [
      { day: '2026-01-02', words: long },
      { day: '2026-02-20', words: 'REQ-1' },
      { day: '2026-04-09', words: long },
      { day: '2026-04-10', words: 'REQ-2' },
    ],
    span,
  );
  expect(marks.map(({ isLeft, row }) => [isLeft, row])).toEqual([
    [false, 0],
    [false, 1],
    [true, 2],
    [true, 0],
  ]);
});
