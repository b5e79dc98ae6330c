// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retryOrReload, reloadOnce } from './load-code.ts';

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => void vi.useRealTimers());

const failing = (times: number) => {
  let calls = 0;
  return vi.fn(() => (calls++ < times ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('view')));
};

test('code that could not be loaded is requested again', async () => {
  const load = failing(2);
  const loaded = retryOrReload(load, () => false)();
  await vi.runAllTimersAsync();
  expect(await loaded).toBe('view');
  expect(load).toHaveBeenCalledTimes(3);
});

test('code of an old release reloads the document', async () => {
  const reload = vi.fn(() => true);
  const settled = vi.fn();
  void retryOrReload(failing(99), reload)().then(settled, settled);
  await vi.runAllTimersAsync();
  expect(reload).toHaveBeenCalledOnce();
  expect(settled).not.toHaveBeenCalled();
});

test('a document that was reloaded in the last minute is not reloaded again: the error is shown', async () => {
  const reload = vi.fn();
  expect(reloadOnce('portal', reload)).toBe(true);
  expect(reloadOnce('portal', reload)).toBe(false);
  const loaded = retryOrReload(failing(99), () => reloadOnce('portal', reload))();
  const shown = expect(loaded).rejects.toThrow('Failed to fetch');
  await vi.runAllTimersAsync();
  await shown;
  expect(reload).toHaveBeenCalledOnce();
});
