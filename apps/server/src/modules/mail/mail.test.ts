import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { DAY_MS, instantBefore, SECOND_MS } from '@portal/contract/days';
import { describe, expect, test, vi } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { standIn } from '../../platform/outside-systems.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { startWorker } from '../../platform/worker.ts';
import { deleteExpiredLinks, deliverMail, sendMail } from './mail.ts';
import { mailServer, type Post } from './mail-server.ts';

const line = { action: 'test.mail', summary: 'Wrote mail', traceId: 'd'.repeat(32) };
const message = {
  topic: 'login.links' as const,
  recipient: 'olga@newcomer.example',
  subject: 'Confirm',
  body: 'Open {link} once.\nNot $& but {link}',
  link: 'https://portal.test/account/confirm-registration?token=abc_$&-1',
};

async function write({ db, config }: TestPortal): Promise<void> {
  await db.change(line, change => sendMail(change, message, openSecretBox(config)));
}
const storedMail = ({ db }: TestPortal) => db.read.selectFrom('mail').selectAll().orderBy('mailId', 'desc').executeTakeFirstOrThrow();

/** Lets a worker deliver everything, and returns the bodies. */
async function deliver(portal: TestPortal, { keepsLinks = false } = {}): Promise<string[]> {
  const bodies: string[] = [];
  const post: Post = {
    deliver: async ({ body }) => {
      bodies.push(body);
      return undefined;
    },
    keepsLinks,
  };
  const runner = await startWorker(testContext(portal, standIn(mailServer, post)), { tasks: [deliverMail], schedule: [] });
  try {
    await vi.waitFor(async () => expect((await storedMail(portal)).sentAt).not.toBeNull(), { timeout: 20_000, interval: 20 });
  } finally {
    await runner.stop();
  }
  return bodies;
}

describe('a link in a mail', () => {
  test('is stored encrypted beside the text until it is sent, and then deleted', async () => {
    await using portal = await testPortal();
    await write(portal);
    const waiting = await storedMail(portal);
    expect(waiting.body).toBe(message.body);
    expect(Buffer.from(waiting.sealedLink!).toString('latin1')).not.toContain('token');
    expect(await deliver(portal)).toEqual([
      expect.stringContaining(`Hello,\n\nOpen ${message.link} once.\nNot $& but ${message.link}\n\n-- \n`),
    ]);
    expect((await storedMail(portal)).sealedLink).toBeNull();
    const page = await (await portal.request('/dev/mail')).text();
    expect(page).not.toContain('token=');
    expect(page).toContain('(the link was sent and isn’t stored)');
  });

  test('opens for its own mail only', async () => {
    await using portal = await testPortal();
    await write(portal);
    await portal.db.change(line, change => change.updateTable('mail').set({ recipient: 'eve@evil.example' }).execute());
    const page = await (await portal.request('/dev/mail')).text();
    expect(page).toContain('(the link was sent and isn’t stored)');
    expect(page).not.toContain('token=');
  });

  test('is read at /dev/mail in demo mode for a day', async () => {
    await using portal = await testPortal();
    await write(portal);
    await deliver(portal, { keepsLinks: true });
    const link = message.link.replaceAll('&', '&amp;');
    expect(await (await portal.request('/dev/mail')).text()).toContain(`<a href="${link}">${link}</a>`);
    const yesterday = instantBefore(Date.now(), DAY_MS + SECOND_MS);
    await portal.db.change(line, change => change.updateTable('mail').set({ writtenAt: yesterday }).execute());
    expect(await (await portal.request('/dev/mail')).text()).not.toContain('token=');
    await deleteExpiredLinks(portal.db, new Date());
    expect((await storedMail(portal)).sealedLink).toBeNull();
    expect(await portal.lastActivity()).toMatchObject({ action: 'mail.deleteExpiredLinks' });
    await portal.db.change(line, async () => {});
    await deleteExpiredLinks(portal.db, new Date());
    expect(await portal.lastActivity()).toMatchObject({ action: 'test.mail' });
  });
});

test('mail without a link is sent verbatim, including braces', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change =>
    sendMail(change, { topic: 'login.links', recipient: 'a@b.example', subject: 'x', body: 'plain {braces}' }),
  );
  expect(await deliver(portal)).toEqual([expect.stringContaining('Hello,\n\nplain {braces}\n\n-- \n')]);
});

describe('an address whose mail server refuses permanently', () => {
  const refusing = (refusal: string | null): Post => ({
    deliver: async () => (refusal === null ? undefined : { refusal }),
    keepsLinks: false,
  });
  const corin = 'Corin@example-au.example';
  /** Writes one message and delivers it through a post, as the worker does. */
  async function send({ db, config }: TestPortal, post: Post): Promise<void> {
    await db.change(line, change => sendMail(change, { topic: 'contacts.access', recipient: corin, subject: 'News', body: 'News.' }));
    const { mailId } = await db.read.selectFrom('mail').select('mailId').orderBy('mailId', 'desc').executeTakeFirstOrThrow();
    const activity = { action: deliverMail.name, summary: deliverMail.summary, traceId: line.traceId };
    await deliverMail.run({
      db,
      taskId: 1,
      input: { mailId },
      activity,
      context: testContext({ db, config }, standIn(mailServer, post)),
      progress: async () => {},
    });
  }
  const reach = async (portal: TestPortal) =>
    (await (await portal.as('corin'))(api.notificationPreferences.getNotificationPreferences, {})).data!.email;
  const attention = async (portal: TestPortal) => {
    const { data } = await (await portal.as('corin'))(api.home.getHome, { account: 'EXAMPLE-AU' });
    return data!.attention!.map(({ title }) => title);
  };

  test.each(kindsForRules)(
    'is not retried, and after three in a row shown to the person and the corporate contacts, until one arrives (%s)',
    async kind => {
      await using portal = await testPortal(kind);
      const words = '550 5.1.1 no such mailbox';
      for (const times of [1, 2]) {
        await send(portal, refusing(words));
        expect(await storedMail(portal), `after ${times}`).toMatchObject({ sentAt: null, failure: words });
        expect((await reach(portal)).unreachableSince).toBeNull();
      }
      await send(portal, refusing(words));
      expect(await reach(portal)).toEqual({
        address: 'corin@example-au.example',
        unreachableSince: expect.any(String),
        refusal: words,
      });
      expect(await attention(portal)).toContain('E-mail to Corin Achterberg is refused');
      await send(portal, refusing(null));
      expect(await reach(portal)).toMatchObject({ unreachableSince: null, refusal: null });
      expect(await attention(portal)).not.toContain('E-mail to Corin Achterberg is refused');
      // One refusal after that is the first again.
      await send(portal, refusing(words));
      expect((await reach(portal)).unreachableSince).toBeNull();
    },
  );
});

test('the page of stored mail allows the one style sheet of mails, and no script and no foreign content', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change =>
    sendMail(change, { topic: 'contacts.access', recipient: 'a@b.example', subject: '<b>x</b>', body: '<script>alert(1)</script>' }),
  );
  const { mailId } = await storedMail(portal);
  for (const path of ['/dev/mail', `/dev/mail/${mailId}`]) {
    const answer = await portal.request(path);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toMatch(/style-src 'self' 'sha256-[\w+/=]{44}';/);
    expect(policy).not.toMatch(/unsafe|\*/);
    const page = await answer.text();
    expect(page).not.toMatch(/<script|<b>x| style="/);
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page)!;
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
  }
  expect((await portal.request('/dev/mail/999999')).status).toBe(404);
  expect((await portal.request('/dev/mail/x')).status).toBe(404);
});
