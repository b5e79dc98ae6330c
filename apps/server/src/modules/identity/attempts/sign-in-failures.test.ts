import { DAY_MS, instantAfter } from '@portal/contract/days';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoDatabase, kinds, type OpenedDatabase } from '../../../../test/portal.ts';
import { attempt } from './sign-in-failures.ts';

let opened: OpenedDatabase;
beforeAll(async () => {
  opened = await demoDatabase(kinds.at(-1)!);
});
afterAll(async () => {
  await opened.db.close();
  await opened.drop();
});

test('the fifth failure delays the next attempt by seconds, and never by more than fifteen minutes', async () => {
  let now = new Date();
  const again = () => attempt(opened.db, 'password corin', now);
  for (let failures = 1; failures <= 5; failures++) expect(await again()).toEqual({ waitSeconds: 0, failures });
  expect(await again()).toEqual({ waitSeconds: 15, failures: 5 });
  for (let failures = 6; failures <= 15; failures++) {
    const { waitSeconds } = await again();
    expect(waitSeconds).toBeLessThanOrEqual(900);
    now = new Date(instantAfter(now, waitSeconds * 1000));
    expect(await again()).toEqual({ waitSeconds: 0, failures });
  }
  expect(await again()).toEqual({ waitSeconds: 900, failures: 15 });
});

test('a delay and failures from while the clock was ahead count for nothing once it is right', async () => {
  const now = new Date();
  const ahead = new Date(instantAfter(now, DAY_MS));
  for (let count = 0; count < 8; count++) await attempt(opened.db, 'password olive', ahead);
  expect((await attempt(opened.db, 'password olive', ahead)).waitSeconds).toBeGreaterThan(0);
  expect(await attempt(opened.db, 'password olive', now)).toEqual({ waitSeconds: 0, failures: 1 });
  for (let failures = 2; failures <= 5; failures++)
    expect(await attempt(opened.db, 'password olive', now)).toEqual({ waitSeconds: 0, failures });
  expect((await attempt(opened.db, 'password olive', now)).waitSeconds).toBe(15);
});
