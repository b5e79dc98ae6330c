import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import { describe, expect, test } from 'vitest';
import { OidcPayloads, sweepOidcPayloads } from './oidc-payloads.ts';
import { closeSessions } from '../sessions/provider-sessions.ts';
import { browserAt, kinds, testRegistry } from '../../../../test/sign-in-registry.ts';

describe.each(kinds)("the provider's storage on the %s database", kind => {
  test('opens no session to its reader: ids are stored as digests, also inside payloads', async () => {
    await using registry = await testRegistry(kind);
    const browser = browserAt(registry.origin);
    const { access_token, callback } = await browser.signIn(registry, 'corin');
    await browser.authorize({ prompt: 'login' });
    const rows = await registry.db.read.selectFrom('oidcPayload').selectAll().execute();
    expect(new Set(rows.map(({ model }) => model))).toEqual(
      new Set(['Session', 'Grant', 'AccessToken', 'AuthorizationCode', 'Interaction']),
    );
    const text = rows.map(row => JSON.stringify(row) + row.id.toString('latin1')).join();
    const session = browser.jar.get('op_session')!.value;
    for (const secret of [session, access_token, new URL(callback).searchParams.get('code')!]) expect(text).not.toContain(secret);
  });

  test('is consumed once', async () => {
    await using registry = await testRegistry(kind);
    const codes = new OidcPayloads(registry.db, 'AuthorizationCode');
    await codes.upsert('code-1', { accountId: 'a', grantId: 'g' }, 60);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => codes.consume('code-1')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(errors.InvalidGrant);
    expect(await codes.find('code-1')).toMatchObject({ jti: 'code-1', accountId: 'a', consumed: true });
  });

  test('share a statement with other calls, and each gets its own result', async () => {
    await using registry = await testRegistry(kind);
    const codes = new OidcPayloads(registry.db, 'AuthorizationCode');
    const sessions = new OidcPayloads(registry.db, 'Session');
    const ids = Array.from({ length: 30 }, (_, i) => `id-${i}`);
    // One id in two models is two records, and of two concurrent saves the later wins.
    await Promise.all(
      ids.flatMap(id => [
        codes.upsert(id, { accountId: 'before' }, 60),
        sessions.upsert(id, { uid: id, accountId: 'session' }, 60),
        codes.upsert(id, { accountId: id }, 60),
      ]),
    );
    // PostgreSQL refuses a NUL in text; only the call that sends one gets an error.
    const [spoiled, beside] = await Promise.allSettled([
      codes.upsert('spoiled', { nonce: 'a\u0000b' }, 60),
      codes.upsert('beside', { nonce: 'ab' }, 60),
    ]);
    expect([spoiled!.status, beside!.status]).toEqual(['rejected', 'fulfilled']);
    const wins = await Promise.all(
      [...ids, 'nobody', ...ids].map(id =>
        codes.consume(id).then(
          () => id,
          (error: unknown) => (error instanceof errors.InvalidGrant ? null : Promise.reject(error as Error)),
        ),
      ),
    );
    expect(wins.filter(id => id !== null).toSorted()).toEqual(ids.toSorted());
    const found = await Promise.all(ids.map(id => codes.find(id)));
    expect(found).toEqual(ids.map(id => ({ jti: id, accountId: id, consumed: true })));
    expect(await Promise.all(ids.map(id => sessions.find(id)))).toEqual(ids.map(id => ({ jti: id, uid: id, accountId: 'session' })));
    expect(await codes.find('spoiled')).toBeUndefined();
  });

  // The embedded database has one process.
  if (kind === 'postgres')
    test('are consumed once by many processes that want the same codes', async () => {
      await using registry = await testRegistry(kind);
      const codes = new OidcPayloads(registry.db, 'AuthorizationCode');
      const ids = Array.from({ length: 20 }, (_, i) => `id-${i}`);
      await Promise.all(ids.map(id => codes.upsert(id, { accountId: id }, 60)));
      // Another database object has other prepared statements, like another process.
      const processes = Array.from({ length: 6 }, () => new OidcPayloads({ ...registry.db }, 'AuthorizationCode'));
      const results = await Promise.all(
        processes.flatMap((process, i) =>
          (i % 2 ? ids : ids.toReversed()).map(id =>
            process.consume(id).then(
              () => id,
              () => null,
            ),
          ),
        ),
      );
      expect(results.filter(id => id !== null).toSorted()).toEqual(ids.toSorted());
    });

  test('is revoked with its grant, its own kind only', async () => {
    await using registry = await testRegistry(kind);
    const [tokens, interactions] = [new OidcPayloads(registry.db, 'AccessToken'), new OidcPayloads(registry.db, 'Interaction')];
    await tokens.upsert('t-1', { grantId: 'g-1' }, 60);
    await tokens.upsert('t-2', { grantId: 'g-2' }, 60);
    await interactions.upsert('i-1', { grantId: 'g-1' }, 60);
    await tokens.revokeByGrantId('g-1');
    expect(await tokens.find('t-1')).toBeUndefined();
    expect(await tokens.find('t-2')).toBeDefined();
    expect(await interactions.find('i-1')).toBeDefined();
  });

  test('is not found after it expires, and is swept', async () => {
    await using registry = await testRegistry(kind);
    const sessions = new OidcPayloads(registry.db, 'Session');
    await sessions.upsert('s-1', { uid: 'u-1' }, -1);
    await sessions.upsert('s-2', { uid: 'u-2' }, 60);
    expect(await sessions.find('s-1')).toBeUndefined();
    expect(await sessions.findByUid('u-1')).toBeUndefined();
    expect(await sessions.findByUid('u-2')).toMatchObject({ uid: 'u-2' });
    await sweepOidcPayloads(registry.db);
    const left = await registry.db.read.selectFrom('oidcPayload').select('uid').execute();
    expect(left).toEqual([{ uid: 'u-2' }]);
    await sessions.destroy('s-2');
    expect(await sessions.find('s-2')).toBeUndefined();
  });

  test('stays closed if it is a closed session, whatever is written back, and others stay open', async () => {
    await using registry = await testRegistry(kind);
    const sessions = new OidcPayloads(registry.db, 'Session');
    for (const id of ['s-1', 's-2', 's-3']) await sessions.upsert(id, { uid: `u-${id}`, accountId: id }, 60);
    await sessions.destroy('s-1');
    const [closed] = await closeSessions(registry.db.unrecorded, sql`account_id = 's-2'`);
    expect(closed).toMatchObject({ payload: { accountId: 's-2' } });
    await Promise.all(['s-1', 's-2', 's-3'].map(id => sessions.upsert(id, { uid: `u-${id}`, accountId: 'again' }, 60)));
    expect(await Promise.all(['s-1', 's-2'].map(id => sessions.find(id)))).toEqual([undefined, undefined]);
    expect(await Promise.all(['u-s-1', 'u-s-2'].map(uid => sessions.findByUid(uid)))).toEqual([undefined, undefined]);
    expect(await sessions.find('s-3')).toMatchObject({ uid: 'u-s-3', accountId: 'again' });
    expect(await sessions.findByUid('u-s-3')).toMatchObject({ accountId: 'again' });
  });

  test('leaves no line in the activity log', async () => {
    await using registry = await testRegistry(kind);
    const before = (await registry.actions()).length;
    await new OidcPayloads(registry.db, 'Grant').upsert('g', { accountId: 'a' }, 60);
    expect((await registry.actions()).length).toBe(before);
  });
});
