import fs from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyNumbers } from '../../../../test/any-numbers.ts';
import { demoDatabase, kindsForRules, type OpenedDatabase } from '../../../../test/portal.ts';
import type { Database } from '../../../platform/database/index.ts';
import { delegate } from '../delegations.ts';
import { type ExportStatistics, exportStatistics } from './export-statistics.ts';
import { StatisticsPlan, StatisticsRefused } from './import-refusals.ts';
import { type ImportProgress, type ImportStatistics, importStatistics } from './import-statistics.ts';

const ownRegistry = 'example';
const activity = { action: 'test.prepare', summary: 'Prepared a test', traceId: '0'.repeat(32) };
const fixture = (name: string): string => fs.readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8');
const extended = fixture('delegated-apnic-extended-20160131.txt');
const plain = fixture('delegated-apnic-20210715.txt');

const bytesOf = async function* (bytes: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(bytes as string);
};
const take = (db: Database, text: string | Uint8Array, options: Partial<ImportStatistics> = {}) =>
  importStatistics(db, { ownRegistry, from: bytesOf(text), ...options });

async function written(db: Database, options: Partial<ExportStatistics> = {}): Promise<string> {
  const chunks: string[] = [];
  const out = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk.toString());
      done();
    },
  });
  await exportStatistics(db, { ownRegistry, registry: 'apnic', out, ...options });
  return chunks.join('');
}

/** A file of apnic with these records, its counts right. */
function fileOf(...records: string[]): string {
  const count = (kind: string): number => records.filter(record => record.split('|')[2] === kind).length;
  const summaries = ['asn', 'ipv4', 'ipv6'].map(kind => `apnic|*|${kind}|*|${count(kind)}|summary`);
  return `${[`2.3|apnic|20160131|${records.length}||20160130|+1000`, ...summaries, ...records].join('\n')}\n`;
}

type Counts = { activities: number; accounts: number; delegations: number; pools: number };
const countsOf = async (db: Database): Promise<Counts | undefined> =>
  (
    await db.read.rows<Counts>(sql`select (select count(*) from activity) as activities, (select count(*) from account) as accounts,
      (select count(*) from delegation) as delegations, (select count(*) from pool) as pools`)
  )[0];

const holderOf = async (db: Database, resource: string) =>
  (
    await db.read.rows<{ accountName: string; status: string; type: string; delegatedOn: string | null; economy: string | null }>(
      sql`select account_name, status, type, delegated_on, economy from delegation where resource = ${resource} order by delegation_id`,
    )
  ).at(-1);

describe.each(kindsForRules)('the statistics file on %s', kind => {
  let opened: OpenedDatabase;
  let db: Database;
  /** Each test begins with the demo registry alone. */
  const fresh = async (): Promise<void> => {
    opened = await demoDatabase(kind);
    db = opened.db;
  };
  const drop = async (): Promise<void> => {
    await db.close();
    await opened.drop();
  };

  describe('an excerpt of a real extended file', () => {
    beforeAll(fresh);
    afterAll(drop);

    test('becomes accounts, delegations and pools, in one recorded change', async () => {
      const before = await countsOf(db);
      const steps: ImportProgress[] = [];
      const report = await take(db, gzipSync(extended), { onProgress: progress => steps.push(progress) });
      expect(report).toMatchObject({
        registry: 'apnic',
        format: 'delegated-extended',
        lines: 364,
        records: 360,
        delegations: { added: 252, changed: 0, closed: 0 },
        pools: { added: 108, removed: 0 },
        refused: [],
      });
      const after = await countsOf(db);
      expect(after).toEqual({
        activities: (before?.activities ?? 0) + 1,
        accounts: (before?.accounts ?? 0) + report.accounts.opened,
        delegations: (before?.delegations ?? 0) + 252,
        pools: 108,
      });
      expect([...new Set(steps.map(({ step }) => step))]).toEqual(['reading', 'comparing', 'writing']);
      expect(steps.at(-1)).toMatchObject({ done: 360, total: 360, secondsLeft: 0 });
    });

    test('gives each opaque id an account', async () => {
      const [line = ''] = extended.split('\n').filter(text => text.includes('|allocated|'));
      const [, economy, , start, , date, , id] = line.split('|');
      const [account] = await db.read.rows<{ accountName: string; economy: string; orgName: string; statisticsId: string }>(
        sql`select a.* from account a join delegation d using (account_name) where host(d.first) = ${start}`,
      );
      expect(account).toMatchObject({ accountName: `APNIC-${id}`, orgName: `Holder ${id}`, statisticsId: `apnic:${id}` });
      expect(economy).toHaveLength(2);
      expect(date).toMatch(/^\d{8}$/);
    });

    test('comes back byte by byte', async () => {
      expect(await written(db)).toBe(extended);
    });

    test('imported a second time changes nothing', async () => {
      const before = await countsOf(db);
      expect(await take(db, extended)).toMatchObject({
        accounts: { opened: 0 },
        delegations: { added: 0, changed: 0, closed: 0, unchanged: 252 },
        pools: { added: 0, changed: 0, removed: 0, unchanged: 108 },
      });
      expect(await countsOf(db)).toEqual({ ...before, activities: (before?.activities ?? 0) + 1 });
    });

    test('in the plain format has neither ids nor pools, and its summaries count that', async () => {
      const lines = (await written(db, { format: 'delegated' })).trimEnd().split('\n');
      const records = extended.split('\n').filter(line => /\|(allocated|assigned)\|/.test(line));
      expect(lines[0]).toBe('2|apnic|20160131|252||20160130|+1000');
      expect(lines.slice(4)).toEqual(records.map(line => line.split('|').slice(0, 7).join('|')));
    });

    test('with a date uses it as serial and last day', async () => {
      expect(await written(db, { date: '2026-11-21' })).toBe(extended.replace('20160131|360||20160130', '20261121|360||20261121'));
    });
  });

  describe('an excerpt of a real plain file', () => {
    beforeAll(fresh);
    afterAll(drop);

    test('belongs to one account that is marked as unnamed, and is exported byte by byte', async () => {
      expect(await take(db, plain)).toMatchObject({ format: 'delegated', accounts: { opened: 1, inFile: 0 }, delegations: { added: 240 } });
      const [account] = await db.read.rows(sql`select account_name, account_type, org_name from account where account_name like 'APNIC-%'`);
      expect(account).toEqual({
        accountName: 'APNIC-UNNAMED',
        accountType: 'rir',
        orgName: 'Holders the statistics of apnic do not name',
      });
      expect(await written(db)).toBe(plain);
    });
  });

  describe('a newer file', () => {
    beforeAll(fresh);
    afterAll(drop);
    const first = fileOf(
      'apnic|AU|asn|4608|2|20000101|allocated|A1',
      'apnic||asn|4610|6||available|',
      'apnic|AU|ipv4|1.0.0.0|768|20110811|assigned|A1',
      'apnic||ipv4|1.0.3.0|256||available|',
      'apnic|NZ|ipv4|1.0.4.0|1024|00000000|allocated|A2',
      'apnic|NZ|ipv4|1.0.8.0|1024|20150230|allocated|A2',
      'apnic||ipv4|1.1.0.0|256||reserved|',
    );
    const second = fileOf(
      'apnic|AU|asn|4608|2|20000101|allocated|A1',
      'apnic|FJ|asn|4610|1|20160129|allocated|a-3',
      'apnic||asn|4611|5||available|',
      'apnic|AU|ipv4|1.0.0.0|512|20110811|assigned|A1',
      'apnic||ipv4|1.0.2.0|512||available|',
      'apnic|AU|ipv4|1.0.4.0|1024|20160130|allocated|A1',
      'apnic|NZ|ipv4|1.0.8.0|1024|20150230|allocated|A2',
      'apnic||ipv4|1.1.0.0|256||available|',
    );

    test('adds, changes and closes what differs, as one change with its counts', async () => {
      await take(db, first);
      const before = await countsOf(db);
      // The closures are shown first, and nothing is done.
      await expect(take(db, second, { agreed: false })).rejects.toMatchObject({
        message: 'Nothing was imported: the file no longer lists 1 delegations, which would be closed.',
        lines: ['It would add 2 delegations, change 1, and close 1:', '  1.0.0.0 - 1.0.2.255 of APNIC-A1'],
      });
      expect(await countsOf(db)).toEqual(before);
      // Confirming another plan doesn't confirm this one.
      const plan = async (file: string) => (await take(db, file, { agreed: false }).catch((error: unknown) => error)) as StatisticsPlan;
      const { key } = await plan(fileOf(...second.split('\n').slice(4, 7)));
      await expect(take(db, second, { agreed: key })).rejects.toThrow('1 delegations, which would be closed');
      expect(await countsOf(db)).toEqual(before);
      const report = await take(db, second, { agreed: (await plan(second)).key });
      expect(report).toMatchObject({
        accounts: { opened: 1 },
        delegations: { added: 2, changed: 1, closed: 1, unchanged: 2 },
        pools: { added: 2, changed: 1, removed: 2, unchanged: 0 },
      });
      expect((await countsOf(db))?.activities).toBe((before?.activities ?? 0) + 1);
      expect(await holderOf(db, '1.0.0.0 - 1.0.2.255')).toMatchObject({ status: 'closed' });
      expect(await holderOf(db, '1.0.4.0/22')).toMatchObject({ accountName: 'APNIC-A1', economy: 'AU', delegatedOn: '2016-01-30' });
      expect(await holderOf(db, 'AS4610')).toMatchObject({ accountName: 'APNIC-A3' });
      expect(await written(db)).toBe(second);
    });

    test('that leaves accounts without anything names them first', async () => {
      const plan = await take(db, fileOf('apnic|AU|asn|4608|2|20000101|allocated|A1'), { agreed: false }).catch((error: unknown) => error);
      expect((plan as StatisticsPlan).lines).toEqual([
        'It would add 0 delegations, change 0, and close 4:',
        expect.any(String),
        expect.any(String),
        expect.any(String),
        expect.any(String),
        'These 2 accounts would hold nothing any more:',
        '  APNIC-A2',
        '  APNIC-A3',
      ]);
    });

    test('with an empty eighth field in each line is a plain one: holders and pools stay', async () => {
      const before = await holderOf(db, '1.0.0.0/23');
      const pools = await countsOf(db);
      const records = second.split('\n').filter(line => /\|a(?:llocat|ssign)ed\|/.test(line));
      const report = await take(db, fileOf(...records.map(line => line.replace(/[^|]*$/, ''))));
      expect(report).toMatchObject({
        format: 'delegated',
        // One of the dates is also invalid.
        notedTotal: records.length + 1,
        delegations: { unchanged: records.length, closed: 0 },
      });
      expect(await holderOf(db, '1.0.0.0/23')).toEqual(before);
      expect((await countsOf(db))?.pools).toBe(pools?.pools);
      await take(db, second);
    });

    test('without holders leaves them unchanged and takes its delegations out of the pools', async () => {
      const records = ['apnic|AU|ipv4|1.0.0.0|512|20110811|assigned', 'apnic|AU|ipv4|1.0.3.0|128|20160201|assigned'];
      expect(await take(db, fileOf(...records))).toMatchObject({ format: 'delegated', delegations: { added: 1, unchanged: 1 } });
      expect(await holderOf(db, '1.0.0.0/23')).toMatchObject({ accountName: 'APNIC-A1' });
      expect(await holderOf(db, '1.0.3.0/25')).toMatchObject({ accountName: 'APNIC-UNNAMED' });
      const pools = await db.read.rows<{ resource: string }>(sql`select resource from pool where kind = 'ipv4' order by first`);
      expect(pools.map(({ resource }) => resource)).toEqual(['1.0.2.0/24', '1.0.3.128/25', '1.1.0.0/24']);
    });

    test('in another order is exported in that order', async () => {
      const mixed = fileOf(
        'apnic|AU|ipv4|1.0.4.0|256|20110811|assigned|A1',
        'apnic|AU|asn|9|1|20110811|allocated|A1|x|y',
        'apnic||ipv4|1.0.0.0|256|20160101|reserved|ietf|z',
        'apnic|AU|asn|7|1||allocated|A1',
      );
      await take(db, mixed);
      expect(await written(db)).toBe(mixed);
    });
  });

  describe('with an error is not imported at all', () => {
    beforeAll(fresh);
    afterAll(drop);
    const good = ['apnic|AU|ipv4|1.0.0.0|256|20110811|assigned|A1', 'apnic|AU|asn|4608|1|20110811|allocated|A1'];

    async function refusal(text: string | Uint8Array): Promise<StatisticsRefused> {
      const before = await countsOf(db);
      const error: unknown = await take(db, text).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StatisticsRefused);
      expect(await countsOf(db)).toEqual(before);
      return error as StatisticsRefused;
    }

    test.each([
      [
        'cut off in a line',
        extended.slice(0, -40),
        /^The file was not imported: line 364: a record has at least seven fields, this line has \d\.$/,
      ],
      [
        'cut off between lines',
        `${extended.split('\n').slice(0, 300).join('\n')}\n`,
        /line 1 states 360 records, 296 are there; line 2 states 120 asn records, 56 are there/,
      ],
      ['another version', extended.replace('2.3|', '4|'), 'line 1: the file is version 4 of the format'],
      ['compressed data cut off', gzipSync(extended).subarray(0, 2_000), /line \d+: the compressed file ends here/],
      ['damaged compressed data', gzipSync(extended).fill(255, 900, 960), /line \d+: the compressed file is damaged here/],
      [
        'bytes that are no text',
        Buffer.concat([Buffer.from(extended.slice(0, 5_000)), Buffer.from([0, 255])]),
        /line \d+: this is not text/,
      ],
      [
        'a record that overlaps an earlier one',
        fileOf(...good, 'apnic|AU|ipv4|1.0.0.128|256|20110811|assigned|A1'),
        'line 7: 1.0.0.128 - 1.0.1.127 overlaps 1.0.0.0/24 of line 5',
      ],
      [
        'a range that leaves the address space',
        fileOf(...good, 'apnic|AU|ipv4|255.255.255.0|512|20110811|assigned|A1'),
        'line 7: No 512 addresses start at 255.255.255.0',
      ],
      [
        'several wrong lines',
        fileOf(...good, 'apnic|AU', 'apnic|?'),
        'line 7: a record has at least seven fields, this line has 2, and 1 more refused lines',
      ],
      [
        'space another registry here delegated',
        fileOf(...good, 'apnic|AU|ipv4|198.18.0.0|256|20110811|assigned|A1'),
        'line 7: 198.18.0.0/24 overlaps 198.18.0.0/19, which is delegated by this registry',
      ],
    ])('%s', async (_, text, message) => {
      expect((await refusal(text)).message).toMatch(message);
    });

    test('a file without records, or without valid lines, closes nothing', async () => {
      const none = '2|apnic|20160131|0|19850701|20160131|+1000\n';
      expect((await refusal(none)).message).toBe('The file was not imported: line 1: the file ends without a record that can be taken in.');
      const before = await countsOf(db);
      const wrong = `${none.replace('|0|', '|1|')}apnic|*|ipv4|*|1|summary\napnic|AU|ipv4|1.0.0|256|20110811|assigned\n`;
      await expect(take(db, wrong, { skipRefused: true, acceptWrongSummary: true })).rejects.toThrow('ends without a record');
      expect(await countsOf(db)).toEqual(before);
    });

    test('a wrong summary names the numbers, and can be accepted', async () => {
      const wrong = fileOf(...good)
        .replace('|*|asn|*|1|', '|*|asn|*|213|')
        .replace('20160131|2|', '20160131|214|');
      const error = await refusal(wrong);
      expect(error.message).toContain('line 1 states 214 records, 2 are there; line 2 states 213 asn records, 1 is there.');
      expect(await take(db, wrong, { acceptWrongSummary: true })).toMatchObject({
        delegations: { added: 2 },
        wrongCounts: error.wrongCounts,
      });
      expect(await written(db)).toBe(fileOf(...good));
    });

    test('a file without importable lines is refused, even when skipping lines', async () => {
      const before = await countsOf(db);
      const foreign = fileOf('apnic|AU|ipv4|198.18.0.0|256|20110811|assigned|A1', 'apnic|AU|ipv4|198.18.1.0|256|20110811|assigned|A1');
      await expect(take(db, foreign, { skipRefused: true })).rejects.toThrow('The file was not imported: line 5: 198.18.0.0/24 overlaps');
      expect(await countsOf(db)).toEqual(before);
    });

    test('an unknown registry is imported only after confirmation, and named', async () => {
      const file = fileOf('apnic|AU|asn|71000|1|20110811|allocated|A1', 'apnic|AU|asn|71001|1|20110811|allocated|A1').replaceAll(
        'apnic|',
        'ripe|',
      );
      await expect(take(db, file, { agreed: false })).rejects.toMatchObject({
        message:
          'Nothing was imported: ripe is not a registry known here (afrinic, apnic, arin, iana, lacnic, ripencc), and nothing of it was imported before.',
        lines: [
          'It would make the registry ripe known; all it lists would be delegations of that registry.',
          'It would add 2 delegations, change 0, and close 0.',
        ],
      });
      for (const known of ['ripencc', 'lacnic'])
        expect(
          await take(db, fileOf('apnic|AU|asn|70000|1|20110811|allocated|A1').replaceAll('apnic|', `${known}|`), { agreed: false }).catch(
            (error: unknown) => error,
          ),
        ).not.toBeInstanceOf(StatisticsPlan);
    });

    test('refused lines can be skipped', async () => {
      const report = await take(
        db,
        fileOf(...good, 'apnic|AU|ipv4|198.18.0.0|256|20110811|assigned|A1', 'apnic|AU|ipv4|1.0.0.0|1024|20110811|assigned|A1'),
        { skipRefused: true },
      );
      expect(report.refused.map(({ line }) => line)).toEqual([8, 7]);
      expect(report.delegations).toMatchObject({ added: 0, unchanged: 2 });
    });

    test('a missing file says so', async () => {
      await expect(importStatistics(db, { ownRegistry, from: '/nowhere/delegated-latest' })).rejects.toThrow('ENOENT');
    });
  });

  describe('this registry’s own statistics', () => {
    beforeAll(fresh);
    afterAll(drop);

    test('list its delegations, with ids that reveal nothing, the same bytes each time', async () => {
      const own = { registry: 'example', date: '2026-11-21', utcOffset: '+1000' };
      const text = await written(db, own);
      expect(await written(db, own)).toBe(text);
      const lines = text.split('\n');
      expect(lines[0]).toMatch(/^2\.3\|example\|20261121\|\d+\|19940830\|20261121\|\+1000$/);
      expect(lines).toContainEqual(expect.stringMatching(/^example\|AU\|ipv4\|198\.18\.64\.0\|768\|20221114\|allocated\|[0-9A-F]{16}$/));
      expect(text).not.toContain('EXAMPLE-AU');
    });

    test('imported again leave every holder unchanged', async () => {
      const text = await written(db, { registry: 'example', date: '2026-11-21' });
      const report = await take(db, text);
      expect(report.delegations).toMatchObject({ added: 0, changed: 0, closed: 0 });
      expect(report.accounts.opened).toBe(0);
    });

    test('need a date if no file was imported, and a choice between registries', async () => {
      await take(db, fileOf('apnic|AU|asn|4608|1|20110811|allocated|A1'));
      await expect(exportStatistics(db, { ownRegistry, out: new Writable() })).rejects.toThrow(
        'The ledger has delegations of apnic, example: say which registry to export.',
      );
      await expect(written(db, { registry: 'arin' })).rejects.toThrow(
        'No statistics file of arin was imported, so the export needs a date.',
      );
      await expect(written(db, { registry: 'apnic', date: 'today' })).rejects.toThrow(
        '"today" is not a date; one is written like 2021-07-14.',
      );
    });
  });

  test('a file of a registry that this one also delegated for is imported next to its own delegations', async () => {
    await fresh();
    await take(db, fileOf('apnic||ipv4|203.0.113.0|256||reserved|'));
    expect(await holderOf(db, '203.0.113.0/24')).toMatchObject({ accountName: 'EXAMPLE-AU', status: 'active' });
    await db.change(activity, change =>
      delegate(change, { resource: '203.0.114.0/24', accountName: 'EXAMPLE-AU', type: 'assigned' }, anyNumbers),
    );
    await drop();
  });
});

const real = path.resolve(import.meta.dirname, '../../../../../../../shared/data/stats');
const absent = fs.existsSync(real) ? '' : ` (left out: the real files are not at ${real})`;
describe.skipIf(absent !== '').each(kindsForRules)(`the registries’ real files on %s${absent}`, kind => {
  test.each([
    ['delegated-apnic-extended-20160131.gz', 73_407],
    ['delegated-apnic-20210715.gz', 69_826],
  ])(
    '%s comes back line by line',
    async (name, records) => {
      const { db, drop } = await demoDatabase(kind);
      expect(await importStatistics(db, { ownRegistry, from: path.join(real, name) })).toMatchObject({
        records,
        refused: [],
        wrongCounts: [],
      });
      const original = gunzipSync(fs.readFileSync(path.join(real, name))).toString();
      expect(await written(db)).toBe(original.replaceAll(/^#.*\n/gm, ''));
      await db.close();
      await drop();
    },
    240_000,
  );

  test('a file whose summary states 213 AS numbers too many is refused with both numbers, or accepted on request', async () => {
    const { db, drop } = await demoDatabase(kind);
    const from = path.join(real, 'delegated-lacnic-20190910.gz');
    await expect(importStatistics(db, { ownRegistry, from })).rejects.toThrow('line 4 states 10197 asn records, 9984 are there');
    expect(await importStatistics(db, { ownRegistry, from, acceptWrongSummary: true })).toMatchObject({ delegations: { added: 35_719 } });
    const lines = (await written(db, { registry: 'lacnic' })).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '2|lacnic|20190910|35719|19870101|20190910|-0300',
      'lacnic|*|ipv4|*|16510|summary',
      'lacnic|*|ipv6|*|9225|summary',
      'lacnic|*|asn|*|9984|summary',
    ]);
    expect(lines.slice(4)).toEqual(gunzipSync(fs.readFileSync(from)).toString().split('\n').slice(4));
    await db.close();
    await drop();
  }, 240_000);
});
