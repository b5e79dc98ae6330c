import { parseRange } from '@portal/number-resources';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { kinds } from '../../../../../test/portal.ts';
import { exampleObjects, loadObjects, type WhoisServer, whoisServer } from '../../../../../test/whois-server.ts';
import { createLog } from '../../../../platform/log.ts';
import { copyOf, openFollowedCopy } from './followed-copy.ts';

const log = createLog('silent');
const moreObjects = `
inetnum: 198.18.4.50 - 198.18.5.49
netname: OVERLAP-NET
descr: Ends in the middle of others
country: AU
admin-c: PP1-EX
tech-c: AD1-EX
status: ASSIGNED NON-PORTABLE
mnt-by: MAINT-PIA-EX
source: EXAMPLE

inet6num: 2001:db8:1::/48
netname: SIX-NET
descr: Inside
country: AU
admin-c: PP1-EX
tech-c: PP1-EX
status: ASSIGNED NON-PORTABLE
mnt-by: MAINT-PIA-EX
source: EXAMPLE

as-block: AS64496 - AS64502
descr: Inner
admin-c: PP1-EX
tech-c: PP1-EX
mnt-by: EXAMPLE-HM
source: EXAMPLE

domain: 4.18.198.in-addr.arpa
descr: Inner zone
admin-c: PP1-EX
tech-c: PP1-EX
zone-c: AD1-EX
nserver: ns1.holder.example
mnt-by: MAINT-PIA-EX
source: EXAMPLE

domain: 1.6.e164.arpa
descr: Telephone numbers
admin-c: PP1-EX
tech-c: PP1-EX
zone-c: PP1-EX
nserver: ns1.holder.example
mnt-by: MAINT-PIA-EX
source: EXAMPLE
`;
/** One key per line. */
const keys = `
198.18.4.1
198.18.4.60
198.18.5.49
198.18.5.9
198.18.200.1
198.18.0.0/16
198.18.4.0/22
198.18.4.0 - 198.18.4.99
198.18.4.50 - 198.18.5.49
198.18.0.0/15
0.0.0.0
203.0.113.9
2001:db8::
2001:db8:1::/48
2001:db8:1:2::/64
::/0
AS64500
AS64499
AS1
AS64496 - AS64511
AS64496 - AS64502
4.18.198.in-addr.arpa
7.18.198.in-addr.arpa
1.6.e164.arpa
PP1-EX
IRT-HOLDER-EX
ORG-HO1-EX
INNER-NET
r1.holder.example
AS-OUTER`
  .trim()
  .split('\n');
const flags = [
  '',
  '-x',
  '-l',
  '-L',
  '-b',
  '-r',
  '-G',
  '-c',
  '-d',
  '-K',
  '-F',
  '-B',
  '--filtering',
  '-T inetnum,route',
  '-T domain',
  '-dT domain,inet-rtr',
];
const questions = [...keys.flatMap(key => flags.map(flag => `${flag} ${key}`.trim())), '-i mnt-by MAINT-PIA-EX'];
const irr = [
  '!r198.18.4.0/24,o',
  '!r198.18.4.0/24,L',
  '!r198.18.4.0/24,l',
  '!r198.18.4.0/22',
  '!maut-num,AS64500',
  '!maut-num,AS1',
  '!mas-set,AS-OUTER',
];

/** The same questions over one connection each, instead of a thousand connections. */
async function answers(whois: WhoisServer): Promise<string[]> {
  const kept = await whois.send(`-k\n${questions.map(question => `-k ${question}\n`).join('')}\n`);
  const each = kept.split(/(?<=Whois Service version.*\n\n\n)/);
  return [...each, await whois.send(`!!\n${irr.map(question => `${question}\n`).join('')}!q\n`)];
}

describe.each(kinds)('the copy in memory on %s', kind => {
  let copied: WhoisServer;
  let asking: WhoisServer;
  beforeAll(async () => {
    const objects = exampleObjects + moreObjects;
    copied = await whoisServer({ kind, objects, personalLookupsPerDay: 1e6 });
    asking = await whoisServer({ kind, objects, personalLookupsPerDay: 1e6, memoryMegabytes: 0 });
  });
  afterAll(async () => {
    await copied[Symbol.asyncDispose]();
    await asking[Symbol.asyncDispose]();
  });

  test('every query is answered as by the database', async () => {
    const [fromCopy, fromDatabase] = [await answers(copied), await answers(asking)];
    expect(copied.port43.copy()?.objects).toBeGreaterThan(20);
    expect(asking.port43.copy()).toBeNull();
    expect(fromCopy).toHaveLength(questions.length + 1);
    expect(fromCopy).toEqual(fromDatabase);
  });

  test('also after objects were made, changed and deleted', async () => {
    for (const { db } of [copied, asking]) {
      await loadObjects(
        db,
        `${exampleObjects.replaceAll('198.18.4.0 - 198.18.4.99', '198.18.4.0 - 198.18.4.127').replaceAll('Level', 'Floor').replace('Pia Person', 'Pia P. Person')}
route: 198.18.4.0/24
descr: New
origin: AS64500
mnt-by: MAINT-PIA-EX
source: EXAMPLE

as-block: AS1 - AS10
descr: New
admin-c: PP1-EX
tech-c: PP1-EX
mnt-by: EXAMPLE-HM
source: EXAMPLE
`,
      );
    }
    const [fromCopy, fromDatabase] = [await answers(copied), await answers(asking)];
    expect(fromCopy).toEqual(fromDatabase);
    expect(fromCopy.join('')).toContain('Pia P. Person');
  });

  test('a deleted object is not answered any more', async () => {
    expect(await copied.query('-x -T route 198.18.4.0/24')).toContain('descr: New');
    await copied.db.change({ action: 'whois.loadDump', summary: 'Deleted a route', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`with gone as (delete from whois_object where class = 'route' and key = '198.18.4.0/24as64500' returning *)
        insert into whois_journal (serial, operation, class, key, shown, version, text, activity_id, happened_at)
        select (select max(serial) + 1 from whois_journal), 'DEL', class, key, shown, version + 1, text, ${change.activityId}::bigint, now() from gone`);
    });
    expect(await copied.query('-x -T route 198.18.4.0/24')).toContain('%ERROR:101:');
  });

  // Notifications of the embedded database come from within the process: they are not lost.
  if (kind === 'postgres')
    test('while notifications are lost the database is asked, and the copy catches up afterwards', async () => {
      await copied.query('198.18.5.9');
      await copied.db.read.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`);
      await vi.waitUntil(() => copied.port43.copy() === null, { timeout: 10_000, interval: 2 });
      expect(copyOf(copied.db)).toBeNull();
      await loadObjects(copied.db, 'route: 198.18.9.0/24\ndescr: Missed\norigin: AS64500\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n');
      expect(await copied.query('-x -T route 198.18.9.0/24')).toContain('Missed');
      expect(copyOf(copied.db)!.around('route', parseRange('198.18.9.0/24'), 'exact')).toMatchObject([{ key: '198.18.9.0/24as64500' }]);
    });

  test('auth is not in memory', () => {
    expect(copyOf(copied.db)!.named('irt', 'irt-holder-ex')!.text).toContain('auth:           # Filtered');
  });

  test('without room for the copy the database is asked, and the log names the setting', async () => {
    const said: string[] = [];
    const warn = (message: string): void => void said.push(message);
    const kept = await openFollowedCopy(asking.db, { maxBytes: 1_000, log: { ...log, warn } });
    try {
      await vi.waitUntil(() => said.length > 0, { timeout: 10_000, interval: 5 });
      expect(said).toEqual([expect.stringContaining('WHOIS_MEMORY_MEGABYTES')]);
      expect(kept.state()).toBeNull();
      expect(copyOf(asking.db)).toBeNull();
      expect(await asking.query('198.18.5.9')).toContain('OVERLAP-NET');
    } finally {
      await kept.stop();
    }
  });
});
