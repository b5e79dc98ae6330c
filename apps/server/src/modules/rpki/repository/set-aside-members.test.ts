import { api } from '@portal/contract/api';
import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import type { CaSigner } from '../authorities/signer.ts';
import { caSigner } from '../authorities/signing-system.ts';
import { publishAll } from './publisher.ts';
import { unpublishedOf } from '../unpublished.ts';
import { checkRepository } from './repository-check.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32), accountName: account };
const ofAccount = sql`key_id in (select key_id from rpki_key join rpki_ca using (ca_id) where account_name = ${account})`;
const certified = async (portal: TestPortal): Promise<string[]> =>
  (
    await portal.db.read.rows<{ resources: string[] }>(
      sql`select resources from rpki_key join rpki_ca using (ca_id) where account_name = ${account} and rpki_key.state = 'current'`,
    )
  )[0]!.resources;

test('a member whose files would be refused is left out until they are right, and everyone else’s are published', async () => {
  let offset = 0;
  await using portal = await testPortal(undefined, {}, () => new Date(Date.now() + offset));
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  await corin(api.rpki.enable, { account });
  await olive(api.rpki.enable, { account: 'OTHER-SG' });
  await publishAll(portal.context);
  const before = await certified(portal);
  // Simulates a defect: its CRL is gone, and its certificate has to be renewed.
  await portal.db.change(line, async change => {
    await change.rows(sql`delete from rpki_object where kind = 'crl' and ${ofAccount}`);
    await change.rows(
      sql`update delegation set status = 'closed' where account_name = ${account} and resource = '198.18.64.0 - 198.18.66.255'`,
    );
  });
  const { version } = (await olive(api.rpki.listRoas, { account: 'OTHER-SG' })).data!;
  const body = { version, add: [{ prefix: '198.51.100.0/24', asn: 'AS64501' }], remove: [] };
  expect((await olive(api.rpki.changeRoas, { account: 'OTHER-SG', body })).errors).toBeUndefined();
  await publishAll(portal.context);
  expect(
    await portal.db.read.rows(sql`select 1 from rpki_object o join roa r on r.roa_id = any(o.roa_ids) where r.asn = 64501`),
  ).toHaveLength(1);
  expect(await certified(portal)).toEqual(before);
  // Its change waits. After ten minutes an alarm says so, and its owner reads it on the page and at home; no one else does.
  const said = async (person: typeof corin, of: string) => ({
    page: (await person(api.rpki.getStatus, { account: of })).data!.unpublished,
    home: (await person(api.home.getHome, { account: of })).data!.attention!.filter(({ attentionId }) => attentionId === 'rpki-waits')
      .length,
  });
  const nothing = { page: { files: [], waitingSince: null }, home: 0 };
  expect(await said(corin, account)).toEqual(nothing);
  offset += 11 * MINUTE_MS;
  expect(await said(corin, account)).toEqual({ page: { files: [], waitingSince: expect.any(String) }, home: 1 });
  expect(await said(olive, 'OTHER-SG')).toEqual(nothing);
  // It is made once nothing is against it.
  expect(await portal.db.read.rows(sql`select 1 from rpki_due where account_name = ${account}`)).not.toEqual([]);
  await portal.db.change(line, change => change.rows(sql`update rpki_manifest set next_update = now() where ${ofAccount}`));
  offset += HOUR_MS;
  await publishAll(portal.context);
  expect(await certified(portal)).not.toEqual(before);
  expect(await unpublishedOf(portal.db.read, account, new Date(Date.now() + offset))).toEqual(nothing.page);
  expect((await checkRepository(portal.db.read, new Date(Date.now() + offset))).problems).toEqual([]);
});

test('a member whose key doesn’t open is left out, and everyone else’s files are published', async () => {
  await using portal = await testPortal();
  const people = [
    ['corin', account, '198.18.64.0/24'],
    ['olive', 'OTHER-SG', '198.51.100.0/24'],
  ] as const;
  for (const [name, of] of people) await (await portal.as(name))(api.rpki.enable, { account: of });
  await publishAll(portal.context);
  const [key] = await portal.db.read.rows<{ keyIdentifier: string }>(sql`select key_identifier from rpki_key where ${ofAccount}`);
  for (const [name, of, prefix] of people) {
    const person = await portal.as(name);
    const { version } = (await person(api.rpki.listRoas, { account: of })).data!;
    const body = { version, add: [{ prefix, asn: 'AS64501' }], remove: [] };
    expect((await person(api.rpki.changeRoas, { account: of, body })).errors).toBeUndefined();
  }
  const signer = portal.context.outside(caSigner);
  const locked: CaSigner = {
    ...signer,
    sign: wanted =>
      wanted.some(({ keyIdentifier }) => keyIdentifier === key!.keyIdentifier)
        ? Promise.reject(new Error('It does not open'))
        : signer.sign(wanted),
  };
  const outside = ((port: never) =>
    (port as unknown) === caSigner ? locked : portal.context.outside(port)) as typeof portal.context.outside;
  await publishAll({ ...portal.context, outside });
  const published = await portal.db.read.rows<{ accountName: string }>(
    sql`select r.account_name from rpki_object o join roa r on r.roa_id = any(o.roa_ids) where r.asn = 64501`,
  );
  expect(published).toEqual([{ accountName: 'OTHER-SG' }]);
});
