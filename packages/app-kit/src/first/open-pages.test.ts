// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { clearToken, copyToken } from '../auth/stored-user.ts';
import { dropOpenPages, isOpenPage, storeOpenPages } from './open-pages.ts';

const corin = { userId: 'u1', account: 'EXAMPLE-AU' };
beforeEach(() => {
  copyToken('a.b.c');
  storeOpenPages({ ...corin, names: ['home', 'ipv4'] });
});

test('a tab that has signed out stores none', () => {
  dropOpenPages();
  clearToken();
  storeOpenPages({ ...corin, names: ['ipv4'] });
  expect(isOpenPage('ipv4', corin)).toBe(false);
});

test('a page is known to be open to that person with that account alone', () => {
  expect(isOpenPage('ipv4', corin)).toBe(true);
  expect(isOpenPage('billing', corin)).toBe(false);
  expect(isOpenPage('ipv4', { ...corin, userId: 'u2' })).toBe(false);
  expect(isOpenPage('ipv4', { ...corin, account: 'OTHER-NZ' })).toBe(false);
});

test('nothing is known after they were removed, or if the storage has other content', () => {
  sessionStorage.setItem('open-pages', '[');
  expect(isOpenPage('ipv4', corin)).toBe(false);
  dropOpenPages();
  expect(isOpenPage('ipv4', corin)).toBe(false);
});
