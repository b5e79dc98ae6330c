import { describe, expect, it } from 'vitest';
import { withCell, withoutLines, withProblems } from './csv-records.ts';

const csv =
  'subaccount,resource,description\nA-ZZ,198.19.1.0/25,"Two\nlines, quoted"\n\nB-ZZ,198.19.2.0/24,Plain\r\nC-ZZ,198.19.3.0/24,"He said ""no"""';

describe('records of a CSV text', () => {
  it('one cell gets another value, and all else stays as it was', () => {
    expect(withCell(csv, 2, 'resource', '198.19.9.0/24')).toBe(csv.replace('198.19.1.0/25', '198.19.9.0/24'));
    expect(withCell(csv, 5, 'subaccount', 'BEE-ZZ')).toBe(csv.replace('B-ZZ', 'BEE-ZZ'));
    expect(withCell(csv, 6, 'description', 'a, b')).toBe(csv.replace('"He said ""no"""', '"a, b"'));
    expect(withCell(csv, 3, 'resource', 'x'), 'inside a record').toBe(csv);
    expect(withCell(csv, 2, 'economy', 'x'), 'no such column').toBe(csv);
  });

  it('the columns are those of the first line, whatever separates them', () => {
    expect(withCell('Resource;subaccount\n1;2\n', 2, 'resource', '3')).toBe('Resource;subaccount\n3;2\n');
    expect(withCell('"subaccount"\tresource\nA\tB', 2, 'subaccount', 'C')).toBe('"subaccount"\tresource\nC\tB');
  });

  it('records are left out, or are alone with their problems', () => {
    expect(withoutLines(csv, new Set([2, 6]))).toBe('subaccount,resource,description\nB-ZZ,198.19.2.0/24,Plain\n');
    expect(withProblems(csv, new Map([[5, 'Held by A, since 2021']]))).toBe(
      'subaccount,resource,description,problem\nB-ZZ,198.19.2.0/24,Plain,"Held by A, since 2021"\n',
    );
    expect(withProblems('', new Map())).toBe('');
  });
});
