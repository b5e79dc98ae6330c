// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { refreshStoredDocument } from './stored-document.ts';

const asked = vi.spyOn(window, 'fetch').mockResolvedValue(new Response());
afterEach(() => asked.mockClear());
const page = { href: 'https://portal.example/billing?year=2026#due' };
const cacheOf = (): RequestCache | undefined => asked.mock.calls[0]?.[1]?.cache;

test('a page that was shown from the browser’s cache is requested again', () => {
  refreshStoredDocument({ name: 'https://portal.example/billing?year=2026', transferSize: 0 }, page);
  expect(asked.mock.calls[0]![0]).toBe('https://portal.example/billing?year=2026');
  expect(cacheOf()).toBe('no-cache');
});

test('a page that the server has just sent is not requested again', () => {
  refreshStoredDocument({ name: 'https://portal.example/billing?year=2026#paid', transferSize: 300 }, page);
  expect(asked).not.toHaveBeenCalled();
});

test('a page that came back from a sign-in is stored under its own address, unless the person saves data', () => {
  const callback = { name: 'https://portal.example/auth-callback?code=1', transferSize: 900 };
  refreshStoredDocument(callback, page);
  expect(cacheOf()).toBe('default');
  asked.mockClear();
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  refreshStoredDocument(callback, page);
  expect(asked).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
