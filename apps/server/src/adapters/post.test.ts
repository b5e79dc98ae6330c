import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { smtpPost } from './post.ts';

/** A mail server of our own that keeps what it is given, or refuses it. */
async function mailServer(refusal?: { code: number; words: string; at?: 'mail' | 'rcpt' | 'data' }) {
  const { at = 'data' } = refusal ?? {};
  const refuseAt = (step: string): Error | null =>
    refusal && step === at ? Object.assign(new Error(refusal.words), { responseCode: refusal.code }) : null;
  const received: { to: string[]; source: Buffer }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(refuseAt('mail')),
    onRcptTo: (_address, _session, done) => done(refuseAt('rcpt')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refused = refuseAt('data');
        if (refused) return done(refused);
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks) });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received, close: () => new Promise<void>(closed => server.close(closed)) };
}

const sender = { from: () => 'Example Registry <no-reply@registry.example>', host: 'registry.example' };
const message = {
  recipient: 'corin@example-au.example',
  subject: 'Accès demandé · 許可',
  body: 'Grüße,\n\nund 10.0.0.0/8',
  html: '<p>Grüße, <b>許可</b></p>',
  unsubscribe: null,
  mailId: 42,
  attachments: [],
};
let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map(close => close()));
  closing = [];
});

test('a name with commas and brackets is the name of one sender, at our address', async () => {
  const server = await mailServer();
  const name = 'Island, Sea & "Sky" <x@evil.example>';
  const post = smtpPost(server.url, { ...sender, from: () => ({ name, address: 'no-reply@registry.example' }) });
  closing.push(server.close, async () => post.close());
  await post.deliver(message);
  const { from } = await PostalMime.parse(server.received[0]!.source);
  expect(from).toMatchObject({ name, address: 'no-reply@registry.example' });
});

test('a message arrives as it was written, under an id that stays the same when it is sent again', async () => {
  const server = await mailServer();
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  await post.deliver(message);
  await post.deliver(message);
  expect(server.received).toHaveLength(2);
  expect(server.received[0]!.to).toEqual([message.recipient]);
  const mails = await Promise.all(server.received.map(({ source }) => PostalMime.parse(source)));
  expect(mails[0]).toMatchObject({ subject: message.subject, from: { name: 'Example Registry', address: 'no-reply@registry.example' } });
  expect(mails[0]!.text!.trim()).toBe(message.body);
  expect(mails[0]!.html!.trim()).toBe(message.html);
  expect(server.received[0]!.source.toString()).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(mails.map(mail => mail.messageId)).toEqual(['<mail-42@registry.example>', '<mail-42@registry.example>']);
});

test('a document arrives with the message, byte for byte and under its name', async () => {
  const server = await mailServer();
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  const content = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 255, 10, 13]);
  await post.deliver({ ...message, attachments: [{ fileName: 'INV-2026-000001.pdf', contentType: 'application/pdf', content }] });
  const mail = await PostalMime.parse(server.received[0]!.source);
  expect(mail.text!.trim()).toBe(message.body);
  expect(mail.attachments).toMatchObject([{ filename: 'INV-2026-000001.pdf', mimeType: 'application/pdf', disposition: 'attachment' }]);
  expect(new Uint8Array(mail.attachments[0]!.content as ArrayBuffer)).toEqual(content);
});

test('a refusal of the mail server fails the delivery, so that it is tried again', async () => {
  const server = await mailServer({ code: 451, words: 'mailbox busy' });
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  await expect(post.deliver(message)).rejects.toThrow('mailbox busy');
});

test('a mail asks for no absence replies, and carries a one-click unsubscribe where one is possible', async () => {
  const server = await mailServer();
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  const unsubscribe = `https://registry.example/account/unsubscribe?login=${'x'.repeat(60)}&topic=contacts.reminders&signature=${'y'.repeat(43)}`;
  await post.deliver(message);
  await post.deliver({ ...message, unsubscribe });
  const [locked, open] = await Promise.all(server.received.map(({ source }) => PostalMime.parse(source)));
  const header = (mail: typeof locked, name: string) => mail!.headers.find(({ key }) => key === name)?.value;
  expect(header(locked, 'auto-submitted')).toBe('auto-generated');
  expect(header(locked, 'list-unsubscribe')).toBeUndefined();
  expect(header(locked, 'list-unsubscribe-post')).toBeUndefined();
  expect(header(open, 'list-unsubscribe')?.replaceAll(/\s/g, '')).toBe(`<${unsubscribe}>`);
  expect(header(open, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
});

test.each(['rcpt', 'data'] as const)('a permanent refusal of the mail server at %s is returned and not retried', async at => {
  const server = await mailServer({ code: 550, words: 'no such mailbox', at });
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  expect(await post.deliver(message)).toEqual({ refusal: expect.stringMatching(/^550 .*no such mailbox/) });
});

test.each([
  ['the recipient for now', { code: 450, words: 'greylisted', at: 'rcpt' as const }],
  ['our sender', { code: 550, words: 'sender not allowed', at: 'mail' as const }],
])('a server that refuses %s says nothing of the recipient for good', async (_, refusal) => {
  const server = await mailServer(refusal);
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  await expect(post.deliver(message)).rejects.toThrow(refusal.words);
});
