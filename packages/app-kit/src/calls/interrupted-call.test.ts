import { beforeEach, expect, it } from 'vitest';
import { storeInterruptedCall, takeInterruptedCall } from './interrupted-call.ts';

const call = {
  endpoint: 'rpki.createRoas',
  input: { body: { prefix: '198.18.0.0/20' } },
  userId: 'corin',
  path: '/resources/routes/index',
  at: 1_000_000,
};
const take = (given: Partial<typeof call> = {}, now = 1_000_500) => {
  const { endpoint, userId, path } = { ...call, ...given };
  return takeInterruptedCall(endpoint, userId, path, sessionStorage, now);
};
beforeEach(() => {
  sessionStorage.clear();
  storeInterruptedCall(call);
});

it('is handed out once, to the same person on the same page', () => {
  expect(take()).toEqual(call.input);
  expect(take()).toBeNull();
});

it('waits while another call or another page asks', () => {
  expect(take({ endpoint: 'rpki.listRoas' })).toBeNull();
  expect(take({ path: '/' })).toBeNull();
  expect(take()).toEqual(call.input);
});

it('is dropped if another person signed in', () => {
  expect(take({ userId: 'tess' })).toBeNull();
  expect(take()).toBeNull();
});

it('is dropped after 15 minutes', () => {
  expect(take({}, call.at + 900_001)).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

it('a change that is too large for the browser’s storage is dropped, and does not prevent signing in', () => {
  const full = {
    getItem: () => null,
    removeItem: () => undefined,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  expect(() => storeInterruptedCall(call, full as unknown as Storage)).not.toThrow();
});
