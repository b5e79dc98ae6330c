import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { whenWhole } from './whole.ts';

test('a page is whole when its reads are answered, those included that another brought with it', async () => {
  const answers = new QueryClient();
  let whole = false;
  const waiting = whenWhole(answers, 60_000).then(() => (whole = true));
  await answers.fetchQuery({ queryKey: ['first'], queryFn: async () => 1 });
  await answers.fetchQuery({ queryKey: ['second'], queryFn: () => new Promise(resolve => setTimeout(() => resolve(2), 400)) });
  expect(whole).toBe(false);
  await waiting;
  expect(answers.getQueryData(['second'])).toBe(2);
});

test('a page that reads nothing, or never ends, is waited for no longer than one is patient', async () => {
  const answers = new QueryClient();
  void answers.fetchQuery({ queryKey: ['never'], queryFn: () => new Promise(() => undefined) });
  await whenWhole(answers, 50);
  expect(answers.isFetching()).toBe(1);
});
