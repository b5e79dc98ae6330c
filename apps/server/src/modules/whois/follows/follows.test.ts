import { api } from '@portal/contract/api';
import { maxFollows } from '@portal/contract/whois/follows';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failMailsTo } from '../../../../test/failing-mails.ts';
import { openMailbox } from '../../../../test/mailbox.ts';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { notifyFollowers } from './follow-notices.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Client;
let tess: Client;
beforeAll(async () => {
  portal = await testPortal();
  [corin, tess] = [await portal.as('corin'), await portal.as('tess')];
});
afterAll(() => portal[Symbol.asyncDispose]());

const route = (words: string, prefix = '198.18.30.0/24'): string =>
  `route:          ${prefix}\ndescr:          ${words}\norigin:         AS64500\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`;
const write = async (text: string, who: Client = tess) => {
  const { data } = await who(api.whois.submitUpdates, { account, body: { updates: [{ text }] } });
  expect(data!.outcomes.map(({ state }) => state)).toEqual(['ok']);
};
const followed = async (who: Client) => (await who(api.whoisFollows.listFollows, { account })).data!.rows;
const mails = async (email: string) => (await portal.mailsTo(email)).filter(({ subject }) => subject.startsWith('Whois: '));
const corinsMails = () => mails('corin@example-au.example');

describe('the follows of a contact', () => {
  test('is an object or numbers, private, unique, and ends on request', async () => {
    const first = await corin(api.whoisFollows.follow, { account, body: { class: 'aut-num', key: 'as64500' } });
    expect(first.data).toMatchObject({ class: 'aut-num', shown: 'AS64500', gone: false });
    const again = await corin(api.whoisFollows.follow, { account, body: { class: 'aut-num', key: 'AS64500' } });
    expect(again.data!.followId).toBe(first.data!.followId);
    const numbers = await corin(api.whoisFollows.follow, { account, body: { resource: '198.18.0.0 - 198.18.31.255' } });
    expect(numbers.data).toMatchObject({ class: null, shown: '198.18.0.0/19' });
    expect((await followed(corin)).map(({ shown }) => shown)).toEqual(['198.18.0.0/19', 'AS64500']);
    expect(await followed(tess)).toEqual([]);
    const followId = String(first.data!.followId);
    expect((await tess(api.whoisFollows.unfollow, { account, followId })).errors![0]!.code).toBe('NOT_FOUND');
    for (const { followId: own } of await followed(corin))
      expect((await corin(api.whoisFollows.unfollow, { account, followId: String(own) })).errors).toBeUndefined();
    expect(await followed(corin)).toEqual([]);
  });

  test('must exist, must be numbers, and are limited', async () => {
    const refused = async (body: { class: 'route'; key: string } | { resource: string }) =>
      (await corin(api.whoisFollows.follow, { account, body })).errors![0];
    expect((await refused({ class: 'route', key: '198.18.31.0/24AS64500' }))!.code).toBe('NOT_FOUND');
    expect((await refused({ class: 'route', key: 'nothing' }))!.code).toBe('NOT_FOUND');
    expect(await refused({ resource: '198.18.0.9/19' })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('host bits'),
    });
    await portal.db.change({ action: 'test', summary: 'Followed much', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into whois_follow (contact_id, account_name, class, key, shown, since_serial, followed_at)
        select contact_id, account_name, 'route', 'n' || n, 'n' || n, 0, now() from contact, generate_series(1, ${maxFollows}::int) n
        where account_name = ${account} and full_name = 'Corin Achterberg'`),
    );
    expect(await refused({ resource: 'AS64500' })).toMatchObject({ code: 'TOO_MANY_FOLLOWS', message: expect.stringContaining('200') });
    await portal.db.change({ action: 'test', summary: 'Followed nothing', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`delete from whois_follow`),
    );
  });
});

describe('a follower', () => {
  test("is notified of others' changes, with the difference, once, and not of earlier ones", async () => {
    await write(route('Before'));
    await corin(api.whoisFollows.follow, { account, body: { class: 'route', key: '198.18.30.0/24AS64500' } });
    await notifyFollowers(portal.db);
    expect(await corinsMails()).toEqual([]);
    await write(route('After'));
    await notifyFollowers(portal.db);
    await notifyFollowers(portal.db);
    const [mail, ...others] = await corinsMails();
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Whois: route 198.18.30.0/24 AS64500');
    expect(mail!.body).toContain('was changed by Tess Lindqvist');
    expect(mail!.body).toMatch(/^-descr: +Before\n\+descr: +After$/m);
    const { rows } = (await corin(api.notifications.listNotifications, {})).data!;
    expect(rows[0]).toMatchObject({ topic: 'whois.follows', accountName: account, title: mail!.subject });
    expect(decodeURIComponent(rows[0]!.link!)).toContain('view=history');
  });

  test('is not notified of their own changes', async () => {
    const before = (await corinsMails()).length;
    await write(route('Mine'), corin);
    await notifyFollowers(portal.db);
    expect(await corinsMails()).toHaveLength(before);
  });

  test('is notified of everything inside followed numbers, of routes of an AS number, and of deletions, in one message', async () => {
    for (const { followId } of await followed(corin)) await corin(api.whoisFollows.unfollow, { account, followId: String(followId) });
    await corin(api.whoisFollows.follow, { account, body: { resource: '198.18.28.0/22' } });
    await corin(api.whoisFollows.follow, { account, body: { resource: 'AS64500' } });
    const before = (await corinsMails()).length;
    await write(route('New', '198.18.29.0/24'));
    await write(route('Other', '198.18.29.0/24'));
    await write(`${route('Mine')}delete: no longer announced\n`);
    // Other numbers, from another AS number.
    await write(route('Elsewhere', '198.18.20.0/24').replace('AS64500', 'AS65536'));
    await notifyFollowers(portal.db);
    const mails = await corinsMails();
    expect(mails).toHaveLength(before + 1);
    const { subject, body } = mails.at(-1)!;
    expect(subject).toBe('Whois: 2 objects you follow');
    expect(body).toContain('route 198.18.29.0/24 AS64500 was created by Tess Lindqvist. It’s now version 2.');
    expect(body).toContain('route 198.18.30.0/24 AS64500 was deleted by Tess Lindqvist: no longer announced.');
    expect(body).not.toContain('198.18.20.0');
    expect(await followed(corin)).toMatchObject([{ shown: 'AS64500', gone: false }, { shown: '198.18.28.0/22' }]);
  });

  test('whose message can’t be written holds up no one else, and nothing after it', async () => {
    for (const who of [corin, tess])
      await who(api.whoisFollows.follow, { account, body: { class: 'route', key: '198.18.29.0/24AS64500' } });
    await notifyFollowers(portal.db);
    const [corins, tesss] = [await corinsMails(), await mails('tess@example-au.example')];
    const end = await failMailsTo(portal.db, 'corin@example-au.example', 'whois.follows');
    await write(route('Hers', '198.18.29.0/24'));
    await write(route('His', '198.18.29.0/24'), corin);
    await expect(notifyFollowers(portal.db)).rejects.toThrow(/contact .* of EXAMPLE-AU, lines \d+ to \d+ of the journal: no mail/);
    expect(await mails('tess@example-au.example')).toHaveLength(tesss.length + 1);
    await end();
    // It was tried twice; its progress went on.
    await notifyFollowers(portal.db);
    expect(await corinsMails()).toHaveLength(corins.length);
    await write(route('Next', '198.18.29.0/24'));
    await notifyFollowers(portal.db);
    expect(await corinsMails()).toHaveLength(corins.length + 1);
  });

  test('ends by the link in its mail, without a sign-in', async () => {
    await using mailbox = await openMailbox(portal);
    await corin(api.whoisFollows.follow, { account, body: { class: 'route', key: '198.18.29.0/24AS64500' } });
    await corin(api.whoisFollows.follow, { account, body: { class: 'aut-num', key: 'AS64500' } });
    await notifyFollowers(portal.db);
    await write(route('Click', '198.18.29.0/24'));
    await notifyFollowers(portal.db);
    const { unsubscribe, subject } = (await mailbox.to('corin@example-au.example')).findLast(each => each.subject.startsWith('Whois: '))!;
    expect(subject).toBe('Whois: route 198.18.29.0/24 AS64500');
    const link = unsubscribe!.replace(/^https?:\/\/[^/]+/, '');
    const press = (to: string, method: 'GET' | 'POST' = 'POST') =>
      portal.request(to, {
        method,
        ...(method === 'POST' && {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'List-Unsubscribe=One-Click',
        }),
      });
    const names = async () => (await followed(corin)).map(({ shown }) => shown);
    const before = await names();
    // Scanners of mail open links too.
    expect((await press(link, 'GET')).status).toBe(200);
    expect(await names()).toEqual(before);
    // The link ends only the follow it names.
    expect((await press(link.replace(/from=\d+/, 'from=1'))).status).toBe(404);
    expect((await press(link.replace(/from=[^&]*&/, ''))).status).toBe(404);
    const pressed = await press(link);
    expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('198.18.29.0/24AS64500')]);
    // Every follow the mail was about is gone: the route's own, and those of surrounding numbers. The object of the AS number stays followed.
    expect(await names()).toEqual(['AS64500']);
    expect((await followed(corin))[0]).toMatchObject({ class: 'aut-num' });
    expect(await portal.lastActivity()).toMatchObject({
      action: 'notifications.unsubscribe',
      details: { follows: expect.arrayContaining(['198.18.29.0/24AS64500']) },
    });
    expect((await press(link)).status).toBe(200);
    const mails = (await corinsMails()).length;
    await write(route('Silence', '198.18.29.0/24'));
    await notifyFollowers(portal.db);
    expect(await corinsMails()).toHaveLength(mails);
  });

  test('gets nothing more after they stop being a contact of the account', async () => {
    const before = (await corinsMails()).length;
    await portal.db.change({ action: 'test', summary: 'Left', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update contact set status = 'removed' where account_name = ${account} and full_name = 'Corin Achterberg'`),
    );
    await write(route('Later', '198.18.29.0/24'));
    await notifyFollowers(portal.db);
    expect(await corinsMails()).toHaveLength(before);
  });
});
