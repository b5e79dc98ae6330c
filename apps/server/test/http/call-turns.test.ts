import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Turns } from '../../src/platform/http/turns.ts';
import { type TestPortal, testPortal } from '../portal.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const line = { action: 'test', summary: 'Held a row', traceId: '0'.repeat(32) };

test('turns are few per name and in order, and too many waiting ones are refused', async () => {
  const turns = new Turns({ running: 2, waiting: 2 });
  const begun: number[] = [];
  const [first, second] = [await turns.take('a'), await turns.take('a')];
  const waiting = [3, 4].map(async each => {
    const end = await turns.take('a');
    begun.push(each);
    return end;
  });
  await expect(turns.take('a')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  // Others have turns of their own.
  (await turns.take('b'))();
  expect(begun).toEqual([]);
  first();
  const third = await waiting[0]!;
  expect(begun).toEqual([3]);
  second();
  const fourth = await waiting[1]!;
  third();
  fourth();
  // All have ended, so all turns are free again.
  const again = [await turns.take('a'), await turns.take('a')];
  for (const end of again) end();
});

test('a person whose many calls wait for one row delays no one else', async () => {
  await using portal = await testPortal();
  const [hana, max] = [await portal.as('hana'), await portal.as('max')];
  const save = (person: Person, timeZone: string) => person(api.people.savePreferences, { body: { timeZone } });
  let calls: ReturnType<typeof save>[] = [];
  // Whatever hana changes of her own waits for her login.
  await portal.db.change(line, async change => {
    await change.rows(sql`select 1 from login where username = 'hana' for update`);
    calls = Array.from({ length: 110 }, () => save(hana, 'Asia/Tokyo'));
    expect((await save(max, 'Europe/Paris')).status).toBe(200);
  });
  const codes = (await Promise.all(calls)).map(({ status, errors }) => errors?.[0]?.code ?? status);
  expect(codes.filter(code => code === 'TOO_MANY_REQUESTS')).toHaveLength(7);
  expect(codes.filter(code => code === 200)).toHaveLength(103);
});

test('of many tickets opened at the same moment only the daily limit is accepted', async () => {
  await using portal = await testPortal();
  const nadia = await portal.as('nadia');
  const opened = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      nadia(api.tickets.openTicket, {
        body: { queue: 'resources', account: null, subject: `Question ${n}`, text: 'How?', documentIds: [] },
      }),
    ),
  );
  const codes = opened.map(({ status, errors }) => errors?.[0]?.code ?? status);
  expect(codes.filter(code => code === 'TOO_MANY_REQUESTS')).toHaveLength(40);
});
