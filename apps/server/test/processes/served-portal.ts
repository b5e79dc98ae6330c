import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import type { FastifyInstance } from 'fastify';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { mintToken } from '../../src/modules/identity/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { testContext } from '../context.ts';
import { demoDatabase, type Kind, kinds } from '../portal.ts';
import { smallestWebBuild } from './smallest-web-build.ts';
import { undeclaredInTests } from '../undeclared-in-tests.ts';

/** Serves the whole portal, pages included, and lists every route its router knows: for tests of answers' headers and contents. */

export const host = 'portal.test';
export type Route = { method: string; url: string };
export type Answer = { status: number; headers: http.IncomingHttpHeaders; body: string };
export type ServedPortal = Awaited<ReturnType<typeof servedPortal>>;

/**
 * @param more routes that a test adds, to check their answers
 * @param kind its database: where there is one, PostgreSQL, which answers faster
 */
export async function servedPortal(
  environment: Record<string, string> = {},
  more: (app: FastifyInstance) => void = () => {},
  kind: Kind = kinds.at(-1)!,
) {
  const { db, drop } = await demoDatabase(kind);
  const config = readConfig({
    NODE_ENV: 'test',
    APP_URL: `http://${host}`,
    DATABASE_URL: 'memory://',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const webFolder = await smallestWebBuild();
  const routes: Route[] = [];
  // Fastify's own channel: the only way to learn of every route, by whatever part it is added.
  const collect = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, url });
    });
  };
  subscribe('fastify.initialization', collect);
  const lines: string[] = [];
  const log = createLog('warn', line => lines.push(line));
  const undeclared = undeclaredInTests();
  const app = await openApp({ ...testContext({ db, config }), log }, { webFolder, onUndeclared: undeclared.onUndeclared });
  unsubscribe('fastify.initialization', collect);
  const known = [...routes];
  more(app.http);
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as net.AddressInfo;

  /** One request; an answer that does not end is left after its head. */
  const ask = (
    url: string,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      // Node.js sets the length of a body for the methods that usually have one; DELETE is not among them.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const request = http.request(
        { port, host: '127.0.0.1', path: url, method, agent: false, headers: { host, ...length, ...headers } },
        response => {
          const answer = { status: response.statusCode!, headers: response.headers };
          if (answer.headers['content-type']?.startsWith('text/event-stream')) {
            resolve({ ...answer, body: '' });
            return request.destroy();
          }
          let text = '';
          response
            .setEncoding('utf8')
            .on('data', (chunk: string) => (text += chunk))
            .on('end', () => resolve({ ...answer, body: text }));
        },
      );
      request.on('error', reject).end(body);
    });

  /** Sends bytes as they are and reads what comes back until the server closes. */
  const say = (text: string) =>
    new Promise<Answer>((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
      let all = '';
      socket
        .setEncoding('utf8')
        .on('data', (chunk: string) => (all += chunk))
        .on('error', reject)
        .on('end', () => {
          const [head, body = ''] = all.split('\r\n\r\n');
          const [first, ...fields] = head!.split('\r\n');
          const headers = Object.fromEntries(
            fields.map(field => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
          );
          socket.destroy();
          resolve({ status: Number(first!.split(' ')[1]), headers, body });
        });
    });

  return {
    app,
    db,
    config,
    port,
    /** Every route the server has, without those of the test. */
    routes: known,
    /** Log lines of level warn or worse. */
    lines,
    ask,
    say,
    tokenOf: (name: string, options: { mfa?: boolean } = {}): Promise<string> => mintToken(db, config, name, { mfa: options.mfa ?? true }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await db.close();
      await drop();
      await fs.rm(webFolder, { recursive: true, force: true });
      undeclared.refuse();
    },
  };
}

/** Returns a path of a route: its parameters are unknown values except the account. */
export const pathFor = (url: string): string => url.replace(':account', 'EXAMPLE-AU').replace(/:\w+/g, 'x').replace('*', 'x');
