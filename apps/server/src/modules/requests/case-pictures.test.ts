import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { USE_PARTS, usedParts } from '../resources/index.ts';

const account = 'EXAMPLE-AU';

describe.each(kindsForRules)('what is drawn beside a case on %s', kind => {
  test('the plan of a transfer says of each reverse zone what the last check found', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    await portal.db.change({ action: 'demo.zones', summary: 'Checked two zones', traceId: '0'.repeat(32) }, async change => {
      for (const [zone, state] of [
        ['2.18.198.in-addr.arpa', 'ok'],
        ['3.18.198.in-addr.arpa', 'lame'],
      ])
        await change.rows(
          sql`insert into rdns_zone (zone, state, checked_at, dnssec, problem) values (${zone}, ${state}, now(), 'none', ${state === 'lame' ? 'ns2.example.net refuses the zone' : null})`,
        );
    });
    const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
    const form = { ...emptyForm, resources: ['198.18.2.0/23'], recipient: 'OTHER-SG', reason: 'Not needed any more' };
    const { plan } = (await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } })).data!;
    const found = plan!.effects.flatMap(({ what, name, zone }) => (what === 'reverse' ? [[name, zone]] : []));
    expect(found).toEqual([
      ['2.18.198.in-addr.arpa', 'ok'],
      ['3.18.198.in-addr.arpa', 'lame'],
    ]);
    expect(plan!.effects.filter(({ what, zone }) => what !== 'reverse' && zone !== undefined)).toEqual([]);
  });

  test('staff see which sixteenths of each block of the account are used, beside its request', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
    const form = { ...emptyForm, resources: ['198.18.2.0/23'], recipient: 'OTHER-SG', reason: 'Not needed any more' };
    const saved = (await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } })).data!;
    await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.version, truthful: true } });
    const { holdings } = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect(holdings.filter(({ kind: of }) => of === 'asn').map(({ parts }) => parts)).toEqual([null, null]);
    const blocks = holdings.filter(({ kind: of }) => of !== 'asn');
    expect(blocks.length).toBeGreaterThan(2);
    for (const { resource, size, used, parts } of blocks) {
      expect(parts, resource).toHaveLength(USE_PARTS);
      const drawn = parts!.reduce((sum, part) => sum + part, 0) / USE_PARTS;
      expect(drawn, resource).toBeCloseTo(Number(used) / Number(size), 6);
    }
  });

  test('an unused block has empty parts, and each registration fills those that it lies in, as far as it does', async () => {
    await using portal = await testPortal(kind);
    const { read } = portal.db;
    const rows = await read.rows<{ delegationId: number; resource: string; used: string[] | null }>(sql`
      select d.delegation_id, d.resource, array_agg(a.resource order by a.first) filter (where a.level = 0) as used
      from delegation d left join assignment a on a.delegation_id = d.delegation_id where d.account_name = ${account} and d.kind = 'ipv4' and d.registry = ''
      group by d.delegation_id, d.resource, d.first order by d.first`);
    const parts = await usedParts(
      read,
      rows.map(({ delegationId }) => delegationId),
    );
    const ofNone = rows.filter(({ used }) => used === null);
    expect(ofNone.length).toBeGreaterThan(0);
    for (const { delegationId } of ofNone) expect(parts.get(delegationId)).toEqual(Array<number>(USE_PARTS).fill(0));
    expect(
      rows.map(
        ({ resource, delegationId }) =>
          `${resource} ${parts
            .get(delegationId)!
            .map(part => part.toFixed(2))
            .join(' ')}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "198.18.0.0/19 1.00 1.00 1.00 1.00 1.00 0.00 1.00 0.88 1.00 1.00 1.00 1.00 0.50 0.00 0.00 0.50",
        "198.18.64.0 - 198.18.66.255 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 0.67 0.00 0.00 0.00 0.00 0.00",
        "203.0.113.0/24 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00",
      ]
    `);
    expect(await usedParts(read, [])).toEqual(new Map());
  });
});
