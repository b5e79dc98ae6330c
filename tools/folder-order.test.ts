import { expect, test } from 'vitest';
import { type FolderOrder, folderFindings } from './folder-order.ts';

const house = 'apps/server/src/modules/billing';
const order: FolderOrder = { folders: ['fees', 'invoices', 'bank'] };
const names = new Set(order.folders);
const found = (order: FolderOrder | undefined, ...edges: [from: string, to: string][]): string[] =>
  folderFindings(
    house,
    order,
    names,
    edges.map(([from, to]) => ({ from: `${house}/${from}`, to: `${house}/${to}`, external: false, line: 3 })),
  );

test('a folder imports from those before it, from its own, and from files beside it that lead no further', () => {
  expect(
    found(
      order,
      ['invoices/a.ts', 'fees/b.ts'],
      ['bank/c.ts', 'bank/d.ts'],
      ['fees/b.ts', 'money.ts'],
      ['invoices/a.ts', 'totals.ts'],
      ['totals.ts', 'fees/b.ts'],
    ),
  ).toEqual([]);
});

test('a file beside the folders imports from all of them', () => {
  expect(found(order, ['module.ts', 'fees/a.ts'], ['module.ts', 'bank/b.ts'])).toEqual([]);
});

test('an import of a folder further down is refused with what it may import', () => {
  expect(found(order, ['invoices/a.ts', 'bank/b.ts'])).toEqual([
    `${house}/invoices/a.ts:3: imports ${house}/bank/b.ts (order of folders: invoices may import from fees; move down what both need, or hand it in as a value)`,
  ]);
});

test('a detour through files beside the folders is refused with the way', () => {
  expect(found(order, ['fees/a.ts', 'totals.ts'], ['totals.ts', 'sums.ts'], ['sums.ts', 'bank/b.ts'])).toEqual([
    expect.stringContaining(
      `imports ${house}/totals.ts, which leads to ${house}/sums.ts → ${house}/bank/b.ts (order of folders: fees may import from no other folder`,
    ),
  ]);
});

test('the way through a file that gathers from all folders is not followed', () => {
  const edges: [string, string][] = [
    ['fees/a.ts', 'errors.ts'],
    ['errors.ts', 'bank/errors.ts'],
  ];
  expect(found(order, ...edges)).toHaveLength(1);
  expect(found({ ...order, gathers: ['errors.ts'] }, ...edges)).toEqual([]);
});

test('an order is complete: it lists every folder, and only existing ones', () => {
  expect(found(undefined)).toEqual([expect.stringContaining(`list them, lowest first (folders in ${house}/module.ts)`)]);
  expect(found({ folders: ['fees', 'invoices'] })).toEqual([expect.stringContaining(`${house}/bank is not in the order`)]);
  expect(found({ folders: [...order.folders, 'ledger'] })).toEqual([
    expect.stringContaining(`${house}/ledger is in the order of folders, and is not there`),
  ]);
});
