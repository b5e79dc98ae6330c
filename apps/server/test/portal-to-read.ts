import { afterAll, beforeAll, expect } from 'vitest';
import { type Kind, testPortal, type TestPortal } from './portal.ts';

/**
 * Opens one portal for the tests of a `describe` that change nothing, and returns how to reach it. The tests fail in the end if one of them
 * recorded a change: it needs a portal of its own.
 */
export function portalToRead(kind?: Kind): () => TestPortal {
  let portal: TestPortal;
  let before: readonly string[];
  /** Returns what was changed so far. Refusals and the sign-in of `portal.as` leave lines as well. */
  const changes = async (): Promise<readonly string[]> =>
    (
      await portal.db.read
        .selectFrom('activity')
        .select('action')
        .where('refusal', 'is', null)
        .where('action', '<>', 'identity.mintToken')
        .orderBy('activityId')
        .execute()
    ).map(({ action }) => action);
  beforeAll(async () => {
    portal = await testPortal(kind);
    before = await changes();
  });
  afterAll(async () => {
    const after = await changes();
    await portal[Symbol.asyncDispose]();
    expect(after, 'tests that share a portal change nothing').toEqual(before);
  });
  return () => portal;
}
