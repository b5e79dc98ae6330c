import { api } from '@portal/contract/api';
import { HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { removeDueUsers } from './last-users.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const maintainer = 'MAINT-AU-EXAMPLE';
let portal: TestPortal;
let corin: Client;
let tess: Client;
let bill: Client;
let ids: { bill: string; tess: string };
beforeAll(async () => {
  portal = await testPortal();
  [corin, tess, bill] = (await Promise.all(['corin', 'tess', 'bill'].map(name => portal.as(name)))) as [Client, Client, Client];
  const rows = await portal.db.read.rows<{
    name: string;
    id: string;
  }>(sql`select lower(split_part(full_name, ' ', 1)) as name, contact_id::text as id
    from contact where account_name = ${account} and status = 'active'`);
  ids = Object.fromEntries(rows.map(({ name, id }) => [name, id])) as typeof ids;
});
afterAll(() => portal[Symbol.asyncDispose]());

const grant = (...contactIds: string[]) => corin(api.whois.grantMaintainer, { account, maintainer, body: { contactIds } });
const row = async (who: Client = corin) =>
  (await who(api.whois.listMaintainers, { account })).data!.rows.find(each => each.maintainer === maintainer)!;
const users = async () => (await row()).users!.map(({ name }) => name);
const keep = (code: string, who: Client = tess) =>
  who(api.whoisMaintainerUsers.keepMaintainerUsers, { account, maintainer, body: { code } });
const after = (hours: number) =>
  removeDueUsers(portal.db, { now: new Date(Date.now() + hours * HOUR_MS), box: openSecretBox(portal.config) });
const codeOfMail = async (): Promise<string> => {
  const mails = (await portal.mailsTo('noc@example-au.example')).filter(
    ({ subject }) => subject === `${maintainer} is about to have no users`,
  );
  return /code=([A-Z2-7]{10})/.exec(mails.at(-1)!.body)![1]!;
};

test('the last user of a maintainer keeps it for a day, and is notified together with the maintainer’s upd-to', async () => {
  await grant(ids.bill);
  expect(await users()).toEqual(['Bill Okonkwo']);
  const { data } = await grant();
  expect(data!.rows[0]).toMatchObject({ users: [{ name: 'Bill Okonkwo' }], usersEndAt: expect.any(String) });
  expect(Math.round((Date.parse(data!.rows[0]!.usersEndAt!) - Date.now()) / HOUR_MS)).toBe(24);
  expect((await portal.lastActivity())!.details).toMatchObject({ maintainer, lastUsers: ['Bill Okonkwo'] });
  expect((await portal.mailsTo('bill@example-au.example')).at(-1)).toMatchObject({
    subject: `${maintainer} is about to have no users`,
    body: expect.stringMatching(/Corin Achterberg takes the last user off MAINT-AU-EXAMPLE in EXAMPLE-AU: Bill Okonkwo/),
  });
  // People who may not see permissions are not notified of them; a repeated request mails no one.
  expect((await row(tess)).usersEndAt).toBeNull();
  const letters = (await portal.mailsTo('noc@example-au.example')).length;
  await grant();
  expect((await portal.mailsTo('noc@example-au.example')).length).toBe(letters);
  expect(await after(23)).toBe(0);
  expect(await users()).toEqual(['Bill Okonkwo']);
});

test('the link of the mail keeps the user, once, and no other code does', async () => {
  const code = await codeOfMail();
  expect((await keep('WRONG-CODE')).data).toMatchObject({ kept: false });
  expect((await keep(code.toLowerCase(), bill)).data).toMatchObject({ kept: true });
  expect((await keep(code)).errors![0]!.code).toBe('CODE_EXPIRED');
  expect((await row()).usersEndAt).toBeNull();
  expect(await after(25)).toBe(0);
  expect(await users()).toEqual(['Bill Okonkwo']);
  const olive = await portal.as('olive');
  expect((await keep(code, olive)).status).toBe(404);
});

test('after five wrong codes only a contact who may change users can keep them', async () => {
  await grant();
  const code = await codeOfMail();
  for (let tries = 0; tries < 5; tries++) expect((await keep('AAAAAAAAAA')).data!.kept).toBe(false);
  expect((await keep(code)).errors![0]!.code).toBe('CODE_EXPIRED');
  await grant(ids.bill);
  expect((await row()).usersEndAt).toBeNull();
});

test('after a day they can’t use it any more; a user who isn’t the last one is removed immediately', async () => {
  const nadia = await portal.db.read.rows<{
    id: string;
  }>(sql`select contact_id::text as id from contact where account_name = ${account} and status = 'active'
    and not 'corporate' = any(contact_types) and contact_id::text not in (${ids.bill}) order by full_name limit 1`);
  await grant(ids.bill, nadia[0]!.id);
  expect(await users()).toHaveLength(2);
  await grant(ids.bill);
  expect(await users()).toEqual(['Bill Okonkwo']);
  await grant();
  expect(await after(24.1)).toBe(1);
  expect(await users()).toEqual([]);
  expect((await row()).usersEndAt).toBeNull();
  expect((await portal.lastActivity())!.details).toMatchObject({ maintainer, withdrawn: ['Bill Okonkwo'] });
  expect((await portal.mailsTo('bill@example-au.example')).at(-1)!.subject).toBe(`${maintainer} has no users`);
  expect(await after(25)).toBe(0);
});
