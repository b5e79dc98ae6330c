import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../../test/portal.ts';
import { publishAll } from './publisher.ts';
import { checkRepository } from './repository-check.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Suspended or opened', traceId: '0'.repeat(32), accountName: account };
const status = (portal: TestPortal, word: 'open' | 'suspended') =>
  portal.db.change(line, change => change.rows(sql`update account set account_status = ${word} where account_name = ${account}`));
const manifests = (portal: TestPortal) =>
  portal.db.read.rows(
    sql`select 1 from rpki_object join rpki_key using (key_id) join rpki_ca using (ca_id) where account_name = ${account} and rpki_object.kind = 'manifest'`,
  );

test.each(kindsForRules)(
  'a member without ROAs that is suspended and reopened on the same day is published again, and doesn’t hold up others, on %s',
  async kind => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    await corin(api.rpki.enable, { account });
    await publishAll(portal.context);
    expect(await manifests(portal)).toHaveLength(1);
    await status(portal, 'suspended');
    await publishAll(portal.context);
    expect(await manifests(portal)).toEqual([]);
    await status(portal, 'open');
    await publishAll(portal.context);
    expect(await manifests(portal)).toHaveLength(1);
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
  },
);

test.each(kindsForRules)('a member that is suspended is withdrawn immediately: the publisher is notified, on %s', async kind => {
  await using portal = await testPortal(kind);
  const corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  await publishAll(portal.context);
  const { promise: notified, resolve } = Promise.withResolvers<void>();
  const stop = await portal.db.listen('rpki', () => resolve());
  await status(portal, 'suspended');
  await notified;
  await stop();
  const due = await portal.db.read.rows<{ accountName: string }>(sql`select account_name from rpki_due`);
  expect(due).toEqual([{ accountName: account }]);
});
