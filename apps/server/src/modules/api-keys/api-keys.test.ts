import { api } from '@portal/contract/api';
import { type ApiScope, apiScopeKeys } from '@portal/contract/api-scopes';
import { DAY_MS, HOUR_MS, instantAfter, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kinds, kindsForRules, secondProcess, type TestPortal, testPortal } from '../../../test/portal.ts';
import { startCoolDown } from '../identity/factors/cool-down.ts';
import { disableLogin, findLogin } from '../identity/index.ts';
import { remindOfExpiringKeys } from './expiring-keys.ts';
import { ownKeys } from './own-keys.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
type Portal = Pick<TestPortal, 'as' | 'request'>;

const create = async (
  portal: Portal,
  { as = 'corin', ...body }: { as?: string; label?: string; scopes?: ApiScope[]; days?: number; networks?: string[] } = {},
) =>
  (await portal.as(as))(api.apiKeys.createApiKey, { account, body: { label: 'ci-routes', scopes: ['resources:read'], days: 30, ...body } });
const created = async (portal: Portal, given: Parameters<typeof create>[1] = {}) => {
  const { data, errors } = await create(portal, given);
  expect(errors).toBeUndefined();
  return { secret: data!.secret!, apiKey: data!.apiKey };
};

/** One call of the registry API. */
async function call(
  portal: Portal,
  secret: string | null,
  path = 'resources/summary',
  {
    method = 'GET',
    body,
    headers = {},
    of = account,
  }: { method?: string; body?: unknown; headers?: Record<string, string>; of?: string } = {},
) {
  const answer = await portal.request(`/registry-api/v1/${of}/${path}`, {
    method,
    headers: {
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = text === '' ? undefined : (JSON.parse(text) as { code?: string; detail?: string } & Record<string, unknown>);
  return { status: answer.status, code: json?.code, json, headers: answer.headers };
}

describe.each(kindsForRules)('API keys on %s', kind => {
  test('a key is shown once, kept as a hash, announced to the corporate contacts, and calls for its creator', async () => {
    await using portal = await testPortal(kind);
    const { secret, apiKey } = await created(portal, { networks: ['127.0.0.0/8', '2001:db8::1'] });
    expect(secret).toMatch(/^mr_live_\w{46}$/);
    expect(apiKey).toMatchObject({
      label: 'ci-routes',
      prefix: secret.slice(0, 16),
      state: 'active',
      networks: ['127.0.0.0/8', '2001:db8::1/128'],
      lastUse: null,
      refusedCalls: 0,
    });
    const kept = await portal.db.read.rows<{ hash: Buffer }>(sql`select hash from api_key_secret`);
    expect(kept.length).toBe(1);
    const dump = JSON.stringify(
      await portal.db.read.rows(sql`select to_jsonb(a) from activity a union all select to_jsonb(r) from row_change r`),
    );
    expect(dump).not.toContain(secret.slice(16));
    expect(dump).not.toContain(kept[0]!.hash.toString('hex'));
    const mails = await portal.mailsTo('corin@example-au.example');
    expect(mails.at(-1)).toMatchObject({ subject: 'API key ci-routes of EXAMPLE-AU was created' });
    expect(mails.at(-1)!.body).not.toContain(secret);

    const { status, json } = await call(portal, secret);
    expect(status).toBe(200);
    const own = await (await portal.as('corin'))(api.resources.getSummary, { account });
    expect(json).toEqual({ ...own.data, asOf: expect.any(String) });
  });

  test('a secret that expires with a change is shown as expired in its answer', async () => {
    let seconds = 0;
    await using portal = await testPortal(kind, {}, () => new Date(Date.now() + SECOND_MS * seconds++));
    const { apiKey } = await created(portal);
    const corin = await portal.as('corin');
    const { data } = await corin(api.apiKeys.rotateApiKey, { account, apiKeyId: apiKey.apiKeyId, body: { overlapHours: 0 } });
    expect(data!.apiKey.state).toBe('active');
  });

  test('scopes and addresses of a key are changed for its next call, and only with rights that the person holds', async () => {
    await using portal = await testPortal(kind);
    const { secret, apiKey } = await created(portal);
    const { apiKeyId } = apiKey;
    const corin = await portal.as('corin');
    const changed = await corin(api.apiKeys.changeApiKey, { account, apiKeyId, body: { scopes: ['tasks:read'], networks: ['192.0.2.1'] } });
    expect(changed.data).toMatchObject({ scopes: ['tasks:read'], networks: ['192.0.2.1/32'] });
    expect(await call(portal, secret)).toMatchObject({ status: 403, code: 'API_KEY_ADDRESS' });
    expect(
      await corin(api.apiKeys.changeApiKey, { account, apiKeyId, body: { scopes: ['tasks:read'], networks: ['192.0.2.1/32'] } }),
    ).toMatchObject({ errors: [{ code: 'NOTHING_TO_DO' }] });
    await corin(api.apiKeys.changeApiKey, { account, apiKeyId, body: { scopes: ['tasks:read'] } });
    expect(await call(portal, secret)).toMatchObject({ status: 403, code: 'API_KEY_SCOPE' });
    expect(await corin(api.apiKeys.changeApiKey, { account, apiKeyId, body: { scopes: [] } })).toMatchObject({ status: 400 });
    for (const [who, status] of [
      ['bill', 403],
      ['tess', 404],
    ] as const)
      expect(await (await portal.as(who))(api.apiKeys.changeApiKey, { account, apiKeyId, body: { scopes: ['tasks:read'] } })).toMatchObject(
        {
          status,
        },
      );
    const mails = await portal.mailsTo('corin@example-au.example');
    expect(mails.at(-1)).toMatchObject({ subject: 'API key ci-routes of EXAMPLE-AU was changed' });
  });

  test('the last call with an old secret is shown, which is kept longer or ended', async () => {
    await using portal = await testPortal(kind);
    const { secret, apiKey } = await created(portal);
    const { apiKeyId } = apiKey;
    const corin = await portal.as('corin');
    expect(await corin(api.apiKeys.keepOldSecret, { account, apiKeyId, body: { hours: 1 } })).toMatchObject({
      errors: [{ code: 'ALREADY_RESOLVED' }],
    });
    await call(portal, secret);
    const rotated = (await corin(api.apiKeys.rotateApiKey, { account, apiKeyId, body: { overlapHours: 1 } })).data!;
    expect(rotated.apiKey.oldSecret).toEqual({ prefix: secret.slice(0, 16), replacedAt: expect.any(String), lastUse: null });
    await call(portal, rotated.secret!);
    expect((await call(portal, secret)).status).toBe(200);
    await expect
      .poll(async () => (await corin(api.apiKeys.listApiKeys, { account })).data!.rows[0]!.oldSecret?.lastUse?.address)
      .toMatch(/^(127\.0\.0\.1|::1)$/);
    const kept = (await corin(api.apiKeys.keepOldSecret, { account, apiKeyId, body: { hours: 168 } })).data!;
    expect(Date.parse(kept.oldSecretUntil!) - Date.parse(rotated.apiKey.oldSecretUntil!)).toBeGreaterThan(166 * HOUR_MS);
    const ended = (await corin(api.apiKeys.keepOldSecret, { account, apiKeyId, body: { hours: 0 } })).data!;
    expect(ended).toMatchObject({ state: 'active', oldSecret: null, oldSecretUntil: null });
    expect(await call(portal, secret)).toMatchObject({ status: 401, code: 'API_KEY_REFUSED' });
    expect((await call(portal, rotated.secret!)).status).toBe(200);
  });

  test('a revoked key stops immediately in every process, and an ended secret with it', async () => {
    await using portal = await testPortal(kind);
    await using other = kind === 'postgres' ? await secondProcess(portal.url) : null;
    const { secret, apiKey } = await created(portal);
    for (const process of [portal, ...(other ? [other] : [])]) expect((await call(process, secret)).status).toBe(200);
    const corin = await portal.as('corin');
    const rotated = await corin(api.apiKeys.rotateApiKey, { account, apiKeyId: apiKey.apiKeyId, body: { overlapHours: 1 } });
    const newSecret = rotated.data!.secret!;
    expect(rotated.data!.apiKey).toMatchObject({ state: 'rotating', prefix: newSecret.slice(0, 16) });
    for (const each of [secret, newSecret]) expect((await call(portal, each)).status).toBe(200);
    const again = await corin(api.apiKeys.rotateApiKey, { account, apiKeyId: apiKey.apiKeyId, body: { overlapHours: 0 } });
    expect(again.data!.apiKey.state).toBe('active');
    for (const each of [secret, newSecret]) expect(await call(portal, each)).toMatchObject({ status: 401, code: 'API_KEY_REFUSED' });
    const last = again.data!.secret!;
    expect((await call(portal, last)).status).toBe(200);
    // A corporate contact stops it, without a second factor given just now.
    const revoked = await corin(api.apiKeys.revokeApiKey, { account, apiKeyId: apiKey.apiKeyId });
    expect(revoked.data).toMatchObject({ state: 'revoked' });
    for (const process of [portal, ...(other ? [other] : [])])
      expect(await call(process, last)).toMatchObject({ status: 401, json: { detail: 'This API key can’t be used: it was revoked' } });
    expect((await corin(api.apiKeys.revokeApiKey, { account, apiKeyId: apiKey.apiKeyId })).errors![0]!.code).toBe('ALREADY_RESOLVED');
    expect((await corin(api.apiKeys.rotateApiKey, { account, apiKeyId: apiKey.apiKeyId, body: {} })).errors![0]!.code).toBe(
      'ALREADY_RESOLVED',
    );
    // The label is free again.
    expect((await create(portal)).errors).toBeUndefined();
  });

  test('a repeated creation is answered without the secret', async () => {
    await using portal = await testPortal(kind);
    const token = await portal.tokenOf('corin');
    const send = async () => {
      const answer = await portal.request(`/api/${account}/api-keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'once-and-again' },
        body: JSON.stringify({ label: 'ci-routes', scopes: ['resources:read'], days: 30 }),
      });
      return (await answer.json()) as { apiKey: { apiKeyId: string }; secret: string | null };
    };
    const first = await send();
    const second = await send();
    expect(first.secret).not.toBeNull();
    expect(second).toEqual({ ...first, secret: null });
    const stored = await portal.db.read.rows(sql`select answer from idempotent_answer`);
    expect(JSON.stringify(stored)).not.toContain(first.secret!.slice(16));
  });
});

describe('a stolen key', () => {
  test('is refused from a foreign address, and the corporate contacts are notified once', async () => {
    await using portal = await testPortal();
    const { secret } = await created(portal, { networks: ['192.0.2.0/24'] });
    const before = (await portal.mailsTo('corin@example-au.example')).length;
    for (let time = 0; time < 3; time++)
      expect(await call(portal, secret)).toMatchObject({
        status: 403,
        code: 'API_KEY_ADDRESS',
        json: { detail: expect.stringContaining('127.0.0.1') as string },
      });
    const mails = (await portal.mailsTo('corin@example-au.example')).slice(before);
    expect(mails.map(({ subject }) => subject)).toEqual(['API key ci-routes of EXAMPLE-AU was used from a foreign address']);
    expect(mails[0]!.body).toContain('127.0.0.1');
    expect(await portal.lastActivity()).toMatchObject({ action: 'apiKeys.noticeForeignUse', accountName: account, address: '127.0.0.1' });
  });

  test('gives access to its account only: others look non-existent, and the portal’s own calls accept no keys', async () => {
    await using portal = await testPortal();
    const { secret } = await created(portal, { scopes: [...apiScopeKeys] });
    expect(await call(portal, secret, 'resources/summary', { of: 'MERIDIAN-NZ' })).toMatchObject({
      status: 404,
      code: 'ACCOUNT_NOT_FOUND',
    });
    expect(await call(portal, secret, 'resources/summary', { of: 'NO-SUCH' })).toMatchObject({ status: 404, code: 'ACCOUNT_NOT_FOUND' });
    const portalCall = await portal.request(`/api/${account}/resources/summary`, { headers: { authorization: `Bearer ${secret}` } });
    expect(portalCall.status).toBe(401);
    const token = await portal.tokenOf('corin');
    expect(await call(portal, token)).toMatchObject({ status: 401, code: 'API_KEY_REFUSED' });
    expect(await call(portal, null)).toMatchObject({ status: 401, code: 'API_KEY_MISSING' });
    expect(await call(portal, `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`)).toMatchObject({
      status: 401,
      code: 'API_KEY_REFUSED',
    });
  });

  test('stops with its creator: when they are no longer a corporate or technical contact, lose a permission, or their login is disabled', async () => {
    await using portal = await testPortal();
    const { secret } = await created(portal, { scopes: ['resources:read', 'billing:read'] });
    const set = (columns: ReturnType<typeof sql>) =>
      portal.db.change(line, change =>
        change.rows(
          sql`update contact set ${columns} where account_name = ${account} and login_id = (select login_id from login where username = 'corin')`,
        ),
      );
    await set(sql`permissions = array_remove(permissions, 'resources-view')`);
    expect(await call(portal, secret)).toMatchObject({ status: 403, code: 'NO_PERMISSION' });
    expect((await call(portal, secret, 'billing')).status).toBe(200);
    await set(sql`contact_types = '{billing}'`);
    expect(await call(portal, secret, 'billing')).toMatchObject({
      status: 401,
      json: { detail: 'This API key can’t be used: its creator is no longer a corporate or technical contact of the account' },
    });
    expect((await (await portal.as('corin'))(api.apiKeys.listApiKeys, { account })).errors![0]!.code).toBe('CORPORATE_OR_TECHNICAL_ONLY');
    // What they may still do themselves, their program may.
    await set(sql`contact_types = '{technical}'`);
    expect((await call(portal, secret, 'billing')).status).toBe(200);
    await set(sql`permissions = array_remove(permissions, 'member-billing-view')`);
    expect(await call(portal, secret, 'billing')).toMatchObject({ status: 403, code: 'NO_PERMISSION' });
    await set(sql`permissions = array_append(permissions, 'member-billing-view')`);
    await set(sql`contact_types = '{corporate}'`);
    expect((await call(portal, secret, 'billing')).status).toBe(200);
    const { loginId } = (await findLogin(portal.db.read, 'corin'))!;
    await portal.db.change(line, change => disableLogin(change, loginId));
    expect(await call(portal, secret, 'billing')).toMatchObject({ status: 401, code: 'API_KEY_REFUSED' });
  });

  test('can’t change anything while the login of its creator is in its cool-down', async () => {
    await using portal = await testPortal();
    const { secret } = await created(portal, { scopes: ['whois:write', 'whois:read'] });
    const { loginId } = (await findLogin(portal.db.read, 'corin'))!;
    await portal.db.change(line, change => startCoolDown(change, loginId, 'password-reset'));
    const body = { updates: [], mode: 'atomic' };
    expect(await call(portal, secret, 'whois/updates', { method: 'POST', body })).toMatchObject({ status: 403, code: 'COOLING_DOWN' });
    expect((await call(portal, secret, 'whois/objects')).status).toBe(200);
    expect((await create(portal, { label: 'another' })).errors![0]!.code).toBe('COOLING_DOWN');
  });
});

describe('limits and use', () => {
  test('a key at its limit is refused with the time to wait, and another key is not', async () => {
    await using portal = await testPortal(undefined, { API_CALLS_PER_SECOND: '1' });
    const [busy, calm] = [await created(portal), await created(portal, { label: 'monitoring' })];
    const answers = await Promise.all(Array.from({ length: 14 }, () => call(portal, busy.secret)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
    const quiet = await call(portal, calm.secret);
    expect(quiet.status).toBe(200);
    expect(quiet.headers.get('ratelimit')).toMatch(/^"key";r=9;t=\d+$/);
    const list = async () => (await (await portal.as('corin'))(api.apiKeys.listApiKeys, { account })).data!.rows;
    await expect.poll(async () => (await list()).map(({ calls }) => calls.at(-1))).toEqual([1, 14]);
    const [, used] = await list();
    expect(used).toMatchObject({ lastUse: { address: '127.0.0.1' }, refusedCalls: refused.length });
    expect(used!.calls.length).toBe(14);
  });

  test('corporate contacts are reminded once of a key that expires, and it then stops', async () => {
    await using portal = await testPortal();
    const { secret } = await created(portal, { days: 30 });
    const soon = new Date(instantAfter(new Date(), 20 * DAY_MS));
    const before = (await portal.mailsTo('corin@example-au.example')).length;
    await remindOfExpiringKeys(portal.db, new Date());
    await remindOfExpiringKeys(portal.db, soon);
    await remindOfExpiringKeys(portal.db, soon);
    expect((await portal.mailsTo('corin@example-au.example')).slice(before).map(({ subject }) => subject)).toEqual([
      'API key ci-routes of EXAMPLE-AU expires soon',
    ]);
    await portal.db.change(line, change =>
      change.rows(sql`update api_key set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days'`),
    );
    expect(await call(portal, secret)).toMatchObject({ status: 401, json: { detail: 'This API key can’t be used: it has expired' } });
    const { data } = await (await portal.as('corin'))(api.apiKeys.listApiKeys, { account });
    expect(data!.rows[0]!.state).toBe('expired');
  });
});

test('a person sees the keys they created beside their sessions, and can revoke them there', async () => {
  await using portal = await testPortal();
  const { secret, apiKey } = await created(portal);
  const { loginId } = (await findLogin(portal.db.read, 'corin'))!;
  const tess = (await findLogin(portal.db.read, 'tess'))!;
  const list = (whose: string) => ownKeys.list(portal.db.read, { loginId: whose, now: new Date() });
  expect(await list(loginId)).toEqual([
    {
      programId: `api-key-${apiKey.apiKeyId}`,
      label: 'ci-routes',
      accountName: account,
      knownAs: `API key ${apiKey.prefix}…`,
      lastUse: null,
      expiresAt: apiKey.expiresAt,
    },
  ]);
  expect(await list(tess.loginId)).toEqual([]);
  const origin = { traceId: '0'.repeat(32) };
  const program = { programId: `api-key-${apiKey.apiKeyId}`, name: 'Corin' };
  expect(await ownKeys.end(portal.db, origin, { ...program, loginId: tess.loginId })).toBe(false);
  expect((await call(portal, secret)).status).toBe(200);
  expect(await ownKeys.end(portal.db, origin, { ...program, loginId })).toBe(true);
  expect(await ownKeys.end(portal.db, origin, { ...program, loginId })).toBe(false);
  expect((await call(portal, secret)).status).toBe(401);
  expect(await list(loginId)).toEqual([]);
});

test('a technical contact creates keys within their rights, and sees and changes their own; corporate contacts all', async () => {
  await using portal = await testPortal();
  const ofCorin = (await created(portal, { label: 'billing-export', scopes: ['billing:read'] })).apiKey;
  const before = (await portal.mailsTo('corin@example-au.example')).length;
  const { secret, apiKey } = await created(portal, { as: 'tess', label: 'noc', scopes: ['resources:read', 'routes:write'] });
  expect((await call(portal, secret)).status).toBe(200);
  expect((await portal.mailsTo('corin@example-au.example')).slice(before).map(({ subject }) => subject)).toEqual([
    'API key noc of EXAMPLE-AU was created',
  ]);
  const [corin, tess] = [await portal.as('corin'), await portal.as('tess')];
  const labels = async (person: typeof corin) => (await person(api.apiKeys.listApiKeys, { account })).data!.rows.map(({ label }) => label);
  expect(await labels(tess)).toEqual(['noc']);
  expect(await labels(corin)).toEqual(['noc', 'billing-export']);

  // A key of another contact looks non-existent, whatever is done with it.
  const apiKeyId = ofCorin.apiKeyId;
  const changes = [
    tess(api.apiKeys.changeApiKey, { account, apiKeyId, body: { scopes: ['resources:read'], networks: [] } }),
    tess(api.apiKeys.rotateApiKey, { account, apiKeyId, body: { overlapHours: 0 } }),
    tess(api.apiKeys.keepOldSecret, { account, apiKeyId, body: { hours: 0 } }),
    tess(api.apiKeys.revokeApiKey, { account, apiKeyId }),
  ];
  for (const change of changes) expect((await change).errors![0]).toMatchObject({ code: 'NOT_FOUND' });

  // A corporate contact can't give the key more than its creator may do.
  const wider = { scopes: ['resources:read', 'billing:read'] as ApiScope[], networks: [] };
  expect((await corin(api.apiKeys.changeApiKey, { account, apiKeyId: apiKey.apiKeyId, body: wider })).data!.scopes).toEqual(wider.scopes);
  expect(await call(portal, secret, 'billing')).toMatchObject({ status: 403, code: 'NO_PERMISSION' });
  // Nor can its creator have a new secret of a key with more scopes than they hold.
  expect(
    (await tess(api.apiKeys.rotateApiKey, { account, apiKeyId: apiKey.apiKeyId, body: { overlapHours: 0 } })).errors![0],
  ).toMatchObject({
    code: 'NO_PERMISSION',
    field: 'scopes',
  });
  const toTess = (await portal.mailsTo('tess@example-au.example')).length;
  expect((await corin(api.apiKeys.revokeApiKey, { account, apiKeyId: apiKey.apiKeyId })).data!.state).toBe('revoked');
  expect((await call(portal, secret)).status).toBe(401);
  expect((await portal.mailsTo('tess@example-au.example')).slice(toTess).map(({ subject }) => subject)).toEqual([
    'API key noc of EXAMPLE-AU was revoked',
  ]);
});

describe('a key that cannot be created', () => {
  test('names what is wrong with its fields', async () => {
    await using portal = await testPortal();
    await created(portal);
    const fieldsOf = async (given: Parameters<typeof create>[1]) =>
      (await create(portal, given)).errors!.map(({ field, message }) => `${field}: ${message}`);
    expect(await fieldsOf({ label: 'CI-routes' })).toEqual(['label: An active API key is already called CI-routes. Choose another label']);
    expect(await fieldsOf({ label: 'x1', scopes: [], days: 0 })).toEqual([
      'label: Enter at least 3 characters',
      'scopes: Choose at least one scope',
      'days: Enter 1 to 731 days',
    ]);
    expect(await fieldsOf({ label: 'other', networks: ['192.0.2.0/24', '192.0.2.1/24', 'office'] })).toEqual([
      expect.stringMatching(/^networks\.1: .*did you mean 192\.0\.2\.0\/24\?$/),
      expect.stringMatching(/^networks\.2: .*such as 192\.0\.2\.0\/24$/),
    ]);
  });

  test('needs a corporate or technical contact, a fresh second factor and the permissions of its scopes', async () => {
    await using portal = await testPortal();
    expect((await create(portal, { as: 'bill' })).errors![0]!.code).toBe('CORPORATE_OR_TECHNICAL_ONLY');
    expect((await create(portal, { as: 'tess', scopes: ['billing:read'] })).errors![0]).toMatchObject({
      code: 'NO_PERMISSION',
      field: 'scopes',
    });
    expect((await create(portal, { as: 'olive' })).errors![0]!.code).toBe('ACCOUNT_NOT_FOUND');
    for (const as of ['stella', 'audra']) expect((await create(portal, { as })).data).toBeUndefined();
    const weak = await (await portal.as('corin', { mfa: false }))(api.apiKeys.createApiKey, {
      account,
      body: { label: 'ci-routes', scopes: ['resources:read'], days: 30 },
    });
    expect(weak.errors![0]!.code).toBe('MFA_REQUIRED');
    await portal.db.change(line, change =>
      change.rows(
        sql`update contact set permissions = array_remove(permissions, 'roas-update') where account_name = ${account} and login_id = (select login_id from login where username = 'corin')`,
      ),
    );
    expect((await create(portal, { scopes: ['routes:write'] })).errors![0]).toMatchObject({ code: 'NO_PERMISSION', field: 'scopes' });
  });
});

test.skipIf(!kinds.includes('postgres'))(
  'the sandbox makes keys of its own, and neither it nor the registry takes the keys of the other',
  async () => {
    await using portal = await testPortal('postgres');
    // A copy has the keys of its day.
    await using sandbox = await secondProcess(portal.url, { SANDBOX: 'yes' });
    const live = (await created(portal)).secret;
    const own = (await created(sandbox, { label: 'trial' })).secret;
    expect(own).toMatch(/^mr_test_\w{46}$/);
    expect(await call(sandbox, own)).toMatchObject({ status: 200 });
    expect((await call(sandbox, own)).headers.get('sandbox')).toBe('true');
    expect(await call(portal, live)).toMatchObject({ status: 200 });
    expect(await call(sandbox, live)).toMatchObject({ status: 401, json: { detail: expect.stringContaining('mr_test_') as string } });
    expect(await call(portal, own)).toMatchObject({
      status: 401,
      json: { detail: expect.stringContaining('a key of the sandbox') as string },
    });
    const { data } = await (await sandbox.as('corin'))(api.apiKeys.listApiKeys, { account });
    const old = data!.rows.find(({ label }) => label === 'ci-routes')!;
    const rotated = await (await sandbox.as('corin'))(api.apiKeys.rotateApiKey, { account, apiKeyId: old.apiKeyId, body: {} });
    expect(rotated.data!.secret).toMatch(/^mr_test_/);
  },
);
