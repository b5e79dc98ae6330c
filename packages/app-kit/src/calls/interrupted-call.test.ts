import { signedIn } from '@portal/contract';
import { beforeEach, expect, it } from 'vitest';
import type { InterruptedCall } from '../kit/kit.ts';
import { dropInterruptedCall, markReturned, storeInterruptedCall, takeReturnedCall } from './interrupted-call.ts';

const call: InterruptedCall = {
  endpoint: { id: 'rpki.createRoas', method: 'POST', path: '/api/:account/roas', access: signedIn },
  input: { body: { prefix: '198.18.0.0/20' } },
  act: { name: 'Save 1 route' },
  userId: 'corin',
  address: '/resources/routes/index?page=2',
  redirect: 'r1',
  at: 1_000_000,
};
const take = (address = call.address, now = 1_000_500) => takeReturnedCall(address, sessionStorage, now);
beforeEach(() => {
  sessionStorage.clear();
  storeInterruptedCall(call);
});

it('is returned once, to the document that its redirect leads to', () => {
  markReturned('r1');
  expect(take()).toEqual(call);
  expect(take()).toBeNull();
});

it.each([
  ['any document that is opened before the return', () => take()],
  ['a sign-in that another redirect led to', () => markReturned('r2')],
  ['a sign-in that no step-up asked for', () => markReturned(null)],
  ['a sign-in that failed', () => dropInterruptedCall()],
])('%s ends it', (_, end) => {
  end();
  markReturned('r1');
  expect(take()).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

it.each([
  ['another page', '/'],
  ['another query of the same page', '/resources/routes/index?page=3'],
])('a return to %s ends it', (_, address) => {
  markReturned('r1');
  expect(take(address)).toBeNull();
  expect(take()).toBeNull();
});

it('is dropped after 15 minutes', () => {
  markReturned('r1');
  expect(take(call.address, call.at + 900_001)).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

it('a file is not kept, and replaces what was kept before', () => {
  storeInterruptedCall({ ...call, input: { body: new Blob(['a']) } });
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
