import { type Access, type Endpoint, type ErrorItem, permissions } from '@portal/contract';
import { countsInAccount } from '@portal/contract/admission';
import { allEndpoints, api } from '@portal/contract/api';
import { type Effect, effectsOf } from '@portal/contract/effects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCoolDown } from '../../src/modules/identity/factors/cool-down.ts';
import { kinds, kindsForRules, type TestPortal, testPortal } from '../portal.ts';
import { staffFor, staffPeople } from '../staff-for.ts';

/** A person who may make a call, and the account of a call for national registries. */
const whoMay = ({ access }: Endpoint): { as: string; account?: string } =>
  access.who === 'member' && access.accounts === 'nir'
    ? { as: 'nils', account: 'NATREG-XX' }
    : { as: access.who === 'staff' ? staffFor(access.permissions) : 'corin' };

/** Tables without history, and why. */
const withoutHistory = {
  activity: 'is the log itself; append-only by its own trigger',
  activity_receipt: 'which activities have no seal yet; follows the log by a trigger',
  activity_seal: 'the hash chain over the log; append-only by its own trigger',
  api_key_use: 'counters of calls by day',
  code_failure: 'counters of wrong codes',
  database_outage: 'when the database didn’t answer; changes nothing of the registry',
  foreign_copy: 'copies of other registries’ objects; which one is shown has its own activity',
  foreign_object: 'objects of other registries, which are none of ours; that a copy was loaded has its own activity',
  foreign_source: 'how far other registries are followed, each minute; that a copy was loaded has its own activity',
  help_answer: 'counts of what readers said of articles of the help; changes nothing of the registry',
  idempotent_answer: 'what calls answered, for a day; what they did has its own activity',
  log_end: 'the last line of the logs that only grow; follows them by a trigger',
  log_root: 'published hashes of the log; append-only by its own trigger',
  migration: 'written by migrations, before there is any activity',
  oidc_payload: 'sessions, codes and tokens of the OpenID provider: minutes of life, secrets inside',
  passkey_use: 'the signature counter of a passkey at its last use',
  periodic_work: 'when periodic work was last done; what it changed has its own activity',
  published_file: 'what was published on a day, which a trigger keeps as it was; its activity names it',
  row_change: 'is the history itself',
  rpki_child_contact: 'the last message of a self-hosted authority; what it asked for has the line of the publication that did it',
  rpki_message: 'messages of self-hosted authorities until they are answered, which takes seconds',
  rpki_one_time_key: 'keys made ahead for one signature each; what is signed with them has its own activity',
  service_day: 'minutes of a day in which services worked; changes nothing of the registry',
  session_use: 'when a session was last renewed',
  sign_in_failure: 'counters of failed attempts',
  task: 'state of running tasks; what a task changes has its own activity',
  totp_step: 'the last one-time code that was accepted',
  watcher_report: 'the newest report of a watcher; changes nothing of the registry',
  webhook_attempt: 'how deliveries of webhooks went',
  webhook_delivery: 'what is on its way to receivers of webhooks; the activity it is about has its own line',
  webhook_event: 'activities that webhooks have not seen yet; follows the log by a trigger',
  webhook_use: 'when a webhook was last called, and since when it fails',
  whois_presence: 'who has an object open in the editor: seconds of life',
  work_unit: 'marks of work that is being done; what it changes has its own activity',
};

const isOfAccount = ({ path }: Endpoint): boolean => /:account\b/.test(path);
const isOpenToStaff = (access: Access): boolean => access.who === 'contact' || (access.who === 'member' && access.staff !== undefined);
/** Effects on what the registry is trusted with (S24), and those that change nothing public and nothing held. */
const ofRegistry: readonly Effect[] = [
  'whois',
  'routing',
  'zones',
  'holding',
  'control',
  'money',
  'votes',
  'keys',
  'access',
  'approvals',
  'statements',
];
const harmless: readonly Effect[] = ['own settings', 'drafts', 'conversation', 'reading', 'protection'];
/** Written independently of the contract's rule, which it checks: calls that name a factor, and calls that use a privilege. */
const needsSecondFactor = (endpoint: Endpoint): boolean => {
  const { access } = endpoint;
  const named = effectsOf(endpoint);
  if (access.who !== 'anyone' && named.some(effect => ofRegistry.includes(effect))) return true;
  if ('mfa' in access && access.mfa === true) return true;
  if (access.who === 'member') return access.permissions.every(key => permissions[key].privileged || permissions[key].secondFactor);
  return (access.who === 'contact' || access.who === 'corporate') && named.includes('records');
};
/** Every change, unless its declaration says why it is exempt. */
const waitsInCoolDown = (endpoint: Endpoint): boolean =>
  endpoint.access.who !== 'anyone' && effectsOf(endpoint).some(effect => !harmless.includes(effect));

/** One read and one change of each kind of access, with and without its further conditions. */
const oneOfEachAccess: readonly Endpoint[] = [
  ...new Map(
    allEndpoints.map(each => {
      const { access, method } = each;
      const demands = ['accounts', 'staff', 'mfa'].map(name => String((access as Record<string, unknown>)[name]));
      return [[access.who, ...demands, isOfAccount(each), needsSecondFactor(each), method === 'GET'].join(), each];
    }),
  ).values(),
];
/**
 * Admission is one pure function: a walk through all endpoints on one database finds each wrong declaration, and on the other database a call of each kind of
 * access finds wrong facts about its caller.
 */
const walks = kinds.map(kind => ({ kind, walked: kindsForRules.includes(kind) ? allEndpoints : oneOfEachAccess }));

describe.each(walks)('the surface on $kind', ({ kind, walked }) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
    // Everyone starts with some permissions; this contact has none.
    await portal.db.change({ action: 'test', summary: 'Took all permissions away', traceId: '0'.repeat(32) }, change =>
      change.updateTable('contact').set({ permissions: [] }).where('fullName', '=', 'Bill Okonkwo').execute(),
    );
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  type Asked = Parameters<TestPortal['answerOf']>[1];
  type Expected = { status: number; code?: string };
  /** Expects the same answer from each of these endpoints, or one for each; a failure names endpoint and answer. */
  const expectOfEach = async (
    which: (endpoint: Endpoint) => boolean,
    asked: Asked | ((endpoint: Endpoint) => Asked),
    expected: Expected | ((endpoint: Endpoint) => Expected),
  ): Promise<void> => {
    const endpoints = walked.filter(which);
    expect(endpoints.length).toBeGreaterThan(0);
    const answers: [string, Expected][] = [];
    for (const endpoint of endpoints) {
      const { status, code } = await portal.answerOf(endpoint, typeof asked === 'function' ? asked(endpoint) : asked);
      const { code: wanted } = typeof expected === 'function' ? expected(endpoint) : expected;
      answers.push([endpoint.id, wanted === undefined ? { status } : { status, code: code! }]);
    }
    expect(answers).toEqual(endpoints.map(each => [each.id, typeof expected === 'function' ? expected(each) : expected]));
  };
  const isFor =
    (...who: Access['who'][]) =>
    ({ access }: Endpoint): boolean =>
      who.includes(access.who);
  const kindOf = ({ access }: Endpoint) => (access.who === 'member' ? access.accounts : undefined);

  test('a call that is open to anyone is answered; without a body it gets as far as input validation, and about what isn’t there it is not found', () =>
    expectOfEach(isFor('anyone'), { as: null }, ({ body, path }) => ({ status: body ? 400 : path.includes('/:') ? 404 : 200 })));

  test('an anonymous caller is asked to sign in', () => expectOfEach(each => !isFor('anyone')(each), { as: null }, { status: 401 }));

  test('an account is hidden from a contact of another one, as if it did not exist', async () => {
    await expectOfEach(isOfAccount, { as: 'olive' }, { status: 404 });
    await expectOfEach(isOfAccount, { as: 'olive', account: 'NEVER-WAS' }, { status: 404 });
  });

  test('a closed account is hidden, but for the calls that say they are for one', async () => {
    const isOfClosed = (endpoint: Endpoint): boolean => isOfAccount(endpoint) && countsInAccount(endpoint, { accountStatus: 'closed' });
    const asked = { as: 'max', account: 'GONE-VU' };
    await expectOfEach(each => isOfAccount(each) && !isOfClosed(each), asked, { status: 404, code: 'ACCOUNT_NOT_FOUND' });
    // Nothing that an open account does is among them, and nothing that changes what it holds or gives anyone access to it.
    if (!walked.some(isOfClosed)) return;
    const ofPeople = ['contacts.removeContact', 'contacts.leaveAccount', 'contacts.peopleWithAccess.listPeopleWithAccess'];
    const ofClosed = allEndpoints.filter(isOfClosed).map(({ id }) => id);
    expect(ofClosed.filter(id => !id.startsWith('billing.'))).toEqual(ofPeople);
    await expectOfEach(isOfClosed, { as: 'olive', account: 'GONE-VU' }, { status: 404, code: 'ACCOUNT_NOT_FOUND' });
  });

  test('registry staff begin a visit of the account first', () =>
    expectOfEach(isOfAccount, { as: 'stella' }, { status: 403, code: 'VISIT_NEEDED' }));

  test('a contact without the permission is refused', () => expectOfEach(isFor('member'), { as: 'bill' }, { status: 403 }));

  test('contacts of an account of another kind are refused', () =>
    expectOfEach(
      each => kindOf(each) !== undefined,
      each => (kindOf(each) === 'nir' ? { as: 'corin' } : { as: 'nils', account: 'NATREG-XX' }),
      { status: 403, code: 'WRONG_ACCOUNT_KIND' },
    ));

  test('a second factor is asked for', () => expectOfEach(needsSecondFactor, each => ({ ...whoMay(each), mfa: false }), { status: 401 }));

  test('calls of registry staff do not exist for other people', () => expectOfEach(isFor('staff'), { as: 'corin' }, { status: 404 }));

  test('every change is refused while the login cools down, unless the contract says why not', async () => {
    await using other = await testPortal(kind);
    const people = ['corin', 'nils', ...staffPeople];
    const logins = await other.db.read.selectFrom('login').select('loginId').where('username', 'in', people).execute();
    await other.db.change({ action: 'test', summary: 'Began a cool-down', traceId: '0'.repeat(32) }, async change => {
      for (const { loginId } of logins) await startCoolDown(change, loginId, 'password-reset');
    });
    const waits = walked.filter(waitsInCoolDown);
    const codes: [string, string | null][] = [];
    for (const endpoint of waits) codes.push([endpoint.id, (await other.answerOf(endpoint, whoMay(endpoint))).code]);
    expect(codes).toEqual(waits.map(({ id }) => [id, 'COOLING_DOWN']));
  });

  test('during a visit registry staff can only read what the contract allows', async () => {
    await (await portal.as('stella'))(api.staff.startVisit, { accountName: 'OTHER-SG' });
    const refusals = await Promise.all(
      walked.filter(isOfAccount).map(async endpoint => {
        const { code } = await portal.answerOf(endpoint, { as: 'stella', account: 'OTHER-SG' });
        const isRefused = ['ACCOUNT_NOT_FOUND', 'NO_PERMISSION', 'VISIT_NEEDED', 'VISIT_READS_ONLY'].includes(code ?? '');
        return [endpoint.id, isRefused ? code : null];
      }),
    );
    expect(refusals).toEqual(
      walked
        .filter(isOfAccount)
        .map(({ id, method, access }) => [
          id,
          method === 'GET' ? (isOpenToStaff(access) ? null : 'ACCOUNT_NOT_FOUND') : 'VISIT_READS_ONLY',
        ]),
    );
  });

  test('another person’s account and a missing one get the same answer, word for word', async () => {
    const olive = await portal.as('olive');
    const [mine, none] = await Promise.all([
      olive(api.resources.getSummary, { account: 'EXAMPLE-AU' }),
      olive(api.resources.getSummary, { account: 'EXAMPLE-AX' }),
    ]);
    expect(mine.errors![0]).toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
      message: none.errors![0]!.message.replace('EXAMPLE-AX', 'EXAMPLE-AU'),
    });
  });

  test('no row changes outside a recorded activity, not even manually', async () => {
    await expect(portal.db.unrecorded.updateTable('account').set({ accountStatus: 'closed' }).execute()).rejects.toThrow(
      'outside a recorded activity',
    );
    await expect(sql`truncate contact cascade`.execute(portal.db.unrecorded)).rejects.toThrow();
  });

  test('a read cannot write, whatever its type says', async () => {
    await expect(portal.db.read.rows(sql`update account set account_status = 'closed'`)).rejects.toThrow('read-only transaction');
  });

  test('every table keeps its history, or is on the list that says why not', async () => {
    const tables = await portal.db.read.rows<{
      relname: string;
    }>(sql`select relname from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'a_require_activity' and relname <> 'row_change') order by 1`);
    expect(tables.map(table => table.relname)).toEqual(Object.keys(withoutHistory));
  });

  test('a change leaves its line, who made it and the trace id of the request', async () => {
    const corin = await portal.as('corin');
    const answer = await corin(api.people.savePreferences, { body: { timeZone: 'Australia/Perth' } });
    expect(answer.status).toBe(200);
    expect(await portal.lastActivity()).toMatchObject({
      action: 'identity.people.savePreferences',
      summary: 'Changed personal settings',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('a refused change leaves a line with its code', async () => {
    const bill = await portal.as('bill');
    await bill(api.people.savePreferences, { body: { hourCycle: 'h99' as never } });
    expect(await portal.lastActivity()).toMatchObject({ action: 'identity.people.savePreferences', refusal: 'INVALID_REQUEST' });
  });

  test('permission loss takes effect on the next call', async () => {
    const tess = await portal.as('tess');
    expect((await tess(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(200);
    await portal.db.change({ action: 'test', summary: 'Took a permission away', traceId: '0'.repeat(32) }, change =>
      change
        .updateTable('contact')
        .set({ permissions: ['contacts-details-view'] })
        .where('accountName', '=', 'EXAMPLE-AU')
        .where('fullName', 'like', 'Tess%')
        .execute(),
    );
    expect((await tess(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(403);
  });

  test('a call that needs a second factor answers 401 with the challenge of RFC 9470', async () => {
    const token = await portal.tokenOf('stella', { mfa: false });
    const answer = await portal.request('/api/staff/holders?q=192.0.2.1', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_user_authentication", acr_values="${portal.config.stepUpAcr}"`,
    );
    expect(await answer.json()).toMatchObject({ errors: [{ code: 'MFA_REQUIRED' }] });
  });

  test('registry staff reads an account that is not theirs during a visit, with a second factor, and changes nothing', async () => {
    const stella = await portal.as('stella');
    expect((await stella(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(403);
    await stella(api.staff.startVisit, { accountName: 'EXAMPLE-AU' });
    expect((await stella(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(200);
    const weak = await portal.as('stella', { mfa: false });
    expect((await weak(api.resources.getSummary, { account: 'EXAMPLE-AU' })).status).toBe(401);
    const asked = await stella(api.contacts.askForPermission, {
      account: 'EXAMPLE-AU',
      body: { permissions: ['voting-vote'] },
    });
    expect(asked).toMatchObject({ status: 403, errors: [{ code: 'VISIT_READS_ONLY' }] });
  });
});

describe('the headers of every answer', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('the counters can be read from this machine or with the configured token, but not through a proxy on it', async () => {
    const asked = async (from: TestPortal, remoteAddress: string, headers: Record<string, string> = {}) =>
      (await from.http.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await asked(portal, own)).toBe(200);
    expect(await asked(portal, '192.0.2.7')).toBe(403);
    expect(await asked(portal, '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })).toBe(403);
    expect(await asked(portal, '192.0.2.7', { 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    await using other = await testPortal(undefined, { METRICS_TOKEN: 'of the monitoring' });
    expect(await asked(other, '192.0.2.7', { authorization: 'Bearer of the monitoring' })).toBe(200);
    for (const authorization of ['', 'Bearer', 'Bearer of the monitorin', 'of the monitoring'])
      expect(await asked(other, '127.0.0.1', { authorization })).toBe(403);
  });

  test.each([
    ['/env.json', 200],
    ['/api/accounts', 401],
    ['/api/nowhere', 404],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/metrics', 200],
    ['/sign-in/nowhere', 400],
    ['/%E0%A4%A', 404],
  ])('%s answers %d with the security headers', async (path, status) => {
    const answer = await portal.request(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('a foreign host name is answered 421 before anything else', async () => {
    for (const path of ['/', '/api/accounts', '/oidc/.well-known/openid-configuration', '/sign-in/x']) {
      const answer = await portal.http.inject({ url: path, headers: { host: 'evil.example' } });
      expect(answer.statusCode).toBe(421);
      expect(answer.body).not.toContain('evil.example');
    }
  });

  test.each([
    ['not JSON', '{"timeZone":', 400, 'INVALID_REQUEST', []],
    ['a form', 'timeZone=UTC', 415, 'UNSUPPORTED_MEDIA_TYPE', []],
    ['too much', JSON.stringify({ timeZone: 'x'.repeat(1_100_000) }), 413, 'PAYLOAD_TOO_LARGE', []],
    ['an unknown value', '{"hourCycle":"h99"}', 400, 'INVALID_REQUEST', ['hourCycle']],
    ['two unknown values', '{"hourCycle":"h99","timeZone":7}', 400, 'INVALID_REQUEST', ['hourCycle', 'timeZone']],
    ['a list', '[]', 400, 'INVALID_REQUEST', ['body']],
  ])('%s is refused by name, with the caller’s trace id and the fields it is about', async (name, body, status, code, fields) => {
    const traceId = 'abcdef0123456789abcdef0123456789';
    const answer = await portal.request('/api/me/preferences', {
      method: 'PATCH',
      body,
      headers: {
        authorization: `Bearer ${await portal.tokenOf('corin')}`,
        'content-type': name === 'a form' ? 'application/x-www-form-urlencoded' : 'application/json',
        traceparent: `00-${traceId}-0123456789abcdef-01`,
      },
    });
    expect(answer.status).toBe(status);
    const { errors } = (await answer.json()) as { errors: ErrorItem[] };
    const message = expect.any(String) as string;
    expect(errors.toSorted((a, b) => (a.field ?? '').localeCompare(b.field ?? ''))).toEqual(
      fields.length === 0 ? [{ code, message, traceId }] : fields.map(field => ({ code, message, traceId, field })),
    );
  });
});
