import { expect, test } from 'vitest';
import { overweight } from './page-weight.ts';

test('a page within its limits is not reported; one above is, with its weight', () => {
  const page = { app: 'portal', page: 'billing', files: 4, bytes: 50_000 };
  expect(overweight([page])).toEqual([]);
  expect(overweight([{ ...page, files: 7 }])).toEqual([expect.stringContaining('The page "billing" of portal is 7 files')]);
  expect(overweight([{ ...page, bytes: 95_000 }])).toEqual([expect.stringContaining('95000 bytes')]);
});

test('the start of an application has its own limit', () => {
  const start = { app: 'portal', page: '', files: 7, bytes: 126_000 };
  expect(overweight([start])).toEqual([]);
  expect(overweight([start, { app: 'portal', page: 'home', files: 2, bytes: 4001 }])).toEqual([expect.stringContaining('130001 bytes')]);
  expect(overweight([{ ...start, bytes: 128_000 }])).toEqual([expect.stringContaining('The start of portal')]);
});

test('the sign-in form has none of the portal’s own code', () => {
  const form = { app: 'portal', page: 'sign-in form', files: 4, bytes: 29_000 };
  expect(overweight([form])).toEqual([]);
  expect(overweight([{ ...form, bytes: 31_000 }])).toEqual([expect.stringContaining('The sign-in form is 31000 bytes')]);
});
