import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';

test('home names the zones in which the list of zones shows something wrong, and no other', async () => {
  await using portal = await testPortal();
  const tess = await portal.as('tess');
  const rows = (await tess(api.reverseDns.listZones, { account, query: { q: '', delegated: 'true' } })).data!.rows;
  const titles = async (): Promise<Record<string, string>> => {
    const { attention } = (await tess(api.home.getHome, { account })).data!;
    return Object.fromEntries(
      attention!.filter(({ attentionId }) => attentionId.startsWith('rdns-')).map(({ attentionId, title }) => [attentionId, title]),
    );
  };
  const [lame, chain, fine] = rows.map(({ zone }) => zone);
  const line = { action: 'test', summary: 'Found zones lame', traceId: '0'.repeat(32) };
  const found = (zone: string, state: string, dnssec: string) =>
    portal.db.change(line, change =>
      change.rows(sql`insert into rdns_zone (zone, state, dnssec, checked_at) values (${zone}, ${state}, ${dnssec}, now())
        on conflict (zone) do update set state = excluded.state, dnssec = excluded.dnssec, checked_at = excluded.checked_at`),
    );
  expect(await titles()).toEqual({});
  await found(lame!, 'lame', 'none');
  await found(chain!, 'ok', 'ends-soon');
  await found(fine!, 'ok', 'none');
  expect(await titles()).toEqual({
    'rdns-lame': `A name server of ${lame} doesn’t answer for it`,
    'rdns-dnssec': `DNSSEC of ${chain} needs attention`,
  });

  // A zone of someone else, and one of its own that isn't published.
  const [other] = await portal.db.read.rows<{ key: string }>(sql`select key from whois_object o where class = 'domain' and first is not null
    and not exists (select from delegation d where d.account_name = ${account} and d.first <= o.first and d.last >= o.last) limit 1`);
  await found(other!.key, 'lame', 'broken');
  await portal.db.change(line, change =>
    change.rows(
      sql`insert into rdns_left_out (zone, parent, version, reasons, whole, since) values (${fine}, 'arpa', 1, '{Wrong}', true, now())`,
    ),
  );
  expect(await titles()).toMatchObject({
    'rdns-lame': `A name server of ${lame} doesn’t answer for it`,
    'rdns-left-out': `${fine} is not published`,
  });

  // What was found of an older object says nothing about the present one.
  await portal.db.change(line, change => change.rows(sql`update rdns_zone set checked_at = '2020-01-01' where zone = ${lame}`));
  expect(Object.keys(await titles())).toEqual(expect.not.arrayContaining(['rdns-lame']));
});
