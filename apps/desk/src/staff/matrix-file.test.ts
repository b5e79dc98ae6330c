import { expect, it } from 'vitest';
import { matrixFile } from './matrix-file.ts';

it('the file has a line for each permission and a column for each role, and nothing that a spreadsheet calculates', () => {
  const file = matrixFile(
    [
      { key: 'finance', name: 'Finance', readyMade: true, permissions: ['billing'] },
      { key: '1', name: '=HYPERLINK("x")', readyMade: false, permissions: [] },
    ],
    ({ permissions }, permission) => (permissions.includes(permission) ? 'may do' : 'no'),
  );
  const lines = file.split('\r\n');
  expect(lines[0]).toBe('"Permission","Finance","\'=HYPERLINK(""x"")"');
  expect(lines).toContain('"Issue and credit invoices","may do","no"');
});
