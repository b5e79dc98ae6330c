import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../database/throwaway-postgres.ts';

/** A system of someone else that the registry sends to. It may be gone, so that nothing is taken, or fail, so that nothing is kept. */
export type OutsideSystem = { name: string; harm: (way: 'gone' | 'failing') => Promise<void>; mend: () => Promise<void> };

/** A mail server of others. `received`: message ids of what it took, as often as it took them. */
export type MailServer = OutsideSystem & { url: string; received: Map<string, number> };

export async function mailServer(): Promise<MailServer> {
  const received = new Map<string, number>();
  const port = await freePort();
  let isFailing = false;
  let server: SMTPServer;
  const start = async (): Promise<void> => {
    server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          if (isFailing) return done(Object.assign(new Error('Come back later'), { responseCode: 451 }));
          const [, id = ''] = /^message-id:\s*(\S+)/im.exec(Buffer.concat(parts).toString('latin1')) ?? [];
          received.set(id, (received.get(id) ?? 0) + 1);
          done();
        });
      },
    });
    // A client that is killed in the middle of a mail.
    server.on('error', () => undefined);
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
  };
  await start();
  return {
    name: 'the mail server',
    url: `smtp://127.0.0.1:${port}`,
    received,
    harm: async way => {
      if (way === 'failing') isFailing = true;
      else await new Promise<void>(closed => server.close(closed));
    },
    mend: async () => {
      if (isFailing) isFailing = false;
      else await start();
    },
  };
}

/** A program of a member that takes events. `received`: numbers of events, as often as it took them; `secret`: set once the webhook is made. */
export type EventReceiver = OutsideSystem & { url: string; received: Map<string, number>; wrong: string[]; secret: string };

export async function eventReceiver(): Promise<EventReceiver> {
  const port = await freePort();
  let isFailing = false;
  let server: http.Server;
  const receiver: EventReceiver = {
    name: 'the receiver of events',
    url: `http://127.0.0.1:${port}/registry`,
    received: new Map(),
    wrong: [],
    secret: '',
    harm: async way => {
      if (way === 'failing') isFailing = true;
      else {
        server.closeAllConnections();
        await new Promise(closed => server.close(closed));
      }
    },
    mend: async () => {
      if (isFailing) isFailing = false;
      else await start();
    },
  };
  /** Standard Webhooks 1.0: HMAC-SHA256 over id, time and content. */
  const isSigned = (id: string, { headers }: http.IncomingMessage, content: string): boolean => {
    const key = Buffer.from(receiver.secret.replace(/^whsec_/, ''), 'base64');
    const meant = createHmac('sha256', key)
      .update(`${id}.${String(headers['webhook-timestamp'])}.${content}`)
      .digest();
    const signatures = String(headers['webhook-signature']).split(' ');
    return signatures.some(each => {
      const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
      return given.length === meant.length && timingSafeEqual(given, meant);
    });
  };
  const start = async (): Promise<void> => {
    server = http.createServer((request, response) => {
      text(request).then(
        content => {
          const id = String(request.headers['webhook-id']);
          if (isFailing) return response.writeHead(500).end();
          if (isSigned(id, request, content)) receiver.received.set(id, (receiver.received.get(id) ?? 0) + 1);
          else receiver.wrong.push(`${id} is not signed`);
          response.writeHead(204).end();
        },
        () => response.destroy(),
      );
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await start();
  return receiver;
}
