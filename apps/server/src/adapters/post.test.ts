import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { smtpPost } from './post.ts';

/** A mail server of our own that keeps what it is given, or refuses it. */
async function mailServer(refusal?: { code: number; words: string }) {
  const received: { to: string[]; source: Buffer }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusal) return done(Object.assign(new Error(refusal.words), { responseCode: refusal.code }));
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

const sender = { from: 'Example Registry <no-reply@registry.example>', host: 'registry.example' };
const message = {
  recipient: 'corin@example-au.example',
  subject: 'Accès demandé · 許可',
  body: 'Grüße,\n\nund 10.0.0.0/8',
  html: '<p>Grüße</p>',
  unsubscribe: null,
  mailId: 42,
};
let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map(close => close()));
  closing = [];
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
  expect(mails.map(mail => mail.messageId)).toEqual(['<mail-42@registry.example>', '<mail-42@registry.example>']);
});

test('a refusal of the mail server fails the delivery, so that it is tried again', async () => {
  const server = await mailServer({ code: 451, words: 'mailbox busy' });
  const post = smtpPost(server.url, sender);
  closing.push(server.close, async () => post.close());
  await expect(post.deliver(message)).rejects.toThrow('mailbox busy');
});
