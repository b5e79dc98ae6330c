import { expect, test } from 'vitest';
import { facts, formOf, plan, policy, stateIn } from './example-facts.ts';
import { checkNeed } from './need.ts';

test('need for 24 months is the planned space minus what is free today', () => {
  const need = (planned: number, free: bigint) =>
    stateIn(checkNeed(formOf({ plan: plan(0, 0, 0, 0, planned) }), { ...facts, ipv4: free }, 2, policy), 'need');
  expect([need(511, 0n), need(512, 0n), need(513, 0n), need(767, 256n), need(768, 256n)]).toEqual([
    'review',
    'met',
    'met',
    'review',
    'met',
  ]);
});
