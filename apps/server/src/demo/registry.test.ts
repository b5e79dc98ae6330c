import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migratedDatabase, type TestCopy } from '../../test/database/migrated-database.ts';
import { kindsForRules } from '../../test/portal.ts';
import { readConfig } from '../config.ts';
import { modules } from '../modules.ts';
import { openFileStore } from '../modules/documents/index.ts';
import { type Database, verify } from '../platform/database/index.ts';
import { checkInvariants } from '../platform/invariants.ts';
import { readProfile } from '../profile.ts';
import { ensureDemo } from './index.ts';

describe.each(kindsForRules)('a demo registry on %s whose load was ended half way', kind => {
  let copy: TestCopy;
  let db: Database;
  let folder: string;
  const options = () => {
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder });
    return { config, profile: readProfile(''), today: new Date(), store: openFileStore(config.filesDir) };
  };
  const accounts = async (): Promise<number> => (await db.read.rows<{ n: number }>(sql`select count(*)::int as n from account`))[0]!.n;
  /** Ends the load at the first document, as a kill would: what was committed stays. */
  const half = async (): Promise<void> => {
    const broken = { ...options().store, receive: () => Promise.reject(new Error('killed here')) };
    await expect(ensureDemo(db, { ...options(), store: broken })).rejects.toThrow('killed here');
    expect(await accounts()).toBeGreaterThan(0);
  };
  beforeEach(async () => {
    copy = await migratedDatabase(kind);
    db = copy.database;
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-demo-'));
  });
  afterEach(async () => {
    await copy[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });

  test('is loaded anew by the next start, and a whole one is left alone', async () => {
    await half();
    expect(await ensureDemo(db, options())).toEqual({ loaded: true });
    const [there] =
      await db.read.rows(sql`select (select count(*)::int from election) > 0 as elections, (select count(*)::int from whois_object) > 0 as whois,
      (select count(*)::int from notification) > 0 as notifications`);
    expect([await accounts(), there]).toEqual([19, { elections: true, whois: true, notifications: true }]);
    expect((await verify(db)).problems).toEqual([]);
    const { config, profile } = options();
    expect(await checkInvariants({ db, modules, profile, config, clock: () => new Date() }, null)).toEqual([]);
    expect(await ensureDemo(db, options())).toEqual({ loaded: false });
    expect(await accounts()).toBe(19);
  });

  test('is not deleted when a person has worked in it', async () => {
    await half();
    const before = await accounts();
    const corin = { action: 'test', summary: 'Worked', traceId: '0'.repeat(32), login: { issuer: 'https://a.example', subject: 'corin' } };
    await db.change(corin, async () => undefined);
    await expect(ensureDemo(db, options())).rejects.toThrow('it was changed since');
    expect(await accounts()).toBe(before);
  });
});
