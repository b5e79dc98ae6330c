import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from './csv-cells.ts';

const cells = (csv: string): string[][] => cellsOf(csv).rows.map(row => row.cells);

test('the head line decides what separates the cells', () => {
  expect(cells('name;count\n"A,first; second";2\nB,third;3')).toEqual([
    ['name', 'count'],
    ['A,first; second', '2'],
    ['B,third', '3'],
  ]);
  expect(cells('name,count\nA; first,2')).toEqual([
    ['name', 'count'],
    ['A; first', '2'],
  ]);
  expect(cells('name\tcount\nA, first; second\t2')).toEqual([
    ['name', 'count'],
    ['A, first; second', '2'],
  ]);
  expect(cells('"a;b;c",d\n1,2')).toEqual([
    ['a;b;c', 'd'],
    ['1', '2'],
  ]);
});

test('a row has the number of the line it begins in, past empty lines and cells of several lines', () => {
  expect(cellsOf('\uFEFFa,b\r\n\r\n"x\ny",3\r\n , \r\n5,6').rows).toEqual([
    { cells: ['a', 'b'], line: 1 },
    { cells: ['x\ny', '3'], line: 3 },
    { cells: ['5', '6'], line: 6 },
  ]);
});

test('a quotation mark is doubled within quotes and literal in the middle of an unquoted cell', () => {
  expect(cells('a,b\n"say ""hello""",the "old" one')).toEqual([
    ['a', 'b'],
    ['say "hello"', 'the "old" one'],
  ]);
});

test('a cell that is never closed is a problem of the file, and an empty file is none', () => {
  expect(cellsOf('a,b\n"open,2\n3,4')).toEqual({ rows: [], problem: 'a cell opens with a quotation mark and never closes' });
  expect(cellsOf('')).toEqual({ rows: [], problem: null });
});

test('a file written with every cell in quotes reads back unchanged', () => {
  const cell = fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.constantFrom(',', ';', '\t'), fc.array(fc.tuple(cell, cell)), (separator, rows) => {
      const line = (written: readonly string[]) => written.map(each => `"${each.replaceAll('"', '""')}"`).join(separator);
      const read = cells([['first', 'second'], ...rows].map(line).join('\r\n'));
      expect(read.slice(1)).toEqual(rows.filter(row => row.some(each => each.trim() !== '')));
    }),
  );
});

test('any text is read or has a problem', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const { rows, problem } = cellsOf(text);
      expect(problem === null || rows.length === 0).toBe(true);
    }),
  );
});
