import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { samplePdf } from '../../../test/sample-files.ts';
import { commandFlags } from '../../cli/command-flags.ts';
import { openFileStore } from '../documents/index.ts';
import { longestTurnOf } from '../../../test/thread-costs.ts';
import { threadOfMail } from '../mail/reply-address.ts';
import { takeMail } from './mail-in.ts';
import { openOutsideTicket } from './outside-ticket.ts';

const environment = { MAIL_IN: 'support@registry.example' };
type Given = { from: string; to?: string; subject?: string; text?: string; headers?: string[]; body?: string[] };
let made = 0;
const mailOf = ({
  from,
  to = 'support@registry.example',
  subject = 'Question',
  text = 'Is it one debit?',
  headers = [],
  body,
}: Given): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      ...(headers.some(header => /^message-id:/i.test(header)) ? [] : [`Message-ID: <${++made}@mail.example>`]),
      ...headers,
      ...(body ?? ['Content-Type: text/plain; charset=utf-8', '', text]),
      '',
    ].join('\r\n'),
  );
const take = (portal: TestPortal, given: Given, envelope: { sender?: string; recipient?: string } = {}) => {
  const store = openFileStore(path.join(os.tmpdir(), `mail-in-${process.pid}`));
  return takeMail({ db: portal.db, config: portal.config, store, now: new Date() }, mailOf(given), envelope);
};
const open = async (portal: TestPortal, body: object = {}) =>
  (
    await (
      await portal.as('corin')
    )(api.tickets.openTicket, {
      body: { queue: 'helpdesk', account: 'EXAMPLE-AU', subject: 'Two debits', text: 'We see two.', ...body },
    })
  ).data!.ticketId;
const read = async (portal: TestPortal, ticketId: string) => (await (await portal.as('corin'))(api.tickets.getTicket, { ticketId })).data!;
const threadOf = ({ config }: TestPortal, ticketId: string) =>
  threadOfMail(config, `ticket-${ticketId}`, { mailIn: config.mailIn, host: 'portal.test', mailId: 7 });

describe.each(kindsForRules)('mail to tickets on %s', kind => {
  test('an answer to the signed address, or to the signed id of a mail, goes into its ticket; a second delivery does not', async () => {
    await using portal = await testPortal(kind, environment);
    const ticketId = await open(portal);
    const { replyTo, messageId } = threadOf(portal, ticketId);
    const from = 'Corin <Corin@example-au.example>';
    const given = {
      from,
      to: replyTo!.toUpperCase(),
      text: 'One of 50.\r\n\r\nOn 21 Nov 2026, Registry wrote:\r\n> Hello',
      headers: ['Message-ID: <a@x>'],
    };
    expect(await take(portal, given)).toEqual({ outcome: 'taken', words: `Taken in as a message of ticket ${ticketId}.` });
    expect(await take(portal, given)).toMatchObject({ outcome: 'ignored' });
    await take(portal, { from, headers: [`In-Reply-To: ${messageId}`], text: 'And one of 60.' });
    const { messages, state } = await read(portal, ticketId);
    expect(state).toBe('new');
    expect(messages.map(({ text, byMail, author }) => [text, byMail, author])).toEqual([
      ['We see two.', false, 'Corin Achterberg'],
      ['One of 50.', true, 'Corin Achterberg'],
      ['And one of 60.', true, 'Corin Achterberg'],
    ]);
  });

  test('a mail of a known person opens a ticket of the person, in the queue of the address', async () => {
    await using portal = await testPortal(kind, environment);
    const { words } = await take(portal, { from: 'nadia@newcomer.example', to: 'support+billing@registry.example', subject: 'Re: Fees' });
    const ticketId = /\d+/.exec(words)![0];
    const ticket = (await (await portal.as('nadia'))(api.tickets.getTicket, { ticketId })).data!;
    expect(ticket).toMatchObject({ queue: 'billing', subject: 'Fees', accountName: null });
    expect((await portal.mailsTo('nadia@newcomer.example')).at(-1)!.subject).toBe(`[registry #${ticketId}] Fees`);
  });

  test('a stranger, a forged signature and a person who may not see the ticket are refused with a sentence, and nothing is stored', async () => {
    await using portal = await testPortal(kind, environment);
    const ticketId = await open(portal);
    const { replyTo } = threadOf(portal, ticketId);
    const strange = await take(portal, { from: 'who@elsewhere.example' });
    expect(strange).toMatchObject({ outcome: 'refused', words: expect.stringContaining('We don’t know who@elsewhere.example.') });
    expect(await take(portal, { from: 'who@elsewhere.example', to: replyTo! })).toMatchObject({ outcome: 'refused' });
    expect(await take(portal, { from: 'olive@other-sg.example', to: replyTo! })).toMatchObject({ outcome: 'refused' });
    // Without a valid signature it is a new ticket of its sender, not an answer.
    const forged = replyTo!.replace(/\.(.)/, (_, digit: string) => `.${digit === '0' ? '1' : '0'}`);
    expect((await take(portal, { from: 'olive@other-sg.example', to: forged })).words).not.toContain(`ticket ${ticketId}.`);
    expect((await read(portal, ticketId)).messages).toHaveLength(1);
  });

  test('a person copied in without a login can answer from that address only, and doesn’t get their own answer', async () => {
    await using portal = await testPortal(kind, environment);
    const ticketId = await open(portal);
    // A colleague whose login is gone stays copied in.
    const copy = { ticketId: Number(ticketId), email: 'bank@elsewhere.example', fullName: 'Bank', loginId: null };
    await portal.db.change({ action: 'test', summary: 'Copied a person in', traceId: '0'.repeat(32) }, change =>
      change.insertInto('ticketCc').values(copy).execute(),
    );
    const { replyTo } = threadOf(portal, ticketId);
    const before = (await portal.mailsTo('bank@elsewhere.example')).length;
    expect(await take(portal, { from: 'bank@elsewhere.example', to: replyTo!, text: 'It is one.' })).toMatchObject({ outcome: 'taken' });
    expect((await read(portal, ticketId)).messages.at(-1)).toMatchObject({ text: 'It is one.', by: 'member', byMail: true });
    expect(await portal.mailsTo('bank@elsewhere.example')).toHaveLength(before);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.body).toContain('It is one.');
  });

  test('who opened a ticket without a login answers from the same address, and no one else does', async () => {
    await using portal = await testPortal(kind, environment);
    const email = 'rita@reporter.example';
    const ticketId = await portal.db.change({ action: 'test', summary: 'Sent a report', traceId: '0'.repeat(32) }, change =>
      openOutsideTicket(change, {
        queue: 'resources',
        subject: 'Wrong data: 198.18.0.0/19',
        text: 'The mailbox bounces.',
        about: '198.18.0.0/19',
        from: { name: 'Rita', email },
        comment: 'Held by EXAMPLE-AU.',
      }),
    );
    const { replyTo } = threadOf(portal, ticketId);
    expect(await take(portal, { from: email, to: replyTo!, text: 'It still does.' })).toMatchObject({ outcome: 'taken' });
    expect(await take(portal, { from: 'ruth@reporter.example', to: replyTo!, text: 'Me too.' })).toMatchObject({ outcome: 'refused' });
    expect(await take(portal, { from: 'corin@example-au.example', to: replyTo!, text: 'Who says so?' })).toMatchObject({
      outcome: 'refused',
    });
    const messages = await portal.db.read
      .selectFrom('ticketMessage')
      .select(['author', 'content'])
      .where('ticketId', '=', ticketId as never)
      .where('kind', '=', 'message')
      .orderBy('ticketMessageId')
      .execute();
    expect(messages).toEqual([
      { author: 'Rita', content: 'The mailbox bounces.' },
      { author: 'Rita', content: 'It still does.' },
    ]);
  });

  test('bounces, absence replies, lists and reports are ignored, so that no loop begins', async () => {
    await using portal = await testPortal(kind, environment);
    const { replyTo } = threadOf(portal, await open(portal));
    const from = 'corin@example-au.example';
    for (const header of [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'X-Autoreply: yes',
      'List-Id: <l.example>',
      'Return-Path: <>',
    ])
      expect(await take(portal, { from, to: replyTo!, headers: [header] })).toMatchObject({ outcome: 'ignored' });
    expect(await take(portal, { from, to: replyTo! }, { sender: '' })).toMatchObject({ outcome: 'ignored' });
    expect(await take(portal, { from: 'MAILER-DAEMON@x.example', to: replyTo! })).toMatchObject({ outcome: 'ignored' });
    expect(await take(portal, { from, headers: ['Auto-Submitted: no'] })).toMatchObject({ outcome: 'taken' });
  });

  test('files of a mail are attached, except unaccepted types, which are reported; HTML becomes text', async () => {
    await using portal = await testPortal(kind, environment);
    const ticketId = await open(portal);
    const part = (type: string, name: string, content: Buffer): string[] => [
      '--b',
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      content.toString('base64'),
    ];
    const body = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>See <b>this</b></p><script>alert(1)</script><img src="https://spy.example/x.gif">',
      ...part('application/pdf', '../bill.pdf', samplePdf('bill')),
      ...part('application/octet-stream', 'tool.exe', Buffer.from('MZ program')),
      '--b--',
    ];
    const from = 'corin@example-au.example';
    expect(await take(portal, { from, to: threadOf(portal, ticketId).replyTo!, body })).toMatchObject({ outcome: 'taken' });
    const { text, files } = (await read(portal, ticketId)).messages.at(-1)!;
    expect(text).toMatch(/^See this\n\nThe file “tool\.exe” can’t be uploaded: its content is a program/);
    expect(files.map(({ fileName }) => fileName)).toEqual(['bill.pdf']);
  });

  test('a mail without text, one that is too large and twenty more tickets than a day allows are refused', async () => {
    await using portal = await testPortal(kind, environment);
    const from = 'corin@example-au.example';
    expect(await take(portal, { from, text: ' ' })).toMatchObject({
      outcome: 'refused',
      words: 'The e-mail has no text. Write what you need.',
    });
    const large = await takeMail(
      { db: portal.db, config: portal.config, store: openFileStore('/nowhere'), now: new Date() },
      Buffer.alloc(40_000_001),
      {},
    );
    expect(large.words).toContain('larger than 40 MB');
    for (let sent = 0; sent < 20; sent++) await take(portal, { from });
    expect(await take(portal, { from })).toMatchObject({ outcome: 'refused' });
  });
});

test('a mail that is not from its sender by the checks of the mail server is refused, and one that no one vouches for is marked', async () => {
  await using portal = await testPortal(undefined, { ...environment, MAIL_IN_AUTHSERV: 'mx.registry.example' });
  const ticketId = await open(portal);
  const { replyTo } = threadOf(portal, ticketId);
  const results = (found: string) => [`Authentication-Results: mx.registry.example; ${found}`];
  const answer = (headers: string[]) => take(portal, { from: 'corin@example-au.example', to: replyTo!, headers });
  expect(await answer([...results('dmarc=fail header.from=example-au.example'), ...results('dmarc=pass')])).toEqual({
    outcome: 'refused',
    words: expect.stringContaining('The e-mail is not from corin@example-au.example: it failed the checks of its domain'),
  });
  expect((await read(portal, ticketId)).messages).toHaveLength(1);
  expect(await answer(results('dmarc=pass header.from=example-au.example'))).toMatchObject({ outcome: 'taken' });
  expect(await answer([])).toMatchObject({ outcome: 'taken' });
  const { messages } = await read(portal, ticketId);
  expect(messages.map(({ senderUnverified }) => senderUnverified)).toEqual([false, false, true]);
  // An address in an unchecked e-mail gives its sender no role in the account.
  expect(messages.map(({ contactTypes }) => contactTypes.includes('corporate'))).toEqual([true, true, false]);
  expect(messages[2]!.contactTypes).toEqual([]);
  const stella = await portal.as('stella');
  const ofStaff = (await stella(api.tickets.getStaffTicket, { ticketId })).data!;
  expect(ofStaff.messages.map(({ senderUnverified }) => senderUnverified)).toEqual([false, false, true]);
});

test('without the name of the mail server every message by mail is marked', async () => {
  await using portal = await testPortal(undefined, environment);
  const given = { from: 'nadia@newcomer.example', headers: ['Authentication-Results: mx.registry.example; dmarc=pass'] };
  const { words } = await take(portal, given);
  const ticket = (await (await portal.as('nadia'))(api.tickets.getTicket, { ticketId: /\d+/.exec(words)![0] })).data!;
  expect(ticket.messages).toMatchObject([{ byMail: true, senderUnverified: true }]);
});

test('a mail that is hard to read holds up nothing else of the process', async () => {
  await using portal = await testPortal(undefined, environment);
  // More of them than this would take longer than a mail may.
  const html = '<div>'.repeat(50_000);
  const mail = { from: 'who@elsewhere.example', body: ['Content-Type: text/html; charset=utf-8', '', html] };
  const longest = await longestTurnOf(15, async () => {
    const [taken, health] = await Promise.all([take(portal, mail), portal.request('/healthz')]);
    expect([taken.outcome, health.status]).toEqual(['refused', 200]);
  });
  expect(longest).toBeLessThan(15);
});

test('the command refuses with exit code 77 and a sentence, and asks for a retry with 75 when the database is unavailable', () => {
  const run = (input: string, settings: Record<string, string>): { status: number; stderr: string } => {
    const env = { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'silent', ...settings };
    const words = [
      '--disable-warning=ExperimentalWarning',
      ...commandFlags,
      'apps/server/src/main.ts',
      'registry',
      'mail-in',
      '--sender=a@b.example',
    ];
    try {
      execFileSync(process.execPath, words, { input, env, stdio: ['pipe', 'pipe', 'pipe'], encoding: 'utf8' });
      return { status: 0, stderr: '' };
    } catch (error) {
      return error as { status: number; stderr: string };
    }
  };
  const away = run('From: a@b.example\r\n\r\nHello', { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect([away.status, away.stderr]).toEqual([75, expect.stringContaining('127.0.0.1')]);
  const empty = run('', { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect([empty.status, empty.stderr.trim()]).toEqual([77, 'Give the e-mail on standard input.']);
});
