import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { decodeAspa, decodeSignedObject } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { parseAsNumber } from '@portal/number-resources';
import { mrtRecord } from '../../../../../packages/number-resources/test/mrt-record.ts';
import { importBgpTable } from '../bgp-tables/index.ts';
import { carryOutSignatures, touchedAspas } from './handed-over-roas.ts';
import { publishAll } from './repository/publisher.ts';
import { checkRepository } from './repository/repository-check.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Moved an AS number', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('provider authorisations on %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const save = async (customer: string, providers: string[], version = 0, comment = '') =>
    corin(api.rpkiAspas.saveAspa, { account, body: { customer, providers, version, comment } });
  const list = async () => (await corin(api.rpkiAspas.listAspas, { account })).data!;
  /** Returns the content of the published repository, decoded from its files. */
  const published = async (): Promise<string[]> => {
    await publishAll(portal.context);
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
    const rows = await portal.db.read.rows<{ content: Buffer }>(sql`select content from rpki_object where kind = 'aspa' order by subject`);
    return rows.map(({ content }) => {
      const { customer, providers } = decodeAspa(decodeSignedObject(content, 'aspa').content);
      return `AS${customer}: ${providers.join(' ')}`;
    });
  };

  test('need RPKI, a permission and a second factor', async () => {
    expect((await save('AS64500', ['AS64501'])).errors![0]!.code).toBe('RPKI_NOT_ENABLED');
    await corin(api.rpki.enable, { account });
    const body = { customer: 'AS64500', providers: ['AS64501'], version: 0, comment: '' };
    expect((await (await portal.as('bill'))(api.rpkiAspas.saveAspa, { account, body })).errors![0]!.code).toBe('NO_PERMISSION');
    expect((await (await portal.as('corin', { mfa: false }))(api.rpkiAspas.saveAspa, { account, body })).errors![0]!.code).toBe(
      'MFA_REQUIRED',
    );
    expect((await list()).rows).toEqual([]);
    expect((await list()).asNumbers).toContain('AS64500');
  });

  test('are compared with the paths that collectors saw: a missing upstream that many see needs the number of announcements', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tables-'));
    try {
      const sequence = (...asns: number[]) => [{ kind: 2 as const, asns }];
      const peers = (count: number, ...asns: number[]) =>
        Array.from({ length: count }, (_, peer) => ({ peer, segments: sequence(65_540 + peer, ...asns) }));
      const importing = async (name: string, content: Uint8Array | string) => {
        writeFileSync(path.join(folder, name), content);
        return importBgpTable(portal.db, { from: path.join(folder, name), leastPeers: 1, shrinks: true, onProgress: () => {} });
      };
      const check = async (...providers: string[]) =>
        (await corin(api.rpkiAspas.checkAspa, { account, body: { customer: 'AS64500', providers } })).data!.seen;
      expect((await importing('dump', '64500\t198.18.0.0/24\t300\n')).neighbours).toBeNull();
      expect(await check('AS64501')).toEqual({ collectedAt: null, upstreams: [], lacking: [], toConfirm: 0 });
      const table = [
        ...mrtRecord('198.18.0.0/24', [...peers(12, 64501, 64500), ...peers(11, 64510, 64500, 64500)]),
        ...mrtRecord('198.18.1.0/24', peers(10, 64510, 64500)),
        ...mrtRecord('198.18.2.0/24', peers(2, 64511, 64500)),
      ];
      expect((await importing('rib', Uint8Array.from(table))).neighbours).toBeGreaterThan(3);
      expect(await check('AS64501')).toMatchObject({
        collectedAt: expect.any(String),
        upstreams: [
          { asn: 64501, announcements: 1, peers: 12, listed: true },
          { asn: 64510, announcements: 2, peers: 11, listed: false },
          { asn: 64511, announcements: 1, peers: 2, listed: false },
        ],
        lacking: [64510],
        toConfirm: 2,
      });
      expect((await check('AS0')).lacking, 'an AS without providers lacks all').toEqual([64501, 64510]);
      expect(await check('AS64501', 'AS64510')).toMatchObject({ lacking: [], toConfirm: 0 });
      const confirm = async (providers: string[], version: number, invalidating?: number) =>
        corin(api.rpkiAspas.saveAspa, {
          account,
          body: { customer: 'AS64500', providers, version, comment: '', ...(invalidating !== undefined && { invalidating }) },
        });
      const { errors } = await confirm(['AS64501'], 0);
      expect(errors![0]).toMatchObject({
        code: 'ROUTES_INVALIDATE',
        message: 'This makes 2 announcements through AS64510 ASPA-invalid. Enter 2 to confirm',
      });
      expect((await confirm(['AS64501'], 0, 3)).errors![0]!.code, 'another number than the present one').toBe('ROUTES_INVALIDATE');
      expect((await list()).rows).toEqual([]);
      expect((await confirm(['AS64501'], 0, 2)).data).toMatchObject({ providers: [64501], version: 1 });
      expect((await confirm(['AS64501', 'AS64502'], 1)).data, 'what it lacked before is not asked about again').toMatchObject({
        version: 2,
      });
      expect((await confirm(['AS64502'], 2)).errors![0]!.message).toBe(
        'This makes 1 announcement through AS64501 ASPA-invalid. Enter 1 to confirm',
      );
      const [aspa] = (await list()).rows;
      await corin(api.rpkiAspas.removeAspa, { account, aspaId: aspa!.aspaId, body: { version: 2 } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await portal.db.change(activity, change => change.rows(sql`delete from bgp_table where account_name is null`));
    }
  });

  test('are refused at the invalid field: a foreign AS, AS0 beside others, the AS itself, a duplicate, a reserved number', async () => {
    const problems = async (customer: string, providers: string[]) =>
      (await corin(api.rpkiAspas.checkAspa, { account, body: { customer, providers } })).data!.problems.map(
        ({ field, problem }) => `${field}: ${problem}`,
      );
    expect(await problems('AS64501', ['AS64502'])).toEqual(['customer: AS64501 is not delegated to this account']);
    expect(await problems('AS64500', ['AS0', 'AS64501'])).toEqual([
      'providers.0: AS0 says that the AS has no provider, so it can’t be listed with others. Remove it or the others',
    ]);
    expect(await problems('AS64500', ['AS64500'])).toEqual(['providers.0: AS64500 cannot be its own provider']);
    expect(await problems('AS64500', ['AS64501', '64501'])).toEqual(['providers.1: AS64501 is listed twice']);
    expect((await problems('AS64500', ['AS23456']))[0]).toContain('providers.0: AS23456 is set aside');
    expect((await problems('AS64500', ['the other cloud']))[0]).toMatch(/^providers\.0: /);
    const refused = await save('AS64500', ['AS0', 'AS64501']);
    expect(refused.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'providers.0' }]);
    expect((await save('AS64500', [])).errors![0]!.field).toBe('providers');
    expect(await published()).toEqual([]);
  });

  test('are published in ascending order, replaced as a whole, and removed', async () => {
    expect((await save('AS64500', ['AS64502', 'AS64501'], 0, 'Both upstreams')).data).toMatchObject({
      customer: 64500,
      providers: [64501, 64502],
      state: 'pending',
      version: 1,
    });
    expect(await published()).toEqual(['AS64500: 64501 64502']);
    const [first] = (await list()).rows;
    expect(first).toMatchObject({ state: 'published', uri: expect.stringMatching(/\.asa$/) as string });
    const { data: check } = await corin(api.rpkiAspas.checkAspa, {
      account,
      body: { customer: 'AS64500', providers: ['AS64502', 'AS64511'] },
    });
    expect(check).toMatchObject({ problems: [], version: 1, added: [64511], removed: [64501], kept: [64502] });
    expect((await save('AS64500', ['AS64502', 'AS64511'], 1)).data).toMatchObject({ version: 2, state: 'pending' });
    expect(await published()).toEqual(['AS64500: 64502 64511']);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)).toMatchObject({
      subject: 'Providers of AS64500 changed',
      body: expect.stringContaining('Before: AS64500: AS64501, AS64502.'),
    });
    // Nothing to sign if only the comment differs.
    await save('AS64500', ['AS64502', 'AS64511'], 2, 'Two upstreams');
    expect((await list()).rows).toMatchObject([{ state: 'published', comment: 'Two upstreams' }]);
    const { data: history } = await corin(api.rpki.listHistory, { account, query: {} });
    expect(history!.rows[1]).toMatchObject({ added: ['ASPA AS64500: AS64502, AS64511'], removed: ['ASPA AS64500: AS64501, AS64502'] });
    const [kept] = (await list()).rows;
    await corin(api.rpkiAspas.removeAspa, { account, aspaId: kept!.aspaId, body: { version: kept!.version } });
    expect(await published()).toEqual([]);
  });

  test('of two people who change the same one, the second is refused with the newer version', async () => {
    await save('AS64500', ['AS0']);
    expect(await published()).toEqual(['AS64500: 0']);
    const twice = await Promise.all([save('AS64500', ['AS64501'], 1), save('AS64500', ['AS64502'], 1)]);
    expect(twice.map(({ errors }) => errors?.[0]!.code ?? 'saved').toSorted()).toEqual(['STALE', 'saved']);
    expect((await save('AS64500', (await list()).rows[0]!.providers.map(String), 2)).errors![0]!.code).toBe('NOTHING_TO_DO');
    const { aspaId } = (await list()).rows[0]!;
    expect((await corin(api.rpkiAspas.removeAspa, { account, aspaId, body: { version: 1 } })).errors![0]!.code).toBe('STALE');
    const olive = await portal.as('olive');
    expect((await olive(api.rpkiAspas.removeAspa, { account, aspaId, body: { version: 2 } })).errors![0]!.code).toBe('ACCOUNT_NOT_FOUND');
    const elsewhere = await corin(api.rpkiAspas.removeAspa, { account, aspaId: '999999', body: { version: 1 } });
    expect(elsewhere.errors![0]!.code).toBe('NOT_FOUND');
  });

  test('are on the page of the AS number, and move with it to another account', async () => {
    await published();
    const { data: record } = await corin(api.whoisRecords.getRecord, { account, query: { resource: 'AS64500' } });
    expect(record!.sections.find(({ title }) => title === 'Providers (ASPA)')?.rows).toMatchObject([{ label: 'AS64500' }]);
    const olive = await portal.as('olive');
    const asn = parseAsNumber('AS64500');
    // A recipient without an authority gets one first, so nothing is lost.
    await portal.db.change(activity, async change => {
      const touched = await touchedAspas(change, account, [{ family: 'asn', first: asn, last: asn }]);
      const aspas = touched.map(each => ({ touched: each, goes: true }));
      await carryOutSignatures(change, { from: account, to: 'OTHER-SG', roas: [], aspas });
    });
    expect((await list()).rows).toEqual([]);
    expect((await olive(api.rpkiAspas.listAspas, { account: 'OTHER-SG' })).data!.rows).toMatchObject([
      { customer: 64500, state: 'not-held' },
    ]);
  });
});
