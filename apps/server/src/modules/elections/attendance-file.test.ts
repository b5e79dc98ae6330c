import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAttendance } from './attendance-file.ts';

const head = 'email,registered_at,attended';

describe('the list of a conference as a file', () => {
  test('columns are accepted in any order, among others, under common spreadsheet names', () => {
    const file =
      '\uFEFFName;Attended;Email;Registered_at\r\n"Achterberg; Corin";YES;Corin@Example-AU.example;2027-02-01T10:00:00+10:00\r\n\r\nTess;;tess@example-au.example;2027-02-02T00:00Z\r\n';
    expect(readAttendance(file)).toEqual({
      problems: [],
      lines: [
        { email: 'corin@example-au.example', registeredAt: '2027-02-01T00:00:00.000Z', attended: true },
        { email: 'tess@example-au.example', registeredAt: '2027-02-02T00:00:00.000Z', attended: false },
      ],
    });
  });

  test('all errors are reported together, each with its line number', () => {
    const file = [
      head,
      'corin@example-au.example,2027-02-01T10:00:00+10:00,yes',
      'nobody,2027-02-01T10:00:00+10:00,yes',
      'tess@example-au.example,1 February,perhaps',
      'CORIN@example-au.example,2027-02-01T10:00:00+10:00,no',
      'bill@example-au.example,2027-02-01T10:00:00+10:00',
    ].join('\n');
    expect(readAttendance(file).problems).toEqual([
      'line 3: email "nobody" isn’t an address',
      'line 4: registered_at "1 February" isn’t a time such as 2027-02-01T10:00:00+10:00, attended "perhaps" must be yes or no',
      'line 5: email "CORIN@example-au.example" is already in line 2',
      'line 6: 2 cells, expected 3',
    ]);
  });

  test('a time without an offset is refused', () => {
    expect(readAttendance(`${head}\ntess@example-au.example,2027-02-01T10:00:00,yes`).problems).toHaveLength(1);
  });

  test('a file without the columns says which are missing, and nothing else', () => {
    expect(readAttendance('email;came\na@b.example;yes').problems).toEqual(['line 1: the column registered_at, attended is missing']);
    expect(readAttendance('').problems).toEqual(['line 1: the column email, registered_at, attended is missing']);
  });

  test('for any file, each row becomes a line or a problem', () => {
    const cell = fc.oneof(fc.constantFrom('yes', 'no', 'a@b.example', '2027-02-01T10:00:00Z'), fc.string({ maxLength: 8 }));
    const quoted = cell.map(text => `"${text.replaceAll('"', '""')}"`);
    fc.assert(
      fc.property(fc.array(fc.tuple(quoted, quoted, quoted), { maxLength: 8 }), rows => {
        const { lines, problems } = readAttendance([head, ...rows.map(row => row.join(','))].join('\n'));
        const filled = rows.filter(row => row.some(each => each.slice(1, -1).replaceAll('""', '"').trim() !== ''));
        expect(lines.length + problems.length).toBe(filled.length);
      }),
    );
  });
});
