import { api } from '@portal/contract/api';
import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { DAY_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { ServiceName } from '@portal/contract/service-names';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openMailbox } from '../../../test/mailbox.ts';
import { confirmLink } from '../../../test/mailed-links.ts';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { mailSubscribers } from './subscriber-mails.ts';

type Fields = readonly (readonly [string, string])[];
let from = 0;
const send = async (portal: TestPortal, path: string, fields: Fields, headers: Record<string, string> = {}) => {
  const answer = await portal.request(path, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]) => [name, value] as [string, string])).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `192.0.2.${++from}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
};
const choice = (services: readonly string[]): Fields =>
  services.length === 0 ? [['scope', 'all']] : [['scope', 'some'], ...services.map(name => ['services', name] as const)];
const ask = (portal: TestPortal, email: string, services: readonly string[] = []) =>
  send(portal, '/status/subscribe', [['email', email], ...choice(services)]);

/** A portal with its mailbox, in which time can be moved. */
async function openRegistry(kind: (typeof kindsForRules)[number]) {
  let now = new Date();
  const portal = await testPortal(kind, { BEHIND_PROXY: 'yes' }, () => now);
  const mailbox = await openMailbox(portal);
  const stella = await portal.as('stella');
  return {
    portal,
    mailbox,
    now: () => now,
    later: (milliseconds = MINUTE_MS) => {
      now = new Date(now.getTime() + milliseconds);
    },
    subscribed: async (email: string, services: readonly ServiceName[] = []) => {
      expect((await ask(portal, email, services)).status).toBe(200);
      expect((await confirmLink(portal, await mailbox.linkTo(email))).status).toBe(200);
    },
    announce: async (given: Partial<AnnouncementValues> & Pick<AnnouncementValues, 'title'>) =>
      (
        await stella(api.deskAnnouncements.addAnnouncement, {
          body: {
            category: 'service',
            severity: 'warning',
            body: 'The first paragraph.\n\nThe second one.',
            audience: 'all',
            resources: [],
            economies: [],
            kinds: [],
            requiresAck: false,
            publishAt: now.toISOString(),
            expiresAt: null,
            ...given,
          },
        })
      ).data!,
    stella,
    /** Titles of the e-mails about services that an address got. */
    notices: async (email: string) => {
      await mailSubscribers(portal.db, now);
      return (await mailbox.to(email)).filter(({ unsubscribe }) => unsubscribe !== null).map(({ subject }) => subject);
    },
    async [Symbol.asyncDispose]() {
      await mailbox[Symbol.asyncDispose]();
      await portal[Symbol.asyncDispose]();
    },
  };
}

describe.each(kindsForRules)('subscribers of the status page on %s', kind => {
  test('an address gets nothing until its reader confirms, and no one learns who gets e-mails', async () => {
    await using registry = await openRegistry(kind);
    const { portal, mailbox, announce, notices, later } = registry;
    const form = await portal.request('/status/subscribe?service=rpki');
    expect(form.headers.get('x-robots-tag')).toContain('noindex');
    expect(await form.text()).toContain('value="rpki" checked');
    const asked = await ask(portal, 'nora@reader.example', ['rpki', 'whois']);
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('Services: Whois, RPKI repository.')]);
    await announce({ title: 'The repository is slow', services: ['rpki'] });
    expect(await notices('nora@reader.example')).toEqual([]);
    const [mail] = await mailbox.to('nora@reader.example');
    expect(mail!.body).not.toMatch(/RPKI|Whois/);
    const link = await mailbox.linkTo('nora@reader.example');
    // Mail programs open links to look at them: that confirms nothing.
    const page = await (await portal.request(link.slice(new URL(link).origin.length))).text();
    expect(page).toContain('Services: Whois, RPKI repository');
    expect(await portal.db.read.selectFrom('announcementSubscriber').selectAll().execute()).toEqual([]);
    expect((await confirmLink(portal, link)).text).toContain('nora@reader.example gets e-mails');
    // Known or not, the page is the same.
    const again = await ask(portal, 'nora@reader.example', ['rpki', 'whois']);
    expect(again.body).toBe(asked.body);
    // What was announced before isn’t news to them; what follows is.
    later();
    await announce({ title: 'The repository is closed', services: ['rpki'] });
    expect(await notices('nora@reader.example')).toEqual(['The repository is closed']);
  });

  test.each([
    [
      [
        ['email', 'nora@reader'],
        ['scope', 'all'],
      ],
      'Enter a valid email address',
      1,
    ],
    [
      [
        ['email', ''],
        ['scope', 'some'],
        ['services', 'toString'],
      ],
      'Choose at least one service',
      2,
    ],
  ] as const)('%j is refused beside its field', async (fields, words, count) => {
    await using portal = await testPortal(kind, { BEHIND_PROXY: 'yes' });
    const { status, body } = await send(portal, '/status/subscribe', fields);
    expect([status, body]).toEqual([422, expect.stringContaining(words)]);
    expect(body).toContain(count === 1 ? 'One field needs attention.' : '2 fields need attention.');
    expect((await send(portal, '/status/subscribe', [['email', 'a@reader.example']], { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
  });

  test('each gets incidents, planned work and updates of the services they chose, once, and staff see how many that are', async () => {
    await using registry = await openRegistry(kind);
    const { subscribed, announce, notices, stella, mailbox, portal, now, later } = registry;
    await subscribed('all@reader.example');
    await subscribed('rpki@reader.example', ['rpki']);
    await subscribed('whois@reader.example', ['whois', 'rdap']);
    later();
    const slow = await announce({ title: 'Whois is slow', services: ['whois'] });
    expect(slow.subscribers).toBe(2);
    expect((await announce({ title: 'Keys are renewed', category: 'maintenance', severity: 'info', services: ['rpki'] })).subscribers).toBe(
      2,
    );
    expect((await announce({ title: 'Everything is slow' })).subscribers).toBe(3);
    for (const given of [
      { title: 'For members', audience: 'members' },
      { title: 'For information', severity: 'info' },
      { title: 'About fees', category: 'fees' },
      { title: 'A draft', publishAt: null },
    ] as const)
      expect((await announce({ services: ['whois'], ...given })).subscribers).toBe(given.title === 'A draft' ? 2 : 0);
    const took = await stella(api.deskAnnouncements.withdrawAnnouncement, {
      announcementId: (await announce({ title: 'By mistake' })).announcementId,
      body: { version: 1, reason: 'A mistake' },
    });
    expect(took.data).toMatchObject({ state: 'withdrawn' });
    expect(await notices('all@reader.example')).toEqual(['Whois is slow', 'Keys are renewed', 'Everything is slow']);
    expect(await notices('rpki@reader.example')).toEqual(['Keys are renewed', 'Everything is slow']);
    expect(await notices('whois@reader.example')).toEqual(['Whois is slow', 'Everything is slow']);
    const [first] = (await mailbox.to('whois@reader.example')).filter(({ unsubscribe }) => unsubscribe !== null);
    expect(first!.body).toContain('Affected services: Whois.\n\nThe first paragraph.\n\nThe second one.');
    expect(first!.body).toContain(`/status#notice-${slow.announcementId}`);
    expect(first!.body).toContain(`Choose services or unsubscribe: ${first!.unsubscribe!}`);

    later();
    const over = await stella(api.deskAnnouncements.addAnnouncementUpdate, {
      announcementId: slow.announcementId,
      body: { version: slow.version, stage: 'over', text: 'The disk is replaced.' },
    });
    expect(over.status).toBe(200);
    expect(await notices('rpki@reader.example')).toHaveLength(2);
    expect((await notices('whois@reader.example')).at(-1)).toBe('Over: Whois is slow');
    expect((await mailbox.to('whois@reader.example')).at(-1)!.body).toContain('The disk is replaced.');
    // The activity log has the work and names no address.
    const lines = await portal.db.read.rows<{ details: string }>(
      sql`select details::text as details from activity where action like 'announcements.%ubscri%'`,
    );
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.map(({ details }) => details).join()).not.toContain('reader.example');

    // A worker that was stopped for two days mails nothing that is old by then.
    await announce({ title: 'Was slow', publishAt: instantBefore(now(), 0) });
    later(2 * DAY_MS);
    expect(await notices('all@reader.example')).not.toContain('Was slow');
  });

  test('more subscribers than fit into one change are all mailed once, also after an interruption', async () => {
    await using registry = await openRegistry(kind);
    const { portal, announce, now, later } = registry;
    await portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into announcement_subscriber (email, confirmed_at)
        select 'reader-' || n || '@reader.example', ${now().toISOString()}::timestamptz from generate_series(1, 450) n`),
    );
    await portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into mail_refusal (address, refusals, refusal, refused_at, unreachable_since)
        values ('reader-7@reader.example', 3, 'No such user', ${now().toISOString()}::timestamptz, ${now().toISOString()}::timestamptz)`),
    );
    later();
    const { announcementId } = await announce({ title: 'Whois is slow' });
    await portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update announcement set mailed_to = (select subscriber_id from announcement_subscriber where email = 'reader-50@reader.example')
        where announcement_id = ${announcementId}::bigint`),
    );
    expect(await mailSubscribers(portal.db, now())).toBe(400);
    expect(await mailSubscribers(portal.db, now())).toBe(0);
  });

  test('the link in each e-mail changes the choice, and ends the e-mails with one click; the address is deleted', async () => {
    await using registry = await openRegistry(kind);
    const { subscribed, announce, notices, portal, mailbox, later } = registry;
    const email = 'nora@reader.example';
    await subscribed(email, ['rpki']);
    later();
    await announce({ title: 'The repository is slow', services: ['rpki'] });
    expect(await notices(email)).toEqual(['The repository is slow']);
    const address = (await mailbox.to(email)).at(-1)!.unsubscribe!;
    const path = address.slice(new URL(address).origin.length);
    const page = await (await portal.request(path)).text();
    expect(page).toContain('value="rpki" checked');
    const choose = (services: readonly string[], headers: Record<string, string> = {}) =>
      send(portal, path, [['act', 'choose'], ['scope', 'some'], ...services.map(name => ['services', name] as const)], headers);
    expect((await choose([])).status).toBe(422);
    expect((await choose(['mail'], { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect((await choose(['mail', 'rdap'])).body).toContain('Saved. E-mails are about: RDAP, E-mail.');
    later();
    await announce({ title: 'The repository is closed', services: ['rpki'] });
    await announce({ title: 'RDAP is slow', services: ['rdap'] });
    expect(await notices(email)).toEqual(['The repository is slow', 'RDAP is slow']);

    for (const wrong of [
      path.replace(/signature=..../, 'signature=AAAA'),
      path.replace(/subscriber=\d+/, 'subscriber=999'),
      '/status/subscription',
    ]) {
      expect((await portal.request(wrong)).status).toBe(404);
      expect((await send(portal, wrong, [['List-Unsubscribe', 'One-Click']])).status).toBe(404);
    }
    // As a mail program does it (RFC 8058).
    const oneClick = await portal.request(path, {
      method: 'POST',
      body: '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'cross-site' },
    });
    expect(await oneClick.text()).toContain('Unsubscribed');
    expect(await portal.db.read.selectFrom('announcementSubscriber').selectAll().execute()).toEqual([]);
    for (const nothing of [{}, { body: '{}', headers: { 'content-type': 'application/json' } }])
      expect((await portal.request('/status/subscribe', { method: 'POST', ...nothing })).status).toBe(422);
    expect((await send(portal, path, [['List-Unsubscribe', 'One-Click']])).status).toBe(200);
    expect(await (await portal.request(path)).text()).toContain('no longer gets e-mails');
    later();
    await announce({ title: 'RDAP is closed', services: ['rdap'] });
    expect(await notices(email)).toHaveLength(2);
    // The history has no copy of the address.
    expect(await portal.db.read.rows(sql`select 1 from row_change c where to_jsonb(c)::text like ${`%${email}%`}`)).toEqual([]);
  });

  test('many questions from one place have to wait, and a mailbox isn’t flooded from many', async () => {
    await using registry = await openRegistry(kind);
    const { portal, mailbox } = registry;
    const at = (email: string) =>
      send(portal, '/status/subscribe', [['email', email], ...choice([])], { 'x-forwarded-for': '198.51.100.7' });
    const answers = [];
    for (let n = 0; n < 7; n++) answers.push((await at(`reader-${n}@reader.example`)).status);
    expect(answers.at(-1)).toBe(429);
    for (let n = 0; n < 8; n++) expect((await ask(portal, 'victim@reader.example')).status).toBe(200);
    expect((await mailbox.to('victim@reader.example')).length).toBeLessThan(8);
  });
});
