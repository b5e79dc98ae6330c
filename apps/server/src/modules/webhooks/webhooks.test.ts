import { createHmac } from 'node:crypto';
import { api } from '@portal/contract/api';
import { DAY_MS, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { standIn } from '../../platform/outside-systems.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { ownWebhooks } from './own-webhooks.ts';
import { makeDeliveries } from './webhook-events.ts';
import { resealWebhookSecrets, webhookSecretsOf } from './webhook-secrets.ts';
import { type WebhookSender, webhookSender } from './webhook-sender.ts';
import { deleteOldDeliveries, sendOne, takeDue } from './webhook-sending.ts';
import { signedHeaders } from './webhook-signature.ts';
import { startWebhookWorker } from './webhook-worker.ts';

const account = 'EXAMPLE-AU';
const url = 'https://hooks.example.net/registry';
type Sent = { url: string; headers: Readonly<Record<string, string>>; content: string };

/** Returns a portal with a receiver that answers with a given status, and a worker that runs on request. */
async function withReceiver(portal: TestPortal, answers: { status: number | null } = { status: 200 }) {
  const received: Sent[] = [];
  const send: WebhookSender['send'] = (to, sent) => {
    received.push({ url: to, ...sent });
    const { status } = answers;
    return Promise.resolve({ status, problem: status !== null && status < 300 ? null : `it answered ${status}`, answer: 'noted' });
  };
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const context = { ...testContext(portal, standIn(webhookSender, { send })), clock: now };
  const corin = await portal.as('corin');
  return {
    received,
    context,
    corin,
    answers,
    create: async (body: { label?: string; url?: string; categories?: 'resources'[]; refusals?: boolean } = {}) => {
      const { data, errors } = await corin(api.webhooks.createWebhook, { account, body: { label: 'noc-chat', url, ...body } });
      expect(errors).toBeUndefined();
      return { webhook: data!.webhook, webhookId: data!.webhook.webhookId, secret: data!.secret! };
    },
    /** Sends everything due now, like one worker. */
    work: async (): Promise<void> => {
      while (await makeDeliveries({ ...context, clock: now }));
      for (let due = await takeDue(portal.db, now(), 8); due.length > 0; due = await takeDue(portal.db, now(), 8))
        await Promise.all(due.map(one => sendOne(context, one)));
    },
    wait: (ms: number): void => {
      ahead += ms;
    },
    now,
    deliveries: async (webhookId: string) => (await corin(api.webhooks.listDeliveries, { account, webhookId })).data!.rows,
    webhook: async (webhookId: string) =>
      (await corin(api.webhooks.listWebhooks, { account })).data!.rows.find(each => each.webhookId === webhookId)!,
  };
}

test('an event names the changed public objects, and nothing that needs a permission', async () => {
  await using portal = await testPortal();
  const { corin, create, work, received } = await withReceiver(portal);
  await create();
  await work();
  const events = async () => {
    received.length = 0;
    await work();
    return received.map(({ content }) => JSON.parse(content) as { type: string; data: { object: string; objects: unknown[] } });
  };
  const zone = '2.18.198.in-addr.arpa';
  const servers = ['ns5.example.net', 'ns2.example.net'];
  await corin(api.reverseDns.submitZones, { account, body: { zones: [zone], servers } });
  expect(await events()).toMatchObject([
    { type: 'reverseDns.submitZones', data: { object: zone, objects: [{ kind: 'domain', name: zone, done: 'modify' }] } },
  ]);
  await corin(api.reverseDns.submitZones, { account, body: { zones: [zone], operation: 'remove' } });
  expect(await events()).toMatchObject([{ data: { objects: [{ kind: 'domain', name: zone, done: 'delete' }] } }]);
  await corin(api.rpki.enable, { account });
  await events();
  const { version } = (await corin(api.rpki.getStatus, { account })).data!;
  await corin(api.rpki.changeRoas, { account, body: { version, add: [{ prefix: '198.18.4.0/24', asn: 'AS64500' }], invalidating: 0 } });
  expect(await events()).toMatchObject([
    { type: 'rpki.changeRoas', data: { objects: [{ kind: 'roa', name: expect.stringContaining('198.18.4.0/24'), done: 'create' }] } },
  ]);
  const { rows } = (await corin(api.contacts.listContacts, { account, query: {} })).data!;
  const tess = rows.find(({ fullName }) => fullName.startsWith('Tess'))!;
  await corin(api.contacts.updateContact, {
    account,
    contactId: tess.contactId,
    body: { version: tess.version, fullName: tess.fullName, position: 'Engineer', reason: 'Promoted' },
  });
  expect(await events()).toMatchObject([{ data: { object: tess.fullName, objects: [] } }]);
});

test('signatures are those of Standard Webhooks', () => {
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    content: '{"test": 2432232314}',
    now: new Date(1_614_265_330_000),
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each(kindsForRules)(
  'an activity is sent once it has committed, signed, as members read it, and its secret is stored sealed (%s)',
  async kind => {
    await using portal = await testPortal(kind);
    const { corin, create, work, received, deliveries, webhook } = await withReceiver(portal);
    const { webhookId, secret } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [{ sealedSecret } = { sealedSecret: Buffer.of() }] = await portal.db.read.rows<{ sealedSecret: Buffer }>(
      sql`select sealed_secret from webhook_secret`,
    );
    expect(sealedSecret.includes(Buffer.from(secret.slice(6, 30)))).toBe(false);
    const dump = JSON.stringify(
      await portal.db.read.rows(sql`select to_jsonb(a) from activity a union all select to_jsonb(r) from row_change r`),
    );
    expect(dump).not.toContain(secret);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)).toMatchObject({
      subject: 'Webhook noc-chat of EXAMPLE-AU was created',
    });
    await work();
    received.length = 0;

    await corin(api.apiKeys.createApiKey, { account, body: { label: 'ci-routes', scopes: ['resources:read'], days: 30 } });
    // A refused change isn't an event for a webhook without refused attempts.
    await corin(api.apiKeys.createApiKey, { account, body: { label: 'ci-routes', scopes: ['resources:read'], days: 30 } });
    await work();
    expect(received.map(({ content }) => (JSON.parse(content) as { type: string }).type)).toEqual(['apiKeys.createApiKey']);
    const { headers, content, ...to } = received[0]!;
    expect(to).toEqual({ url });
    expect(JSON.parse(content)).toMatchObject({
      type: 'apiKeys.createApiKey',
      data: {
        account,
        what: 'Create an API key',
        category: 'contacts',
        result: 'done',
        actor: { kind: 'contact', name: 'Corin Achterberg' },
      },
    });
    expect(content).not.toContain('127.0.0.1');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${content}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(signed)
        .digest('base64')}`,
    );
    expect(await deliveries(webhookId)).toMatchObject([{ state: 'delivered', attempts: 1, status: 200, eventId: headers['webhook-id'] }]);
    expect(await webhook(webhookId)).toMatchObject({ state: 'active', waiting: 0, failingSince: null, lastAttempt: { status: 200 } });
  },
);

test('a webhook gets its subjects, refused attempts if selected, and nothing of other accounts', async () => {
  await using portal = await testPortal();
  const { corin, create, work, deliveries } = await withReceiver(portal);
  const { webhookId: all } = await create({ label: 'everything', refusals: true });
  const { webhookId: resources } = await create({ label: 'resources-only', categories: ['resources'] });
  const body = { label: 'ci-routes', scopes: ['resources:read' as const], days: 30 };
  await corin(api.apiKeys.createApiKey, { account, body });
  await corin(api.apiKeys.createApiKey, { account, body });
  const nils = await portal.as('nils');
  await nils(api.apiKeys.createApiKey, { account: 'NATREG-XX', body });
  await work();
  expect((await deliveries(all)).map(({ type }) => type)).toEqual([
    'apiKeys.createApiKey',
    'apiKeys.createApiKey',
    'webhooks.createWebhook',
  ]);
  expect(await deliveries(resources)).toEqual([]);
  expect((await nils(api.webhooks.listDeliveries, { account: 'NATREG-XX', webhookId: all })).errors?.[0]?.code).toBe('NOT_FOUND');
  expect((await nils(api.webhooks.removeWebhook, { account: 'NATREG-XX', webhookId: all })).errors?.[0]?.code).toBe('NOT_FOUND');
});

test('a failed delivery is retried with growing delays, then ends, and can be resent with the same id', async () => {
  await using portal = await testPortal();
  const { corin, create, work, wait, received, deliveries, answers } = await withReceiver(portal, { status: 500 });
  const { webhookId } = await create();
  await corin(api.webhooks.testWebhook, { account, webhookId });
  await work();
  expect(received.length).toBe(1);
  await work();
  expect(received.length).toBe(1);
  for (const [seconds, attempts] of [
    [6, 2],
    [60, 2],
    [300, 3],
    [1_980, 4],
    [7_920, 5],
    [19_800, 6],
    [39_600, 7],
    [55_440, 8],
    [79_200, 9],
    [95_040, 10],
    [500_000, 10],
  ] as const) {
    wait(seconds * 1000);
    await work();
    expect([seconds, received.length]).toEqual([seconds, attempts]);
  }
  const [failed] = await deliveries(webhookId);
  expect(failed).toMatchObject({ state: 'failed', attempts: 10, nextAt: null, problem: 'it answered 500' });
  answers.status = 204;
  await corin(api.webhooks.replayDelivery, { account, webhookId, deliveryId: failed!.deliveryId });
  wait(MINUTE_MS);
  await work();
  expect(received.at(-1)!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
  const { data } = await corin(api.webhooks.getDelivery, { account, webhookId, deliveryId: failed!.deliveryId });
  expect(data!.delivery).toMatchObject({ state: 'delivered', attempts: 1 });
  expect(data!.attempts.length).toBe(11);
  expect(data!.attempts[0]).toMatchObject({ status: 204, problem: null, answer: 'noted' });
  await deleteOldDeliveries(portal.db, new Date(Date.now() + 40 * DAY_MS));
  expect(await deliveries(webhookId)).toEqual([]);
});

test('a webhook whose receiver fails for five days, or answers 410, is turned off with a mail, and can be turned on again by a contact', async () => {
  await using portal = await testPortal();
  const { corin, create, work, wait, received, webhook, answers } = await withReceiver(portal, { status: 503 });
  const { webhookId } = await create();
  const test = () => corin(api.webhooks.testWebhook, { account, webhookId });
  await test();
  await work();
  expect((await webhook(webhookId)).failingSince).not.toBeNull();
  wait(5 * DAY_MS + MINUTE_MS);
  await work();
  expect(await webhook(webhookId)).toMatchObject({
    state: 'disabled',
    waiting: 0,
    disabledWhy: expect.stringMatching(/failed for 5 days/) as string,
  });
  expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toBe('Webhook noc-chat of EXAMPLE-AU was turned off');
  expect((await test()).errors?.[0]?.code).toBe('WEBHOOK_STOPPED');
  received.length = 0;
  await corin(api.apiKeys.createApiKey, { account, body: { label: 'ci-routes', scopes: ['resources:read'], days: 30 } });
  await work();
  expect(received).toEqual([]);

  await corin(api.webhooks.saveWebhook, { account, webhookId, body: { label: 'noc-chat', url } });
  expect(await webhook(webhookId)).toMatchObject({ state: 'active', failingSince: null });
  answers.status = 410;
  await test();
  wait(MINUTE_MS);
  await work();
  expect(await webhook(webhookId)).toMatchObject({ state: 'disabled', disabledWhy: 'its receiver answered 410 Gone' });
});

test('deliveries of a crashed worker are sent by another one a minute later, and a slow receiver takes at most two slots', async () => {
  await using portal = await testPortal();
  const { corin, create, work, wait, now, received } = await withReceiver(portal);
  const { webhookId: slow } = await create({ label: 'slow' });
  const { webhookId: quick } = await create({ label: 'quick' });
  await work();
  received.length = 0;
  for (let count = 0; count < 4; count++) await corin(api.webhooks.testWebhook, { account, webhookId: slow });
  await corin(api.webhooks.testWebhook, { account, webhookId: quick });
  wait(1000);
  const taken = await takeDue(portal.db, now(), 8);
  expect(taken.map(({ webhookId }) => webhookId).toSorted()).toEqual([slow, slow, quick].toSorted());
  // Another worker gets none of these, and no third one of the slow receiver.
  expect(await takeDue(portal.db, now(), 8)).toEqual([]);
  wait(61_000);
  await work();
  expect(received.length).toBe(5);
});

test('what was leased or put off while the clock was ahead is sent once it is right', async () => {
  await using portal = await testPortal();
  const { corin, create, work, wait, now, received, answers } = await withReceiver(portal);
  const { webhookId } = await create();
  await work();
  received.length = 0;
  for (let count = 0; count < 4; count++) await corin(api.webhooks.testWebhook, { account, webhookId });
  wait(365 * DAY_MS);
  // One that is leased as its worker ends, three that failed, and one of these leased too: both places of the webhook.
  expect(await takeDue(portal.db, now(), 1)).toHaveLength(1);
  answers.status = 500;
  await work();
  expect(received).toHaveLength(3);
  wait(10_000);
  expect(await takeDue(portal.db, now(), 1)).toHaveLength(1);
  expect(await takeDue(portal.db, now(), 8)).toEqual([]);
  wait(-365 * DAY_MS);
  answers.status = 200;
  received.length = 0;
  await work();
  expect(received).toHaveLength(4);
  expect(await takeDue(portal.db, now(), 8)).toEqual([]);
});

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  await using portal = await testPortal();
  const { corin, create, work, wait, received } = await withReceiver(portal);
  const { webhookId, secret } = await create();
  const { data } = await corin(api.webhooks.rotateWebhookSecret, { account, webhookId });
  expect(data!.secret).not.toBe(secret);
  expect(data!.webhook.oldSecretUntil).not.toBeNull();
  await work();
  expect(received.at(-1)!.headers['webhook-signature']!.split(' ').length).toBe(2);
  wait(DAY_MS + MINUTE_MS);
  await corin(api.webhooks.testWebhook, { account, webhookId });
  await work();
  expect(received.at(-1)!.headers['webhook-signature']!.split(' ').length).toBe(1);
});

test('a secret opens with a new SECRET_KEY after resealing', async () => {
  await using portal = await testPortal();
  const { create } = await withReceiver(portal);
  const { webhookId, secret } = await create();
  const secretKey = 'the-secret-key-after-of-32-characters-';
  const both = openSecretBox({ secretKey, secretKeyOld: portal.config.secretKey });
  const reseal = () =>
    portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, change => resealWebhookSecrets(change, both));
  expect([await reseal(), await reseal()]).toEqual([1, 0]);
  const after = openSecretBox({ secretKey, secretKeyOld: '' });
  expect(await webhookSecretsOf(portal.db.read, after, { webhookId, now: new Date() })).toEqual([secret]);
});

test('nothing is sent for a contact who lost access, while it is paused, or after its owner removed it', async () => {
  await using portal = await testPortal();
  const { corin, create, work, received, webhook, now } = await withReceiver(portal);
  const { webhookId } = await create();
  await work();
  received.length = 0;
  const setTypes = (types: string) =>
    portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32), accountName: account }, change =>
      change.rows(
        sql`update contact set contact_types = ${types}::text[] where account_name = ${account} and full_name = 'Corin Achterberg'`,
      ),
    );
  await setTypes('{technical}');
  await work();
  expect(received).toEqual([]);
  await setTypes('{corporate}');
  await work();
  received.length = 0;
  await corin(api.webhooks.pauseWebhook, { account, webhookId });
  await work();
  expect(received).toEqual([]);
  expect(await webhook(webhookId)).toMatchObject({ state: 'paused' });

  await corin(api.webhooks.saveWebhook, { account, webhookId, body: { label: 'noc-chat', url } });
  const [{ loginId } = { loginId: '' }] = await portal.db.read.rows<{ loginId: string }>(sql`select login_id from webhook`);
  const listed = await ownWebhooks.list(portal.db.read, { loginId, now: now() });
  expect(listed).toMatchObject([{ programId: `webhook-${webhookId}`, label: 'noc-chat', knownAs: 'Webhook to hooks.example.net' }]);
  const origin = { traceId: '0'.repeat(32) };
  expect(await ownWebhooks.end(portal.db, origin, { loginId: 'another', name: 'X', programId: `webhook-${webhookId}` })).toBe(false);
  expect(await ownWebhooks.end(portal.db, origin, { loginId, name: 'Corin Achterberg', programId: `webhook-${webhookId}` })).toBe(true);
  expect((await corin(api.webhooks.listWebhooks, { account })).data!.rows).toEqual([]);
});

test.each([
  ['http://hooks.example.net/', /encrypted only/],
  ['https://127.0.0.1/', /can’t be reached/],
  ['https://[::1]/', /can’t be reached/],
  ['https://10.0.0.8/', /can’t be reached/],
  ['https://[fd00::1]/', /can’t be reached/],
  ['https://2130706433/', /can’t be reached/],
  ['https://localhost/', /can’t be reached/],
  ['https://router.internal/', /can’t be reached/],
  ['https://user:word@hooks.example.net/', /password in an address/],
  ['ftp://hooks.example.net/', /isn’t a web address/],
  ['hooks.example.net', /isn’t a web address/],
])('the address %s is refused', async (given, words) => {
  const portal = await strictPortal();
  const corin = await portal.as('corin');
  const { errors } = await corin(api.webhooks.createWebhook, { account, body: { label: 'noc-chat', url: given } });
  expect(errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'url', message: expect.stringMatching(words) as string }]);
});
let strict: Promise<TestPortal> | undefined;
const strictPortal = (): Promise<TestPortal> => (strict ??= testPortal(undefined, { WEBHOOK_TARGETS: 'public' }));

test('labels are unique, and an account has at most twenty webhooks', async () => {
  const portal = await strictPortal();
  const corin = await portal.as('corin');
  const create = async (label: string) => (await corin(api.webhooks.createWebhook, { account, body: { label, url } })).errors?.[0]?.code;
  for (let number = 1; number <= 20; number++) expect(await create(`hook ${number}`)).toBeUndefined();
  expect(await create('hook 21')).toBe('TOO_MANY_WEBHOOKS');
  const { data } = await corin(api.webhooks.listWebhooks, { account });
  await corin(api.webhooks.removeWebhook, { account, webhookId: data!.rows[0]!.webhookId });
  expect(await create('HOOK 7')).toBe('WEBHOOK_LABEL_TAKEN');
  await portal[Symbol.asyncDispose]();
});

test.each(kindsForRules)('a worker sends a new event immediately (%s)', async kind => {
  await using portal = await testPortal(kind);
  const { promise, resolve } = Promise.withResolvers<string>();
  const send: WebhookSender['send'] = (_to, { content }) => {
    resolve(content);
    return Promise.resolve({ status: 200, problem: null, answer: '' });
  };
  const stop = await startWebhookWorker(testContext(portal, standIn(webhookSender, { send })));
  const corin = await portal.as('corin');
  // Its own creation isn't an event, because it doesn't exist before.
  await corin(api.webhooks.createWebhook, { account, body: { label: 'noc-chat', url } });
  await corin(api.apiKeys.createApiKey, { account, body: { label: 'ci-routes', scopes: ['resources:read'], days: 30 } });
  expect(JSON.parse(await promise)).toMatchObject({ type: 'apiKeys.createApiKey' });
  await stop();
});

test('accounts take turns where activities become deliveries: one that changes thousands keeps no other waiting', async () => {
  await using portal = await testPortal();
  const { create, context, now } = await withReceiver(portal);
  await create();
  const olive = await portal.as('olive');
  const made = await olive(api.webhooks.createWebhook, { account: 'OTHER-SG', body: { label: 'noc-chat', url } });
  expect(made.errors).toBeUndefined();
  while (await makeDeliveries({ ...context, clock: now }));
  const act = (accountName: string, count: number) =>
    portal.db.unrecorded
      .transaction()
      .execute(transaction =>
        sql`insert into activity (action, summary, trace_id, account_name) select 'tasks.echo', 'Echo', ${'0'.repeat(32)}, ${accountName} from generate_series(1, ${count}::int)`.execute(
          transaction,
        ),
      );
  await act(account, 300);
  await act('OTHER-SG', 1);
  const waiting = async () =>
    Object.fromEntries(
      (
        await portal.db.read.rows<{ accountName: string; count: number }>(
          sql`select account_name, count(*)::int as count from webhook_event group by 1 order by 1`,
        )
      ).map(({ accountName, count }) => [accountName, count]),
    );
  expect(await waiting()).toEqual({ [account]: 300, 'OTHER-SG': 1 });
  expect(await makeDeliveries({ ...context, clock: now })).toBe(true);
  expect(await waiting()).toEqual({ [account]: 250 });
  while (await makeDeliveries({ ...context, clock: now }));
  expect(await waiting()).toEqual({});
});
