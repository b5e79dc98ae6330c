import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal('postgres');
});
afterAll(() => portal[Symbol.asyncDispose]());

const form = 'application/x-www-form-urlencoded';

test.each([
  ['/auth/backchannel-logout', form, '33 KB'],
  ['/account/freeze', form, '33 KB'],
  ['/ballots/vote', form, '16 KB'],
  ['/account/unsubscribe', form, '4.1 KB'],
  ['/irt-validation', form, '4.1 KB'],
  ['/checkout-events/stripe', 'application/json', '66 KB'],
])('a body for %s that is too large is refused with the actual limit', async (path, type, limit) => {
  const answer = await portal.request(path, { method: 'POST', body: 'x'.repeat(300_000), headers: { 'content-type': type } });
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain(`larger than ${limit}`);
});
