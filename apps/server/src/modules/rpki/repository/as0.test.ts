import { api } from '@portal/contract/api';
import { parseResource, printPrefix } from '@portal/number-resources';
import { decodeRoa, decodeSignedObject } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { closeDelegations } from '../../resources/delegations.ts';
import { addDemoPools } from '../../resources/demo-pools.ts';
import { addPools, columnsOf, delegate, holdForRequest, restInPool, takeHeld } from '../../resources/index.ts';
import { publishAll } from './publisher.ts';
import { readRepository } from './repository-check.ts';
import { anyNumbers } from '../../../../test/any-numbers.ts';

const activity = { action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) };
const free = ['198.19.128.0/19', '198.19.160.0/21', '198.19.169.0/24', '198.19.171.0/24', '198.19.176.0/22', '3fff:800::/21'];

describe.each(kindsForRules)('space without a holder on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind, { RPKI_AS0: 'yes' });
    await portal.db.change(activity, addDemoPools);
    const corin = await portal.as('corin');
    await corin(api.rpki.enable, { account: 'EXAMPLE-AU' });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  /** Publishes, and returns the payloads of the second trust anchor; problems fail the test. */
  const published = async (context = portal.context): Promise<string[]> => {
    await publishAll(context);
    const { unallocated, problems } = await readRepository(portal.db.read, new Date());
    expect(problems).toEqual([]);
    expect(unallocated.every(({ asn }) => asn === 0)).toBe(true);
    return unallocated.map(({ prefix }) => prefix).sort();
  };

  test('is published with AS0 below a trust anchor of its own, without reserved space', async () => {
    expect(await published()).toEqual([...free].sort());
    // 198.19.168.0/24 is reserved, but not for a request or in quarantine: the registry may use it itself.
    const { vrps } = await readRepository(portal.db.read, new Date());
    expect(vrps).toEqual([]);
    const [tal, own] = [await portal.request('/rpki/as0.tal'), await portal.request('/rpki/registry.tal')];
    expect(tal.headers.get('content-type')).toBe('application/rpki-trust-anchor-locator');
    const [first, second] = [await tal.text(), await own.text()];
    expect(first).toMatch(/^# .*\n# .*\nrsync:\/\/\S+\/as0\.cer\n\n/);
    expect(first.split('\n\n')[1]).not.toBe(second.split('\n\n')[1]);
    expect((await portal.request('/rpki/as0.cer')).status).toBe(200);
    const corin = await portal.as('corin');
    const { data } = await corin(api.rpki.getStatus, { account: 'EXAMPLE-AU' });
    expect(data!.repository.as0Locator).toMatch(/\/rpki\/as0\.tal$/);
  });

  test('a delegated block leaves AS0 in the publication that certifies its holder, and no earlier publication has its ROA', async () => {
    await portal.db.change(activity, async change => {
      await delegate(change, { resource: '198.19.176.0/23', accountName: 'EXAMPLE-AU', type: 'assigned' }, anyNumbers);
      await change.rows(
        sql`insert into roa (account_name, prefix, max_length, asn, created_at) values ('EXAMPLE-AU', '198.19.176.0/23', 23, 64500, now())`,
      );
    });
    const made = await publishAll(portal.context);
    expect(made).toHaveLength(1);
    const objects = made[0]!.files.filter(({ uri, after }) => uri.endsWith('.roa') && after !== null);
    const said = objects.map(({ after }) => decodeRoa(decodeSignedObject(after!, 'roa').content));
    expect(said.map(({ asNumber, prefixes }) => `${asNumber} ${prefixes.map(({ prefix }) => printPrefix(prefix)).join()}`).sort()).toEqual([
      '0 198.19.178.0/23',
      '64500 198.19.176.0/23',
    ]);
    expect(made[0]!.files.filter(({ uri, after }) => uri.endsWith('.roa') && after === null)).toHaveLength(1);
    expect(await published()).not.toContain('198.19.176.0/22');
  });

  test('a block held for a request stays under AS0 until it is delegated; returned space comes under it in quarantine', async () => {
    await portal.db.change(activity, change => holdForRequest(change, parseResource('198.19.171.0/24'), 'REQ-1'));
    expect(await published()).toContain('198.19.171.0/24');
    const held = await portal.db.change(activity, async change => {
      await takeHeld(change, 'REQ-1');
      return delegate(change, { resource: '198.19.171.0/24', accountName: 'EXAMPLE-AU', type: 'assigned' }, anyNumbers);
    });
    expect(await published()).not.toContain('198.19.171.0/24');
    await portal.db.change(activity, async change => {
      await closeDelegations(change, [Number(held)]);
      await restInPool(change, parseResource('198.19.171.0/24'), '2099-01-01');
    });
    expect(await published()).toContain('198.19.171.0/24');
  });

  test('many blocks share an object per /8, and one delegation changes one object', async () => {
    const pool = { state: 'available' as const, registry: '', economyText: '', dateText: '', extensions: null };
    const blocks = Array.from({ length: 120 }, (_, place) => `10.${place * 2}.0.0/24`);
    await portal.db.change(activity, change =>
      addPools(
        change,
        blocks.map(block => ({ ...columnsOf(parseResource(block)), ...pool })),
      ),
    );
    expect(await published()).toEqual(expect.arrayContaining(blocks));
    await portal.db.change(activity, change =>
      delegate(change, { resource: '10.4.0.0/24', accountName: 'EXAMPLE-AU', type: 'assigned' }, anyNumbers),
    );
    const [made] = await publishAll(portal.context);
    expect(made!.files.filter(({ uri, after }) => uri.includes('/as0/') && uri.endsWith('.roa') && after !== null)).toHaveLength(1);
    const now = await published();
    expect(now).not.toContain('10.4.0.0/24');
    expect(now).toEqual(expect.arrayContaining([blocks[0], blocks[1], blocks[3]]));
  });

  test('it changes only with the pools, and switched off it stays empty under the same key', async () => {
    expect(await publishAll(portal.context)).toEqual([]);
    const locator = await (await portal.request('/rpki/as0.tal')).text();
    const off = { ...portal.context, config: { ...portal.context.config, rpkiAs0: false } };
    expect(await published(off)).toEqual([]);
    expect(await (await portal.request('/rpki/as0.tal')).text()).toBe(locator);
    expect(await published()).toContain('198.19.128.0/19');
    expect(await (await portal.request('/rpki/as0.tal')).text()).toBe(locator);
  });
});

test('without the setting there is no such trust anchor', async () => {
  await using portal = await testPortal();
  await publishAll(portal.context);
  expect((await portal.request('/rpki/as0.tal')).status).toBe(404);
  expect((await portal.request('/rpki/as0.cer')).status).toBe(404);
  expect((await readRepository(portal.db.read, new Date())).unallocated).toEqual([]);
});
