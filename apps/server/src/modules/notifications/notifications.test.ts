import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { type TopicKey, topicKeys, topics } from '@portal/contract/notifications/topics';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMailbox } from '../../../test/mailbox.ts';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { mailOf } from '../mail/mail.ts';
import { mailSenderOf } from '../mail/mail-sender.ts';
import { findLogin, loginById, notifyPeople } from '../identity/index.ts';
import { periodEnd, sendDigests } from './digests.ts';
import type { News } from './notify.ts';
import { mailTexts } from '../mail/index.ts';

const line = { action: 'test.notify', summary: 'Told people', traceId: 'b'.repeat(32) };
const newsOf = (topic: TopicKey, title: string) =>
  mailTexts('test', { news: { topic, subject: '{title}', body: ['Nadia asked and nobody has answered yet.'] } }).written('news', { title });
const reminder = (subject: string, topic: TopicKey = 'contacts.reminders'): News => ({
  topic,
  accountName: 'EXAMPLE-AU',
  text: newsOf(topic, subject),
  path: '/member-account-settings/access-requests',
  act: 'Approve or reject',
});
const tess = { fullName: 'Tess Lindqvist', email: 'tess@example-au.example' };

async function sendNews(portal: TestPortal, news: News, person = tess): Promise<void> {
  await portal.db.change(line, change => notifyPeople(change, news, [person]));
}
const mailsOf = async ({ db }: TestPortal, recipient = tess.email) =>
  (await db.read.selectFrom('mail').select('subject').where('recipient', '=', recipient).orderBy('mailId').execute()).map(
    ({ subject }) => subject,
  );

describe.each(kindsForRules)('on the %s database', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('a link for a person with several accounts selects the account that it is about; the desk and personal pages have none', async () => {
    await using own = await testPortal(kind);
    const page = '/resources/ipv4_request_form?request=12';
    const linkTo = async (path: string, person: typeof tess, name: string): Promise<string> => {
      await sendNews(own, { ...reminder('A request waits'), path }, person);
      return (await (await own.as(name))(api.notifications.listNotifications, {})).data!.rows[0]!.link!;
    };
    const corin = { fullName: 'Corin', email: 'corin@example-au.example' };
    expect(await linkTo(page, corin, 'corin')).toBe(`/EXAMPLE-AU/index.html?to=${encodeURIComponent(page)}`);
    expect(await linkTo(page, tess, 'tess')).toBe(page);
    for (const path of ['/desk/requests/transfers-4', '/account/factors', '/notifications'])
      expect(await linkTo(path, corin, 'corin')).toBe(path);
    // The e-mail says the same.
    const { mailId } = await own.db.read
      .selectFrom('mail')
      .select('mailId')
      .where('recipient', '=', corin.email)
      .where('path', '=', page)
      .executeTakeFirstOrThrow();
    const mail = await own.db.read.selectFrom('mail').selectAll().where('mailId', '=', mailId).executeTakeFirstOrThrow();
    const { config, profile } = own.context;
    const kept = await mailOf(own.db.read, mail, {
      box: own.context.box,
      mailSender: mailSenderOf(config, profile),
      personOf: () => Promise.resolve(null),
    });
    expect(kept.link).toBe(`http://portal.test/EXAMPLE-AU/index.html?to=${encodeURIComponent(page)}`);
  });

  test('a notification appears in the portal and comes by e-mail, until it is read', async () => {
    await using own = await testPortal(kind);
    const as = await own.as('tess');
    const before = (await as(api.notifications.countUnread, {})).data!.unread;
    await sendNews(own, reminder('A request waits'));
    expect(await mailsOf(own)).toEqual(['A request waits']);
    const { rows, unread } = (await as(api.notifications.listNotifications, {})).data!;
    expect(unread).toBe(before + 1);
    expect(rows[0]).toMatchObject({
      topic: 'contacts.reminders',
      accountName: 'EXAMPLE-AU',
      title: 'A request waits',
      text: 'Nadia asked and nobody has answered yet.',
      link: '/member-account-settings/access-requests',
      readAt: null,
    });
    const notificationId = String(rows[0]!.notificationId);
    // People read only their own.
    const corin = await own.as('corin');
    expect((await corin(api.notifications.readNotification, { notificationId })).status).toBe(404);
    expect((await as(api.notifications.readNotification, { notificationId: 'x' })).status).toBe(404);
    expect((await as(api.notifications.readNotification, { notificationId })).data).toEqual({ unread: before });
    const { readAt } = (await as(api.notifications.listNotifications, {})).data!.rows[0]!;
    await as(api.notifications.readNotification, { notificationId });
    expect((await as(api.notifications.listNotifications, {})).data!.rows[0]!.readAt).toBe(readAt);
  });

  test('the list is paged without gaps, and reading all leaves newer ones unread', async () => {
    await using own = await testPortal(kind);
    const as = await own.as('tess');
    for (const n of [1, 2, 3, 4, 5]) await sendNews(own, reminder(`News ${n}`));
    const first = (await as(api.notifications.listNotifications, { query: { limit: 2 } })).data!;
    expect(first.rows.map(({ title }) => title)).toEqual(['News 5', 'News 4']);
    const second = (await as(api.notifications.listNotifications, { query: { limit: 2, before: first.next! } })).data!;
    expect(second.rows.map(({ title }) => title)).toEqual(['News 3', 'News 2']);
    const upTo = second.rows[0]!.notificationId;
    expect((await as(api.notifications.readAllNotifications, { body: { upTo } })).data!.unread).toBe(2);
    const unread = (await as(api.notifications.listNotifications, { query: { unread: 'true' } })).data!;
    expect(unread.rows.map(({ title }) => title)).toEqual(['News 5', 'News 4']);
    expect(unread.next).toBeNull();
  });

  test('an optional topic follows the person’s choice, a mandatory one refuses with the reason', async () => {
    await using own = await testPortal(kind);
    const as = await own.as('tess');
    const preference = (topic: (typeof topicKeys)[number], delivery: 'portal' | 'daily' | 'at-once') =>
      as(api.notificationPreferences.saveNotificationPreference, { body: { topic, delivery } });
    const saved = await preference('contacts.reminders', 'portal');
    expect(saved.data!.topics.find(({ topic }) => topic === 'contacts.reminders')).toEqual({
      topic: 'contacts.reminders',
      delivery: 'portal',
      locked: null,
      address: null,
      addressAsked: null,
    });
    await sendNews(own, reminder('Only in the portal'));
    expect(await mailsOf(own)).toEqual([]);
    expect((await as(api.notifications.listNotifications, {})).data!.rows[0]!.title).toBe('Only in the portal');

    const refused = await preference('login.security', 'portal');
    expect(refused.status).toBe(422);
    expect(refused.errors![0]).toMatchObject({
      code: 'TOPIC_LOCKED',
      message: 'E-mails of the topic Your login cannot be switched off. Required to protect your login',
    });
    expect((await preference('login.security', 'at-once')).status).toBe(200);
    await sendNews(own, { ...reminder('Your password was changed', 'login.security'), accountName: null });
    expect(await mailsOf(own)).toEqual(['Your password was changed']);
  });

  test('the yearly check is locked for corporate contacts only', async () => {
    const of = async (name: string) => {
      const { data } = await (await portal.as(name))(api.notificationPreferences.getNotificationPreferences, {});
      return data!.topics.find(({ topic }) => topic === 'contacts.review')!.locked;
    };
    expect(await of('tess')).toBeNull();
    expect(await of('corin')).toBe('The registry must be able to reach corporate contacts');
  });

  test('a preference from before a promotion to corporate contact does not suppress required e-mails', async () => {
    await using own = await testPortal(kind);
    const { loginId } = (await findLogin(own.db.read, 'tess'))!;
    const review = reminder('Still right?', 'contacts.review');
    await (await own.as('tess'))(api.notificationPreferences.saveNotificationPreference, {
      body: { topic: 'contacts.review', delivery: 'portal' },
    });
    await sendNews(own, review);
    expect(await mailsOf(own)).toEqual([]);
    await own.db.change(line, change =>
      change
        .updateTable('contact')
        .set({ contactTypes: ['corporate'] })
        .where('loginId', '=', loginId)
        .execute(),
    );
    await sendNews(own, review);
    expect(await mailsOf(own)).toEqual(['Still right?']);
  });

  test('a digest contains the unread notifications of a past period, once for each person', async () => {
    await using own = await testPortal(kind);
    const as = await own.as('tess');
    await as(api.notificationPreferences.saveNotificationPreference, { body: { topic: 'contacts.reminders', delivery: 'daily' } });
    for (const title of ['First', 'Read meanwhile', 'Last']) await sendNews(own, reminder(title));
    expect(await mailsOf(own)).toEqual([]);
    const { rows } = (await as(api.notifications.listNotifications, {})).data!;
    await as(api.notifications.readNotification, { notificationId: String(rows[1]!.notificationId) });

    await sendDigests(own.db, new Date(), loginById);
    expect(await mailsOf(own), 'before the day is over').toEqual([]);
    const tomorrow = new Date(Date.now() + DAY_MS);
    await Promise.all(Array.from({ length: 3 }, () => sendDigests(own.db, tomorrow, loginById)));
    expect(await mailsOf(own)).toEqual(['2 notifications of the day']);
    const [mail] = await own.mailsTo(tess.email);
    expect(mail!.body).toBe('Unread in the portal:\n\n- First\n- Last');
    await sendDigests(own.db, new Date(tomorrow.getTime() + HOUR_MS), loginById);
    expect(await mailsOf(own)).toHaveLength(1);

    // Waiting notifications follow a changed preference.
    await sendNews(own, reminder('Not wanted any more'));
    await as(api.notificationPreferences.saveNotificationPreference, { body: { topic: 'contacts.reminders', delivery: 'portal' } });
    await sendDigests(own.db, new Date(tomorrow.getTime() + DAY_MS), loginById);
    expect(await mailsOf(own)).toHaveLength(1);
  });
});

test.each([
  ['daily', '2026-11-21T12:00:00Z', '2026-11-21'],
  ['daily', '2026-11-21T00:00:00Z', '2026-11-21'],
  ['weekly', '2026-11-21T12:00:00Z', '2026-11-16'],
  ['weekly', '2026-11-16T00:00:00Z', '2026-11-16'],
  ['weekly', '2026-11-15T23:59:59Z', '2026-11-09'],
] as const)('the last %s period before %s ended on %s', (digest, now, day) => {
  expect(periodEnd(digest, new Date(now)).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

describe('the link that unsubscribes', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  /** A reminder to Tess as it is delivered. */
  const delivered = async (portal: TestPortal) => {
    await using mailbox = await openMailbox(portal);
    await sendNews(portal, reminder('A request waits'));
    return (await mailbox.to(tess.email)).at(-1)!;
  };
  const local = (link: string) => link.replace(/^https?:\/\/[^/]+/, '');

  test('asks first, stops the topic with one click without a sign-in, and is logged', async () => {
    await using portal = await testPortal();
    const mail = await delivered(portal);
    expect(mail.body).toContain(`Unsubscribe: ${mail.unsubscribe}`);
    const asked = await portal.request(local(mail.unsubscribe!));
    expect(asked.status).toBe(200);
    expect(await asked.text()).toContain('Reminders of requests');
    await sendNews(portal, reminder('Looking stops nothing'));
    expect(await mailsOf(portal)).toHaveLength(2);

    const stopped = await portal.request(local(mail.unsubscribe!), { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' });
    expect(stopped.status).toBe(200);
    expect(await portal.lastActivity()).toMatchObject({ action: 'notifications.unsubscribe' });
    await sendNews(portal, reminder('Stopped'));
    expect(await mailsOf(portal)).toHaveLength(2);
    const again = await portal.request(local(mail.unsubscribe!), {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    });
    expect(again.status).toBe(200);
  });

  test('is refused if modified, and is not in mandatory mails', async () => {
    await using portal = await testPortal();
    const { unsubscribe } = await delivered(portal);
    const { loginId } = (await findLogin(portal.db.read, 'corin'))!;
    const tampered = new URL(unsubscribe!);
    tampered.searchParams.set('login', loginId);
    for (const link of [local(tampered.href), '/account/unsubscribe', '/account/unsubscribe?login=a&topic=b&signature=c']) {
      expect((await portal.request(link)).status).toBe(404);
      expect((await portal.request(link, { method: 'POST', headers: form, body: '' })).status).toBe(404);
    }
    await using mailbox = await openMailbox(portal);
    await sendNews(portal, reminder('Access', 'contacts.access'));
    const locked = (await mailbox.to(tess.email)).at(-1)!;
    expect(locked.unsubscribe).toBeNull();
    expect(locked.body).toContain('E-mails about "Access to accounts" can’t be switched off.');
  });

  test('does not stop what has become mandatory since', async () => {
    await using portal = await testPortal();
    await using mailbox = await openMailbox(portal);
    await sendNews(portal, reminder('Still right?', 'contacts.review'));
    const { unsubscribe } = (await mailbox.to(tess.email)).at(-1)!;
    await portal.db.change(line, change =>
      change
        .updateTable('contact')
        .set({ contactTypes: ['corporate'] })
        .where('email', '=', tess.email)
        .execute(),
    );
    const answer = await portal.request(local(unsubscribe!), { method: 'POST', headers: form, body: '' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('cannot be switched off');
  });
});

test('every topic gives its reason, and locked ones why they are locked', () => {
  for (const key of topicKeys) {
    expect(topics[key].because).toMatch(/^[a-z].*[^.]$/);
    if (topics[key].locked) expect(topics[key].locked.why).toMatch(/^[A-Z].*[^.]$/);
  }
});
