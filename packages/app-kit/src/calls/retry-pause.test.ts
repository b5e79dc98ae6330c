import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retryPause } from './retry-pause.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('waits as long as requested, and tells the person once if it takes a moment', async () => {
  const notify = vi.fn();
  let time = 0;
  const pause = retryPause(notify, () => time);
  let waited = 0;
  const wait = (ms: number) => pause(ms).then(() => waited++);
  void wait(500);
  expect(notify).not.toHaveBeenCalled();
  void wait(2000);
  void wait(2000);
  expect(notify).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1999);
  expect(waited).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(waited).toBe(3);
  time = 31_000;
  void wait(5000);
  expect(notify).toHaveBeenCalledTimes(2);
});
