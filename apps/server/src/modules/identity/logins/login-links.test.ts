import { describe, expect, test } from 'vitest';
import { kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { askForLink, endLinks, issueToken, type LinkWanted, makeLink, readLink, sweepLinks, takeLink } from './login-links.ts';

const line = { action: 'test.links', summary: 'Used links', traceId: 'c'.repeat(32) };
const invitation: LinkWanted = {
  purpose: 'register',
  email: 'olga@newcomer.example',
  asked: { account: 'EXAMPLE-AU' },
  minutes: 7 * 24 * 60,
};

const make = (registry: TestRegistry, wanted = invitation) => registry.db.change(line, change => makeLink(change, wanted));
const made = async (registry: TestRegistry, wanted = invitation): Promise<string> => (await make(registry, wanted)).token;
const take = (registry: TestRegistry, token: string) => registry.db.change(line, change => takeLink(change, token, 'register'));

describe('a link', () => {
  test('returns what was requested, once, and deletes it', async () => {
    await using registry = await testRegistry();
    const { linkId, token } = await make(registry);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await readLink(registry.db.read, token, 'register', registry.now())).toMatchObject({ state: 'open' });
    expect(await take(registry, token)).toMatchObject({ state: 'open', link: { email: invitation.email, asked: invitation.asked } });
    expect(await take(registry, token)).toEqual({ state: 'used', linkId });
    expect(await registry.db.read.selectFrom('loginLink').select('asked').executeTakeFirst()).toEqual({ asked: {} });
  });

  for (const kind of kinds)
    test(`can be used by only one of twenty who try at the same time (${kind})`, async () => {
      await using registry = await testRegistry(kind);
      const token = await made(registry);
      const found = await Promise.all(Array.from({ length: 20 }, () => take(registry, token)));
      expect(found.filter(({ state }) => state === 'open')).toHaveLength(1);
      expect(found.filter(({ state }) => state === 'used')).toHaveLength(19);
    });

  test('works until it expires and not a moment longer, seven days for an invitation', async () => {
    await using registry = await testRegistry();
    const { linkId, token } = await make(registry);
    registry.later(7 * 86_400 - 60);
    expect((await readLink(registry.db.read, token, 'register', registry.now())).state).toBe('open');
    registry.later(61);
    expect(await readLink(registry.db.read, token, 'register', registry.now())).toEqual({ state: 'expired', linkId });
    expect(await take(registry, token)).toEqual({ state: 'expired', linkId });
  });

  test('works for its purpose only', async () => {
    await using registry = await testRegistry();
    const token = await made(registry);
    expect(await readLink(registry.db.read, token, 'reset-password', registry.now())).toEqual({ state: 'unknown' });
    expect(await readLink(registry.db.read, '', 'register', registry.now())).toEqual({ state: 'unknown' });
  });

  test('that was requested is useless until it gets its token, and gets one only once', async () => {
    await using registry = await testRegistry();
    await registry.db.change(line, async change => {
      const linkId = await askForLink(change, { ...invitation, minutes: 30 });
      const token = await issueToken(change, linkId, { minutes: 30 });
      expect((await readLink(change, token!, 'register', registry.now())).state).toBe('open');
      expect(await issueToken(change, linkId, { minutes: 30 })).toBeNull();
    });
  });

  test('of a person ends together with the others of its purpose', async () => {
    await using registry = await testRegistry();
    const reset = { purpose: 'reset-password', email: 'x@example.net', minutes: 30 } as const;
    const [bills, corins] = [
      await made(registry, { ...reset, loginId: 'login-bill' }),
      await made(registry, { ...reset, loginId: 'login-corin' }),
    ];
    await registry.db.change(line, change => endLinks(change, 'login-bill', 'reset-password'));
    const states = [bills, corins].map(async token => (await readLink(registry.db.read, token, 'reset-password', registry.now())).state);
    expect(await Promise.all(states)).toEqual(['expired', 'open']);
  });

  test('is deleted a day after it expires', async () => {
    await using registry = await testRegistry();
    await made(registry, { ...invitation, minutes: 30 });
    registry.later(86_400);
    await sweepLinks(registry.db, registry.now());
    expect(await registry.db.read.selectFrom('loginLink').selectAll().execute()).toHaveLength(1);
    registry.later(1801);
    await sweepLinks(registry.db, registry.now());
    expect(await registry.db.read.selectFrom('loginLink').selectAll().execute()).toEqual([]);
    const lines = (await registry.actions()).filter(action => action === 'identity.deleteExpiredLinks');
    await sweepLinks(registry.db, registry.now());
    expect((await registry.actions()).filter(action => action === 'identity.deleteExpiredLinks')).toEqual(lines);
  });
});
