import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import type { NewRoa } from '@portal/contract/rpki/rpki';
import { decodeSignedObject, printHex } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../apps/server/test/portal.ts';
import { backup, restore } from '../../apps/server/src/platform/database/index.ts';
import { closeDelegations, delegate } from '../../apps/server/src/modules/resources/delegations.ts';
import { listVrps, publishRepository } from '../../apps/server/src/modules/rpki/index.ts';
import { type ObservedRegistry, openObservedRegistry } from './rpki-observers.ts';
import { canRunValidators, validateFile, knowsAspas, type Validated, type Validator } from './rpki-validators.ts';
import { anyNumbers } from '../../apps/server/test/any-numbers.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) };

/** The results of validators that others wrote for the repository at each step of its life: VRPs out are ROAs in, and no warning. */
describe.runIf(canRunValidators)('validators that others wrote', () => {
  let portal: TestPortal;
  let folder = '';
  let observed: ObservedRegistry<TestPortal>;
  let validators: { name: string; run: () => Promise<Validated> }[] = [];
  let asked: string[] = [];
  /** One over rsync with an empty cache. */
  let fresh: (kind: Validator) => () => Promise<Validated>;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-rpki-'));
    observed = await openObservedRegistry(folder, async settings => {
      const opened = await testPortal(undefined, settings);
      await opened.db.change({ action: 'test', summary: 'Enabled RPKI', traceId: '0'.repeat(32) }, async change => {
        for (const [place, name] of ['EXAMPLE-AU', 'OTHER-SG', 'NATREG-XX'].entries())
          await change.rows(
            sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${name}, ${`${place}`.repeat(24)}, now())`,
          );
      });
      await publishRepository(opened.context);
      return opened;
    });
    ({ portal, asked, validators, fresh } = observed);
  }, 120_000);
  afterAll(async () => {
    await observed?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Days until a suspension withdraws, by the profile. */
  let days = 0;
  const publish = (): Promise<number> =>
    publishRepository({ ...portal.context, profile: { ...portal.context.profile, rpkiSuspensionDays: days } });
  const inUse = async (): Promise<string[]> =>
    (await listVrps(portal.db.read)).map(({ prefix, asn, maxLength }) => `AS${asn} ${prefix}-${maxLength}`).sort();
  /** Publishes, runs all validators one after the other, and compares. */
  const allAgree = async (expected: readonly string[]): Promise<void> => {
    await publish();
    expect(await inUse()).toEqual([...expected].sort());
    for (const { name, run } of validators) expect({ name, ...(await run()) }).toEqual({ name, vrps: [...expected].sort(), warnings: [] });
  };
  const change = async (
    add: Partial<NewRoa>[],
    remove: (roa: { prefix: string }) => boolean = () => false,
    of = account,
    who = 'corin',
  ) => {
    const call = await portal.as(who);
    const { data } = await call(api.rpki.listRoas, { account: of, query: {} });
    const ids = data!.rows.filter(remove).map(({ roaId }) => roaId);
    const answer = await call(api.rpki.changeRoas, { account: of, body: { version: data!.version, add: add as NewRoa[], remove: ids } });
    expect(answer.errors).toBeUndefined();
  };

  const own = ['AS64500 198.18.0.0/19-24', 'AS64500 2001:db8::/32-48', 'AS65536 198.18.64.0/23-23', 'AS0 203.0.113.0/24-24'];
  const foreign = ['AS64501 198.51.100.0/24-24', 'AS64502 198.19.0.0/17-17'];

  test('find an empty repository, then the ROAs that were added', async () => {
    await allAgree([]);
    await change([
      { prefix: '198.18.0.0/19', asn: 'AS64500', maxLength: 24 },
      { prefix: '2001:db8::/32', asn: 'AS64500', maxLength: 48 },
      { prefix: '198.18.64.0/23', asn: 'AS65536' },
      { prefix: '203.0.113.0/24', asn: 'AS0' },
    ]);
    await change([{ prefix: '198.51.100.0/24', asn: 'AS64501' }], undefined, 'OTHER-SG', 'olive');
    await change([{ prefix: '198.19.0.0/17', asn: 'AS64502' }], undefined, 'NATREG-XX', 'nils');
    await allAgree([...own, ...foreign]);
    expect(
      asked.some(line => line.includes('/delta.xml')),
      'somebody follows by deltas',
    ).toBe(true);
  }, 120_000);

  test('accept a signed checklist until it is revoked', async () => {
    const corin = await portal.as('corin');
    const body = { resources: ['198.18.0.0/20', 'AS64500'], files: [{ name: 'letter.pdf', sha256: 'ab'.repeat(32) }], days: 30 };
    const { data } = await corin(api.rpkiChecklists.signChecklist, { account, body });
    await publish();
    const { checklistId } = data!;
    const { data: signed } = await corin(api.rpkiChecklists.getChecklist, { account, checklistId });
    const file = path.join(folder, 'letter.sig');
    writeFileSync(file, Buffer.from(signed!.object!, 'base64'));
    expect(await validateFile(file, { folder, transport: 'rsync' })).toBe('OK');
    await corin(api.rpkiChecklists.revokeChecklist, { account, checklistId });
    await allAgree([...own, ...foreign]);
    expect(await validateFile(file, { folder, transport: 'rsync' })).not.toBe('OK');
  }, 120_000);

  test('accept the providers of an AS where they know their profile, and lose nothing by them elsewhere', async () => {
    const corin = await portal.as('corin');
    const body = { customer: 'AS64500', providers: ['AS64501', 'AS64502'], comment: '', version: 0 };
    const { data } = await corin(api.rpkiAspas.saveAspa, { account, body });
    await publish();
    const [object] = await portal.db.read.rows<{ uri: string; content: Buffer }>(
      sql`select uri, content from rpki_object where kind = 'aspa'`,
    );
    for (const { name, run } of validators) {
      const { vrps, warnings } = await run();
      expect({ name, vrps }).toEqual({ name, vrps: [...own, ...foreign].sort() });
      // rpki-client before 8.5 knows an earlier draft of the profile alone, and says so of this one object.
      const aboutIt = (line: string): boolean =>
        /aspas|AS Provider Attestations|\.\.\.trace: error/.test(line) || line.includes(path.basename(object!.uri));
      expect(warnings.filter(line => !aboutIt(line))).toEqual([]);
      if (knowsAspas || name.startsWith('fort')) expect({ name, warnings }).toEqual({ name, warnings: [] });
    }
    if (knowsAspas) {
      const file = path.join(folder, path.basename(object!.uri));
      writeFileSync(file, object!.content);
      expect(await validateFile(file, { folder, transport: 'rsync' })).toBe('OK');
    }
    await corin(api.rpkiAspas.removeAspa, { account, aspaId: data!.aspaId, body: { version: 1 } });
    await allAgree([...own, ...foreign]);
  }, 120_000);

  test('lose the ROA that was removed and no other', async () => {
    await change([{ prefix: '198.18.66.0/24', asn: 'AS65537' }], ({ prefix }) => prefix === '198.18.64.0/23');
    await allAgree([own[0]!, own[1]!, own[3]!, 'AS65537 198.18.66.0/24-24', ...foreign]);
  }, 120_000);

  const now = ['AS64500 198.18.0.0/19-24', 'AS64500 2001:db8::/32-48', 'AS65537 198.18.66.0/24-24'];

  test('follow a block that moves to another account', async () => {
    const [row] = await portal.db.read.selectFrom('delegation').select('delegationId').where('resource', '=', '203.0.113.0/24').execute();
    await portal.db.change(activity, async tx => {
      await closeDelegations(tx, [row!.delegationId]);
      await delegate(tx, { resource: '203.0.113.0/24', accountName: 'OTHER-SG', type: 'assigned' }, anyNumbers);
      await tx
        .insertInto('roa')
        .values({ accountName: 'OTHER-SG', prefix: '203.0.113.0/24', maxLength: 24, asn: 0, createdAt: tx.now })
        .execute();
    });
    await allAgree([...now, own[3]!, ...foreign]);
  }, 120_000);

  test('keep every VRP through the three steps of a key rollover', async () => {
    const corin = await portal.as('corin');
    const letADayPass = () =>
      portal.db.change(activity, async tx => {
        await tx.rows(
          sql`update rpki_key set created_at = created_at - interval '25 hours', state_since = state_since - interval '25 hours'`,
        );
        await tx.rows(sql`update rpki_ca set rollover_requested_at = rollover_requested_at - interval '25 hours',
          activation_requested_at = activation_requested_at - interval '25 hours'`);
      });
    await corin(api.rpki.startRollover, { account });
    await allAgree([...now, own[3]!, ...foreign]);
    await letADayPass();
    expect((await corin(api.rpki.activateKey, { account })).errors).toBeUndefined();
    await allAgree([...now, own[3]!, ...foreign]);
    await letADayPass();
    await allAgree([...now, own[3]!, ...foreign]);
  }, 240_000);

  test('keep every VRP where objects go on with another certificate for the same one-time key, beside the same signature', async () => {
    const signatures = async () =>
      (
        await portal.db.read.rows<{ kind: string; content: Buffer }>(
          sql`select kind, content from rpki_object where kind in ('roa', 'aspa')`,
        )
      )
        .map(({ kind, content }) => printHex(decodeSignedObject(content, kind as 'roa').signature))
        .sort();
    const before = await signatures();
    await portal.db.change(activity, tx =>
      tx.rows(sql`update rpki_object set not_after = now() + interval '20 days' where kind in ('roa', 'aspa')`),
    );
    await allAgree([...now, own[3]!, ...foreign]);
    expect(await signatures()).toEqual(before);
  }, 240_000);

  test('lose what is returned, and nothing beside it', async () => {
    const [row] = await portal.db.read
      .selectFrom('delegation')
      .select('delegationId')
      .where('resource', 'like', '198.18.64.0 -%')
      .execute();
    await portal.db.change(activity, tx => closeDelegations(tx, [row!.delegationId]));
    await allAgree([now[0]!, now[1]!, own[3]!, ...foreign]);
  }, 120_000);

  test('find nothing of an account while it is suspended, and all of it afterwards', async () => {
    const set = (accountStatus: 'open' | 'suspended') =>
      portal.db.change(activity, tx => tx.updateTable('account').set({ accountStatus }).where('accountName', '=', account).execute());
    await set('suspended');
    await allAgree([own[3]!, ...foreign]);
    await set('open');
    await allAgree([now[0]!, now[1]!, own[3]!, ...foreign]);
  }, 120_000);

  test('find everything of a suspended account until its day, nothing from then on, and all of it once it is open again', async () => {
    days = 14;
    const all = [now[0]!, now[1]!, own[3]!, ...foreign];
    const set = (accountStatus: 'open' | 'suspended') =>
      portal.db.change(activity, tx => tx.updateTable('account').set({ accountStatus }).where('accountName', '=', account).execute());
    await set('suspended');
    await allAgree(all);
    await set('open');
    await allAgree(all);
    await set('suspended');
    await allAgree(all);
    // Validators go by the clock of the machine, which stays where it is: the day comes to it.
    await portal.db.change(activity, tx => tx.rows(sql`update rpki_suspension set withdraws_at = now() - interval '1 second'`));
    await allAgree([own[3]!, ...foreign]);
    await set('open');
    await allAgree(all);
    days = 0;
  }, 240_000);

  test('keep every VRP when the registry is put back from a backup, although numbers and serials went further meanwhile', async () => {
    const before = [now[0]!, now[1]!, own[3]!, ...foreign];
    const file = path.join(folder, 'registry.backup');
    await backup(portal.db, file);
    await change([{ prefix: '198.18.1.0/24', asn: 'AS64500' }]);
    await allAgree([...before, 'AS64500 198.18.1.0/24-24']);
    await change([{ prefix: '198.18.2.0/24', asn: 'AS64500' }]);
    await allAgree([...before, 'AS64500 198.18.1.0/24-24', 'AS64500 198.18.2.0/24-24']);
    await restore(portal.db, file, { replace: true });
    await allAgree(before);
    await change([{ prefix: '198.18.3.0/24', asn: 'AS64500' }]);
    await allAgree([...before, 'AS64500 198.18.3.0/24-24']);
  }, 240_000);

  test('say so when a file is missing: these tests would notice', async () => {
    const tree = path.join(portal.config.rpkiDir, 'repository/members', '0'.repeat(24));
    for (const name of readdirSync(tree)) if (name.endsWith('.roa')) rmSync(path.join(tree, name));
    for (const kind of ['rpki-client', 'fort'] as const) {
      const { vrps, warnings } = await fresh(kind)();
      expect(vrps).toEqual([own[3]!, ...foreign].sort());
      expect(warnings).not.toEqual([]);
    }
  }, 120_000);
});
