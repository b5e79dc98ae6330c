import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { newTraceId } from '@portal/contract/trace';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { collectorStandIn } from './collector.ts';
import { fetchCalendar } from '../../apps/server/src/adapters/events-calendar.ts';
import { openWebhookSender } from '../../apps/server/src/adapters/webhook-sender.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { ModuleContext } from '../../apps/server/src/platform/module.ts';
import { openOutsideSystems } from '../../apps/server/src/platform/outside-systems.ts';
import { periodicHandler } from '../../apps/server/src/platform/periodic-work.ts';
import { taskHandler } from '../../apps/server/src/platform/tasks.ts';
import { openTelemetry, type Telemetry, type TelemetryOptions } from '../../apps/server/src/platform/telemetry/open-telemetry.ts';
import { inSpan, inTrace, recordSpans } from '../../apps/server/src/platform/telemetry/spans.ts';
import { testContext } from '../../apps/server/test/context.ts';
import { inherited } from '../../apps/server/test/processes/inherited.ts';
import { whoisServer } from '../../apps/server/test/whois-server.ts';
import { host, type ServedPortal, servedPortal } from '../../apps/server/test/processes/served-portal.ts';
import { smallestWebBuild } from '../../apps/server/test/processes/smallest-web-build.ts';

let collector: Awaited<ReturnType<typeof collectorStandIn>>;
let portal: ServedPortal;
let telemetry: Telemetry;
let context: ModuleContext;
const open = (more: Partial<TelemetryOptions> = {}): Telemetry =>
  openTelemetry({
    url: collector.url,
    headers: { authorization: 'Bearer of the collector' },
    share: 1,
    chooser: Buffer.from('the chooser of this test'),
    serviceName: 'myregistry',
    release: '9.8.7',
    roles: ['web', 'worker'],
    metricLines: async () => (portal ? portal.app.metricLines() : []),
    log: createLog('silent'),
    clock: () => new Date(),
    ...more,
  });
/** Other files of this process record nothing. */
const recordWith = (recorder: Telemetry): void => recordSpans(recorder.spans);

beforeAll(async () => {
  collector = await collectorStandIn();
  telemetry = open();
  portal = await servedPortal();
  context = testContext(portal);
});
afterEach(async () => {
  recordSpans(null);
  await telemetry.flush();
  collector.spans.length = 0;
});
afterAll(async () => {
  await telemetry.close();
  await portal[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

const caller = () => {
  const [traceId, spanId] = [newTraceId(), newTraceId().slice(16)];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-00` };
};
/** Returns the spans of a trace that have come, once those that wait were sent. */
async function sentOf(traceId: string) {
  await telemetry.flush();
  return collector.spans.filter(span => span.traceId === traceId);
}

describe('a request', () => {
  test('is a span under the trace id that people see, with its statements, and no address that was filled in', async () => {
    recordWith(telemetry);
    const { traceId, spanId, traceparent } = caller();
    const answer = await portal.ask('/api/EXAMPLE-AU/contacts', {
      headers: { authorization: `Bearer ${await portal.tokenOf('corin')}`, traceparent },
    });
    expect(answer.status).toBe(200);
    await expect.poll(async () => (await sentOf(traceId)).filter(({ kind }) => kind === 'server')).toHaveLength(1);
    const spans = await sentOf(traceId);
    const [request] = spans.filter(({ kind }) => kind === 'server');
    expect(request).toMatchObject({
      name: 'GET /api/:account/contacts',
      parentSpanId: spanId,
      isError: false,
      attributes: { 'http.request.method': 'GET', 'http.route': '/api/:account/contacts', 'http.response.status_code': 200 },
      resource: { 'service.name': 'myregistry', 'service.version': '9.8.7', 'registry.roles': 'web,worker' },
    });
    const statements = spans.filter(({ kind }) => kind === 'client');
    expect(statements.length).toBeGreaterThan(0);
    for (const { name, parentSpanId, attributes } of statements) {
      expect(parentSpanId).toBe(request!.spanId);
      expect(attributes).toMatchObject({ 'db.system.name': 'postgresql', 'db.operation.name': name.split(' ')[0] });
    }
    expect(statements.map(({ attributes }) => attributes['db.query.text'])).toContainEqual(expect.stringMatching(/\$1/));
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer of the collector', 'content-type': 'application/json' });
  });

  test('that is refused is found by the trace id of its error', async () => {
    recordWith(telemetry);
    const { body, status } = await portal.ask('/api/EXAMPLE-AU/contacts');
    expect(status).toBe(401);
    const { traceId } = (JSON.parse(body) as { errors: { traceId: string }[] }).errors[0]!;
    await expect
      .poll(async () => (await sentOf(traceId)).map(({ attributes, isError }) => [attributes['http.response.status_code'], isError]))
      .toEqual([[401, false]]);
  });

  test('to the OpenID provider is a span too', async () => {
    recordWith(telemetry);
    const { traceId, traceparent } = caller();
    await portal.ask('/oidc/jwks', { headers: { traceparent } });
    await expect.poll(async () => (await sentOf(traceId)).map(({ name }) => name)).toEqual(['GET /oidc']);
  });
});

describe('what a stranger sends in traceparent', () => {
  test('does not decide whether a trace is sent, and is chosen alike by all processes', async () => {
    const [here, there, other] = [{}, {}, { chooser: Buffer.from('another registry') }].map(more => open({ share: 0.5, ...more }));
    const chosenBy = ({ spans }: Telemetry, traceId: string): boolean => {
      const span = spans.begin({ name: 'GET /x', kind: 'server' }, { traceId });
      return span.run(() => spans.isRecording());
    };
    const ids = Array.from({ length: 400 }, newTraceId);
    const chosen = ids.filter(id => chosenBy(here!, id));
    expect(chosen.length).toBeGreaterThan(120);
    expect(chosen.length).toBeLessThan(280);
    expect(ids.filter(id => chosenBy(there!, id))).toEqual(chosen);
    expect(ids.filter(id => chosenBy(other!, id))).not.toEqual(chosen);
    // Ids that a sampler by the id itself would always take.
    const low = ids.map(id => `00000000${id.slice(8, 16)}00000000${id.slice(24)}`);
    expect(low.filter(id => chosenBy(here!, id)).length).toBeLessThan(280);
    for (const each of [here!, there!, other!]) await each.close();
  });

  test('is nothing with a share of 0, whatever its flag', async () => {
    const none = open({ share: 0 });
    recordWith(none);
    const { traceId, spanId } = caller();
    await portal.ask('/api/feature-flags', { headers: { traceparent: `00-${traceId}-${spanId}-01` } });
    await none.flush();
    expect(await sentOf(traceId)).toEqual([]);
    await none.close();
  });

  test('can’t gather more than a hundred requests under one id: later ones have their own, with the one that people see', async () => {
    recordWith(telemetry);
    const { traceId, spanId } = caller();
    for (let index = 0; index < 130; index += 1) telemetry.spans.begin({ name: 'GET /x', kind: 'server' }, { traceId, spanId }).end();
    expect(await sentOf(traceId)).toHaveLength(100);
    const later = collector.spans.filter(({ attributes }) => attributes['registry.trace_id'] === traceId);
    expect(new Set(later.map(span => span.traceId)).size).toBe(30);
    expect(later.map(({ parentSpanId }) => parentSpanId)).toEqual(Array.from({ length: 30 }, () => null));
  });

  test.each([
    '',
    'x',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01-more`,
    `ff-${'a'.repeat(32)}-${'1'.repeat(16)}-01`,
    'A'.repeat(5000),
  ])('%.60s is left aside', async traceparent => {
    recordWith(telemetry);
    const { status } = await portal.ask('/api/feature-flags', { headers: { traceparent } });
    expect(status).toBe(200);
    await expect.poll(async () => (await telemetry.flush(), collector.spans.filter(({ kind }) => kind === 'server').length)).toBe(1);
    expect(collector.spans.find(({ kind }) => kind === 'server')!.parentSpanId).toBeNull();
  });
});

test('a request of thousands of statements tells five hundred, and how many more there were', async () => {
  recordWith(telemetry);
  const { traceId } = caller();
  const nothing = async (): Promise<void> => undefined;
  await inTrace(
    () => ({ name: 'task many', kind: 'consumer' }),
    () => ({ traceId }),
    async () => {
      for (let index = 0; index < 520; index += 1) await inSpan(() => ({ name: 'select x', kind: 'client' }), nothing);
    },
  );
  const spans = await sentOf(traceId);
  expect(spans).toHaveLength(501);
  expect(spans.find(({ name }) => name === 'task many')!.attributes['registry.spans_left_out']).toBe(20);
});

describe('background work', () => {
  const input = { parse: (given: unknown) => given } as never;
  const kindOf = (run: () => Promise<void>) => ({ name: 'mail.deliverMail' as never, summary: 'A task of the test', input, run });

  test('of a change is in the trace of that change, also where it fails', async () => {
    recordWith(telemetry);
    const { traceId } = caller();
    const { db } = portal;
    const queue = (): Promise<number> =>
      db.change({ action: 'test.change', summary: 'A change of the test', traceId, accountName: null } as never, change =>
        change.enqueue({ name: 'mail.deliverMail', summary: 'A task of the test', input }, { word: 'planted-task-word' } as never),
      );
    const job = { job: { attempts: 1, max_attempts: 25 } } as never;
    const reads = kindOf(async () => void (await db.read.rows(sql`select 1 from task where name = ${'planted-parameter'}`)));
    await taskHandler(context, reads as never)({ taskId: await queue() }, job);
    const fails = kindOf(async () => {
      throw new TypeError('planted-message');
    });
    await expect(taskHandler(context, fails as never)({ taskId: await queue() }, job)).rejects.toThrow('planted-message');
    const spans = (await sentOf(traceId)).filter(({ kind }) => kind === 'consumer');
    expect(spans.map(({ name, isError, attributes }) => [name, isError, attributes['error.type']])).toEqual([
      ['task mail.deliverMail', false, undefined],
      ['task mail.deliverMail', true, 'TypeError'],
    ]);
    const inTask = (await sentOf(traceId)).filter(({ parentSpanId }) => parentSpanId === spans[0]!.spanId);
    expect(inTask.map(({ name }) => name)).toContain('select task');
    expect(collector.bodies.join('')).not.toMatch(/planted-/);
  });

  test('by the clock is a trace of its own', async () => {
    recordWith(telemetry);
    await periodicHandler(context, { name: 'test.work', every: 1, run: async () => undefined })();
    await telemetry.flush();
    const [work] = collector.spans.filter(({ name }) => name === 'periodic test.work');
    expect(work).toMatchObject({ parentSpanId: null, kind: 'internal', isError: false });
    expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === work!.spanId).length).toBeGreaterThan(0);
  });
});

test('a question of port 43 is a trace of its own, named by its kind, with its statements and not with what was asked', async () => {
  await using whois = await whoisServer({ on: portal.db, memoryMegabytes: 0 });
  recordWith(telemetry);
  await whois.send('planted-name\r\n');
  await whois.send('!gplanted-as-name\n');
  await telemetry.flush();
  const questions = collector.spans.filter(({ name }) => name.startsWith('whois '));
  expect(questions.map(({ name, kind, parentSpanId }) => [name, kind, parentSpanId])).toEqual([
    ['whois name', 'server', null],
    ['whois irr !g', 'server', null],
  ]);
  expect(collector.spans.some(({ parentSpanId }) => parentSpanId === questions[0]!.spanId)).toBe(true);
  expect(collector.bodies.join('')).not.toMatch(/planted-(name|as-name)/);
  const lines = whois.port43.metrics();
  expect(lines).toContain('# TYPE whois_query_duration_seconds histogram');
  expect(lines).toContain('whois_query_duration_seconds_count{kind="name"} 1');
  expect(lines).toContain('whois_query_duration_seconds_bucket{kind="irr !g",le="60"} 1');
});

describe('a call of a system outside', () => {
  const post = { isOpen: true, deliver: async (_letter: object): Promise<string> => 'planted-answer', count: (): number => 3 };

  test('is a span, with the system and not what was said', async () => {
    recordWith(telemetry);
    const { outside, close } = openOutsideSystems(context, []);
    const port = outside({ name: 'mail server of the test', open: () => post });
    const { traceId } = caller();
    const answers = await inTrace(
      () => ({ name: 'task x', kind: 'consumer' }),
      () => ({ traceId }),
      async () => [await port.deliver({ to: 'planted-recipient@example.net' }), port.count(), port.isOpen],
    );
    expect(answers).toEqual(['planted-answer', 3, true]);
    const spans = await sentOf(traceId);
    const [task] = spans.filter(({ kind }) => kind === 'consumer');
    expect(spans.filter(({ kind }) => kind === 'client')).toMatchObject([
      {
        name: 'mail server of the test: deliver',
        parentSpanId: task!.spanId,
        attributes: { 'peer.service': 'mail server of the test', 'rpc.method': 'deliver' },
      },
      { name: 'mail server of the test: count', parentSpanId: task!.spanId },
    ]);
    // Without a task around it, as in a loop.
    await port.deliver({});
    await telemetry.flush();
    expect(collector.spans.filter(({ name, parentSpanId }) => name.startsWith('mail server') && parentSpanId === null)).toHaveLength(1);
    await close();
  });

  test('names its span to what the operator has chosen, and to no receiver of webhooks', async () => {
    recordWith(telemetry);
    const heard: http.IncomingHttpHeaders[] = [];
    const system = http
      .createServer((request, response) => (heard.push(request.headers), response.end('BEGIN:VCALENDAR')))
      .listen(0, '127.0.0.1');
    await once(system, 'listening');
    const url = `http://127.0.0.1:${(system.address() as AddressInfo).port}/x.ics`;
    const { traceId } = caller();
    await inTrace(
      () => ({ name: 'task x', kind: 'consumer' }),
      () => ({ traceId }),
      async () => {
        await fetchCalendar(url);
        await openWebhookSender({ stayPublic: false }).send(url, { headers: {}, content: '{}' });
      },
    );
    const [task] = await sentOf(traceId);
    expect(heard.map(({ traceparent }) => traceparent)).toEqual([`00-${traceId}-${task!.spanId}-01`, undefined]);
    system.closeAllConnections();
    system.close();
  });
});

test('no person, secret, address or parameter reaches the collector', async () => {
  recordWith(telemetry);
  const token = await portal.tokenOf('corin');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'user-agent': 'planted-browser',
    'x-forwarded-for': '203.0.113.77',
    cookie: 'planted-cookie=1',
  };
  const json = (body: object): string => JSON.stringify(body);
  await portal.ask('/api/EXAMPLE-AU/search?q=planted-search', { headers });
  await portal.ask('/api/EXAMPLE-AU/contacts/planted-contact', { headers });
  await portal.ask('/api/EXAMPLE-AU/contacts', {
    method: 'POST',
    headers,
    body: json({ fullName: 'Planted Person', email: 'planted@example.net' }),
  });
  await portal.ask('/api/me/preferences', { method: 'PATCH', headers, body: json({ planted: 'planted-preference' }) });
  await portal.ask('/api/planted-nowhere', { headers });
  await portal.ask('/sign-in/planted', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'login=planted-login&password=planted-password',
  });
  await portal.ask('/oidc/auth?client_id=planted-client&state=planted-state');
  await inTrace(
    () => ({ name: 'task x', kind: 'consumer' }),
    () => ({}),
    async () => {
      await portal.db.read.rows(sql`select ${'planted-value'}::text as x, 'planted-literal' as y`);
      await portal.db.read.rows(sql`select 'planted-number'::int`).catch(() => undefined);
    },
  );
  await telemetry.flush();
  const all = collector.bodies.join('\n');
  expect(collector.spans.length).toBeGreaterThan(10);
  expect(all.match(/planted.{0,40}/gi) ?? []).toEqual([]);
  for (const secret of [token, token.split('.')[2]!, 'corin', 'Corin', 'EXAMPLE-AU', '203.0.113.77', host, '127.0.0.1'])
    expect(all).not.toContain(secret);
});

test('metrics are those of /metrics, and how long requests took', async () => {
  recordWith(telemetry);
  await portal.ask('/api/feature-flags');
  await expect
    .poll(async () => {
      await telemetry.flush();
      return new Set(collector.metrics.map(({ name, kind }) => `${name} ${kind}`));
    })
    .toEqual(expect.objectContaining({ size: expect.any(Number) as number }));
  const named = (name: string) => collector.metrics.findLast(metric => metric.name === name);
  expect(named('http_requests_total')).toMatchObject({ kind: 'counter' });
  expect(named('tasks')).toMatchObject({ kind: 'gauge' });
  expect(named('http.server.request.duration')!.points).toContainEqual({
    attributes: { 'http.request.method': 'GET', 'http.route': '/api/feature-flags', 'http.response.status_code': 200 },
    value: expect.any(Number) as number,
  });
});

describe('a collector that is away', () => {
  test.each([503, 400, 'hang'] as const)('(%s) holds up no answer, and is a line in a minute', async behaviour => {
    await using away = await collectorStandIn({ answer: behaviour });
    const lines: string[] = [];
    const lost = open({ url: away.url, log: createLog('warn', line => lines.push(line)) });
    recordWith(lost);
    // More than may wait.
    for (let index = 0; index < 6000; index += 1) lost.spans.begin({ name: 'GET /x', kind: 'server' }, {}).end();
    expect((await portal.ask('/api/feature-flags')).status).toBe(200);
    recordSpans(null);
    await lost.close();
    expect(lines.length).toBeLessThanOrEqual(1);
    for (const line of lines) expect(line).toContain('traces or metrics were not sent');
    expect(lines.join('')).not.toContain('of the collector');
  });

  test('(no one listens) is the same', async () => {
    const gone = await collectorStandIn();
    await gone[Symbol.asyncDispose]();
    const lost = open({ url: gone.url });
    recordWith(lost);
    expect((await portal.ask('/api/feature-flags')).status).toBe(200);
    await lost.close();
  });
});

describe('the program', () => {
  /** Starts it with a list of what it loads, asks it once, and ends it. */
  async function loadedBy(environment: Record<string, string>): Promise<string[]> {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-telemetry-'));
    const [webFolder, list, hook] = [await smallestWebBuild(), path.join(folder, 'loaded'), path.join(folder, 'hook.mjs')];
    await fs.writeFile(list, '');
    await fs.writeFile(
      hook,
      `import { registerHooks } from 'node:module';
       import { appendFileSync } from 'node:fs';
       registerHooks({ load(url, context, next) { if (url.includes('opentelemetry')) appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`,
    );
    const program = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--import',
        hook,
        path.join(import.meta.dirname, '../../apps/server/test/processes/serve-smallest.ts'),
        webFolder,
      ],
      {
        env: {
          ...inherited,
          NODE_ENV: 'test',
          DATA_DIR: folder,
          DATABASE_URL: 'memory://',
          ROLES: 'web,worker',
          DEMO: 'off',
          PORT: '0',
          APP_URL: `http://${host}`,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await new Promise<void>((resolve, reject) => {
      program.stdout.on('data', (chunk: Buffer) => chunk.includes('Ctrl-C stops it') && resolve());
      program.once('exit', () => reject(new Error('the program ended')));
    });
    program.kill('SIGTERM');
    await once(program, 'exit');
    const loaded = (await fs.readFile(list, 'utf8')).split('\n').filter(Boolean);
    await fs.rm(folder, { recursive: true, force: true });
    await fs.rm(webFolder, { recursive: true, force: true });
    return loaded;
  }

  test('loads none of the libraries while no collector is set', async () => expect(await loadedBy({})).toEqual([]));

  test('loads them where one is, and sends what waits before it ends', async () => {
    const before = collector.metrics.length;
    expect((await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'of the program' })).length).toBeGreaterThan(
      10,
    );
    expect(collector.metrics.slice(before).map(({ name }) => name)).toContain('tasks');
  });
});
