import { api } from '@portal/contract';
import { parseResource } from '@portal/number-resources';
import { expect, test, describe } from 'vitest';
import { kinds, testPortal } from '../../../test/portal.ts';
import { importStatistics } from '../resources/index.ts';

async function* file(...records: string[]): AsyncGenerator<Uint8Array> {
  const count = (kind: string): number => records.filter(record => record.split('|')[2] === kind).length;
  const summaries = ['asn', 'ipv4'].map(kind => `apnic|*|${kind}|*|${count(kind)}|summary`);
  yield Buffer.from(`${[`2.3|apnic|20160131|${records.length}||20160130|+1000`, ...summaries, ...records].join('\n')}\n`);
}

describe.each(kinds)('the holder search on %s', kind => {
  test('finds who holds a number, what lies in a range, and what belongs to nobody', async () => {
    await using portal = await testPortal(kind);
    const from = file(
      'apnic|AU|ipv4|1.0.0.0|256|20110811|assigned|A1',
      'apnic||ipv4|1.0.1.0|256||available|',
      'apnic||asn|4608|1024||reserved|',
    );
    await importStatistics(portal.db, { ownRegistry: 'example', from });
    const stella = await portal.as('stella');
    const find = async (q: string) =>
      (await stella(api.staff.findHolders, { query: { q } })).data?.hits.map(
        ({ accountName, resource, pool }) => `${accountName || pool} ${resource}`,
      );
    expect(await find('198.18.5.1')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('198.18.5.1/24')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('198.18.66.0 - 198.18.128.0')).toEqual(['EXAMPLE-AU 198.18.64.0 - 198.18.66.255', 'OLDNET-JP 198.18.128.0/18']);
    expect(await find('1.0.0.0/8')).toEqual(['APNIC-A1 1.0.0.0/24', 'available 1.0.1.0/24']);
    expect(await find('AS64503')).toEqual(['NATREG-XX AS64502 - AS64509']);
    expect(await find('64503')).toEqual(['NATREG-XX AS64502 - AS64509']);
    expect(await find('as5000')).toEqual(['reserved AS4608 - AS5631']);
    // As people paste it: full-width digits, a trailing dot, quotes.
    expect(await find('１９８．１８．５．１')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('"198.18.5.1."')).toEqual(['EXAMPLE-AU 198.18.0.0/19']);
    expect(await find('9.9.9.9')).toEqual([]);
  });

  test('finds accounts by a part of either name, the exact name first', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const find = async (q: string) => (await stella(api.staff.findHolders, { query: { q } })).data;
    expect((await find('cloud'))?.hits).toEqual([
      {
        accountName: 'OTHER-SG',
        orgName: 'Other Cloud Pte. Ltd.',
        accountType: 'regular',
        accountStatus: 'open',
        economy: 'SG',
        kind: null,
        resource: null,
        pool: null,
      },
    ]);
    expect((await find('example-au'))?.hits[0]?.accountName).toBe('EXAMPLE-AU');
    expect((await find('GONE'))?.hits[0]).toMatchObject({ accountName: 'GONE-VU', accountStatus: 'closed' });
    expect((await find('%_'))?.hits).toEqual([]);
    expect(await find('group')).toMatchObject({ more: false });
  });

  test('says when there is more than it shows', async () => {
    await using portal = await testPortal(kind);
    await importStatistics(portal.db, {
      ownRegistry: 'example',
      from: file(...Array.from({ length: 30 }, (_, n) => `apnic|AU|ipv4|1.0.${n}.0|256|20110811|assigned|A${n}`)),
    });
    const { data } = await (await portal.as('stella'))(api.staff.findHolders, { query: { q: '1.0.0.0/16' } });
    expect(data?.hits).toHaveLength(20);
    expect(data?.more).toBe(true);
    expect(data?.hits.every(({ resource }) => parseResource(resource ?? '').family === 'ipv4')).toBe(true);
  });

  test('any account can be looked at, to view and not to change', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const { data } = await stella(api.staff.getAccount, { accountName: 'GONE-VU' });
    expect(data).toMatchObject({ accountName: 'GONE-VU', accountStatus: 'closed', asStaff: true, contactTypes: [] });
    expect(data?.permissions.every(permission => permission.endsWith('-view'))).toBe(true);
    expect(await stella(api.staff.getAccount, { accountName: 'NOBODY' })).toMatchObject({
      status: 404,
      errors: [{ message: 'Account NOBODY was not found' }],
    });
    expect((await stella(api.resources.getSummary, { account: 'OTHER-SG' })).status).toBe(200);
  });

  test('is for registry staff with a second factor; to others it does not exist', async () => {
    await using portal = await testPortal(kind);
    for (const endpoint of Object.values(api.staff)) {
      expect(await portal.statusOf(endpoint, { as: null })).toBe(401);
      expect(await portal.statusOf(endpoint, { as: 'corin' })).toBe(404);
    }
    const stella = await portal.as('stella', { mfa: false });
    expect(await stella(api.staff.findHolders, { query: { q: 'x' } })).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
  });
});
