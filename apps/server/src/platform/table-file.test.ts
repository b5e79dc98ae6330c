import { expect, test } from 'vitest';
import { tableFile } from './table-file.ts';

async function cellOf(value: string | number): Promise<string> {
  async function* batches() {
    yield [{ value }];
  }
  let text = '';
  for await (const chunk of tableFile('t', 'csv', ['value'], batches()).chunks) text += chunk.toString();
  return text.split('\r\n')[1]!;
}

test.each([
  ['=1+1', `'=1+1`],
  ['|calc', `'|calc`],
  ['｜calc', `'｜calc`],
  ['\u200B=1+1', `'\u200B=1+1`],
  ['\uFEFF \u2060@SUM(1)', `'\uFEFF \u2060@SUM(1)`],
  ['\u200Bname', '"\u200Bname"'],
  ['one;two', '"one;two"'],
  ['a, "b"', '"a, ""b"""'],
  ['a|b', 'a|b'],
  [-1, '-1'],
  ['-200.00', '-200.00'],
  ['-200.00+1', `'-200.00+1`],
])('the cell %j is written as %j: no spreadsheet executes or splits it', async (value, cell) => {
  expect(await cellOf(value)).toBe(cell);
});
