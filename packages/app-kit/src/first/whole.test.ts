import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenComplete } from './whole.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a page is complete when its reads are answered, including follow-up reads', async () => {
  const answers = new QueryClient();
  let whole = false;
  const waiting = whenComplete(answers, 60_000).then(() => (whole = true));
  await answers.fetchQuery({ queryKey: ['first'], queryFn: async () => 1 });
  let answer: (value: number) => void = () => undefined;
  const second = answers.fetchQuery({ queryKey: ['second'], queryFn: () => new Promise<number>(resolve => (answer = resolve)) });
  await vi.advanceTimersByTimeAsync(1000);
  expect(whole).toBe(false);
  answer(2);
  await second;
  await vi.advanceTimersByTimeAsync(1000);
  await waiting;
  expect(answers.getQueryData(['second'])).toBe(2);
});

test('a page without reads is complete soon after it is drawn', async () => {
  const drawn = Promise.withResolvers<void>();
  let whole = false;
  void whenComplete(new QueryClient(), 60_000, drawn.promise).then(() => (whole = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(whole).toBe(false);
  drawn.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  expect(whole).toBe(true);
});

test('a page that is drawn while it reads is complete when the read is answered', async () => {
  const answers = new QueryClient();
  let whole = false;
  let answer: (value: number) => void = () => undefined;
  const reading = answers.fetchQuery({ queryKey: ['slow'], queryFn: () => new Promise<number>(resolve => (answer = resolve)) });
  void whenComplete(answers, 60_000, Promise.resolve()).then(() => (whole = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(whole).toBe(false);
  answer(1);
  await reading;
  await vi.advanceTimersByTimeAsync(1000);
  expect(whole).toBe(true);
});

test('a page that never reports that it is drawn, or never finishes, is waited for only for a limited time', async () => {
  const answers = new QueryClient();
  void answers.fetchQuery({ queryKey: ['never'], queryFn: () => new Promise(() => undefined) });
  const waiting = whenComplete(answers, 50);
  await vi.advanceTimersByTimeAsync(60);
  await waiting;
  expect(answers.isFetching()).toBe(1);
});
