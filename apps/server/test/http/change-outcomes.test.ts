import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds, type TestPortal, testPortal } from '../portal.ts';

const account = 'EXAMPLE-AU';

describe.each(kinds)('a change whose answer was lost, on %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const invite = (idempotencyKey: string, email: string) =>
    corin(api.contacts.inviteContact, { account, body: { fullName: 'Ana Silva', email, contactTypes: ['technical'] } }, { idempotencyKey });
  const outcome = async (key: string, endpoint = 'contacts.inviteContact', as = corin) =>
    (await as(api.changeOutcomes.settleChange, { body: { endpoint, key } })).data;
  const lines = async () =>
    (
      await portal.db.read
        .selectFrom('activity')
        .select('activityId')
        .where('action', '=', 'contacts.inviteContact')
        .where('refusal', 'is', null)
        .execute()
    ).length;

  test('is found by its key, and repeated it answers the same and does nothing', async () => {
    const first = await invite('key-of-the-form', 'ana0001@example.net');
    expect(first.errors).toBeUndefined();
    const before = await lines();
    expect(await outcome('key-of-the-form')).toMatchObject({ outcome: 'saved', savedAt: expect.stringMatching(/^20/) });
    expect(await invite('key-of-the-form', 'ana0001@example.net')).toEqual(first);
    expect(await lines()).toBe(before);
    expect((await invite('key-of-the-form', 'ana0002@example.net')).errors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
  });

  test('is refused once its sender was told that it was not saved, however late it arrives', async () => {
    const before = await lines();
    expect(await outcome('key-never-arrived')).toEqual({ outcome: 'not-saved', savedAt: null });
    expect(await invite('key-never-arrived', 'ana0003@example.net')).toMatchObject({ status: 409, errors: [{ code: 'CHANGE_GIVEN_UP' }] });
    expect(await outcome('key-never-arrived')).toEqual({ outcome: 'not-saved', savedAt: null });
    expect(await lines()).toBe(before);
  });

  test('in progress is awaited by the question about it, and of two concurrent ones one wins', async () => {
    for (let i = 0; i < 5; i++) {
      const key = `key-at-once-${i}`;
      const [made, settled] = await Promise.all([invite(key, `at-once-${i}@example.net`), outcome(key)]);
      expect([made.errors?.[0]?.code ?? 'made', settled!.outcome]).toEqual(
        made.errors ? ['CHANGE_GIVEN_UP', 'not-saved'] : ['made', 'saved'],
      );
    }
  });

  test('that was refused was not saved, and no one else can ask about it', async () => {
    expect((await invite('key-of-a-refusal', 'no address')).status).toBe(400);
    expect(await outcome('key-of-a-refusal')).toMatchObject({ outcome: 'not-saved' });
    await invite('key-of-corin-only', 'ana0009@example.net');
    expect(await outcome('key-of-corin-only', 'contacts.inviteContact', await portal.as('olive'))).toMatchObject({ outcome: 'not-saved' });
    expect(await outcome('key-of-corin-only')).toMatchObject({ outcome: 'saved' });
  });

  test.each(['short', 'with blank key', 'ü'.repeat(9)])('a key such as %j is refused', async key => {
    expect((await corin(api.changeOutcomes.settleChange, { body: { endpoint: 'contacts.inviteContact', key } })).status).toBe(400);
  });

  test('a key is forgotten after a day', async () => {
    await invite('key-of-yesterday', 'ana0010@example.net');
    await sql`update idempotent_answer set made_at = made_at - interval '25 hours'`.execute(portal.db.unrecorded);
    expect(await outcome('key-of-yesterday')).toMatchObject({ outcome: 'not-saved' });
  });
});
