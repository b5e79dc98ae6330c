import { expect, test } from 'vitest';
import { browserAt, fetchCaller, testRegistry } from '../../../../test/sign-in-registry.ts';
import { endOtherSessions } from '../sessions/sessions.ts';

const line = { action: 'test.end', summary: 'Ended sessions', traceId: 'b'.repeat(32) };

test('ending the other sessions leaves the browser it was done in signed in', async () => {
  await using registry = await testRegistry();
  const [here, there] = [browserAt(registry.origin), browserAt(registry.origin)];
  const mine = await here.signIn(registry, 'bill');
  const others = await there.signIn(registry, 'bill');
  const stranger = await browserAt(registry.origin).signIn(registry, 'corin');
  const { sid } = JSON.parse(Buffer.from(mine.id_token.split('.')[1]!, 'base64url').toString()) as { sid: string };
  await registry.db.change(line, change => endOtherSessions(change, 'login-bill', sid, 'ended by its owner'));
  await expect.poll(async () => (await fetchCaller(registry.origin, others.id_token)).status).toBe(401);
  expect((await fetchCaller(registry.origin, mine.id_token)).status).toBe(200);
  expect((await fetchCaller(registry.origin, stranger.id_token)).status).toBe(200);
  expect((await here.authorize({ prompt: 'none' })).url).toContain('code=');
  expect((await there.authorize({ prompt: 'none' })).url).toContain('login_required');
});

test('a sign-in returns only to pages of the login', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  const forged = Buffer.from('/account').toString('base64url');
  for (const state of ['', forged, `${forged}.AAAA`, `${forged}.${'A'.repeat(43)}`]) {
    const page = await browser.open(`/account/return?code=x&state=${state}`);
    expect([page.status, page.text.includes('Unknown link')]).toEqual([400, true]);
  }
});
