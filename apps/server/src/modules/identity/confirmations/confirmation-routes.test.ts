import {
  type ConfirmationBegun,
  type Confirmation,
  confirmationPaths,
  type ConfirmationRefusal,
} from '@portal/contract/shell/confirmation';
import { describe, expect, test } from 'vitest';
import type { AskedAct } from '../../../platform/http/confirmed.ts';
import { softwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { browserAt, claimsOf, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { addPasskey, passkeyCreation, verifyNewPasskey } from '../factors/passkeys.ts';
import { endSession } from '../sessions/sessions.ts';

const line = { action: 'test.confirmations', summary: 'Tried confirmations', traceId: 'c'.repeat(32) };
type Browser = ReturnType<typeof browserAt>;
type Said = { status: number } & Partial<ConfirmationBegun & Confirmation & ConfirmationRefusal> & { errors?: { code: string }[] };

/** Sends a request as the page with this bearer does, from this browser. */
async function ask(
  browser: Browser,
  token: string | null,
  address: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Said> {
  const answer = await browser.open(address, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });
  return { status: answer.status, ...(answer.text.startsWith('{') ? (JSON.parse(answer.text) as object) : {}) };
}

/** A change that was refused to this person, as the registry signed it. */
const refusedTo = (registry: TestRegistry, username: string, sid: string, act: Partial<AskedAct> = {}): string =>
  registry.identity.askedActs.write({
    loginId: `login-${username}`,
    sid,
    endpoint: 'routes.saveRoutes',
    account: 'EXAMPLE-AU',
    words: 'Save routes of EXAMPLE-AU: add 1 route',
    at: Math.floor(registry.now().getTime() / 1000),
    ...act,
  });

/** A browser in which this person is signed in, and how its page asks. */
async function at(registry: TestRegistry, username: string) {
  const browser = browserAt(registry.origin);
  const { id_token: token } = await browser.signIn(registry, username);
  const { sid } = claimsOf(token) as { sid: string };
  const refused = (act: Partial<AskedAct> = {}) => refusedTo(registry, username, sid, act);
  const route = { acts: [refused()] };
  const confirm = (given: object) => ask(browser, token, confirmationPaths.confirm, { ...route, ...given });
  const begin = (body: object = route) => ask(browser, token, confirmationPaths.begin, body);
  return { browser, token, sid, route, refused, confirm, begin };
}

const lines = async ({ db }: TestRegistry, action: string) =>
  db.read.selectFrom('activity').select(['amr', 'sid', 'details']).where('action', '=', action).execute();

/** Gives a person a passkey in a device of software. */
async function plugIn({ db, config, origin }: TestRegistry, loginId: string, userVerified = true) {
  const device = softwareAuthenticator({ origin });
  const person = { loginId, email: 'c@example', fullName: 'C', product: 'MyRegistry' };
  const passkey = await verifyNewPasskey(db, config, {
    loginId,
    bound: 'test',
    answer: device.create(await passkeyCreation(db, config, person, 'test')),
  });
  if ('refused' in passkey) throw new Error(passkey.refused);
  await db.change(line, change => addPasskey(change, passkey, 'Office laptop'));
  device.userVerified = userVerified;
  return device;
}

describe('a one-time code', () => {
  test('confirms a change for its session, without the password, and leaves a line', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    expect(await corin.begin()).toMatchObject({
      status: 200,
      acts: ['Save routes of EXAMPLE-AU: add 1 route'],
      effects: ['routing'],
      account: 'EXAMPLE-AU',
      person: 'Corin Achterberg',
      by: 'password',
      enrolled: true,
      ways: ['code'],
      needsPassword: false,
      minutes: 5,
    });
    registry.later(600);
    const { status, confirmation, seconds } = await corin.confirm({ code: registry.codeOf('corin') });
    expect([status, seconds]).toEqual([200, 300]);
    expect(registry.identity.confirmations.read(confirmation, { loginId: 'login-corin', sid: corin.sid })).toMatchObject({
      effects: ['routing'],
      account: 'EXAMPLE-AU',
      amr: ['pwd', 'otp', 'mfa'],
    });
    expect(await lines(registry, 'identity.confirm')).toMatchObject([
      {
        sid: corin.sid,
        amr: ['pwd', 'otp', 'mfa'],
        details: { endpoint: 'routes.saveRoutes', acts: ['Save routes of EXAMPLE-AU: add 1 route'] },
      },
    ]);
  });

  test('is good for the registry’s own work three times as long', async () => {
    await using registry = await testRegistry();
    const stella = await at(registry, 'stella');
    const approval = stella.refused({ endpoint: 'requests.desk.approveRequest', account: null });
    expect(await stella.begin({ acts: [approval] })).toMatchObject({ minutes: 15, account: null, effects: ['holding'] });
  });

  test('used to sign in, or before, confirms nothing, also when it is sent twice at the same time', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    expect(await corin.confirm({ code: registry.codeOf('corin') })).toMatchObject({ status: 401, why: 'wrong', field: 'code' });
    const code = registry.codeOf('corin', 1);
    const answers = await Promise.all([corin.confirm({ code }), corin.confirm({ code })]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    // Nor does it sign in any more.
    const other = browserAt(registry.origin);
    const page = await other.send(await other.authorize(), { username: 'corin', password: 'demo-registry-corin' });
    expect((await other.send(page, { code })).status).toBe(401);
  });

  test('has to wait after five wrong ones, as at sign-in and together with it, also if it is right', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    registry.later(60);
    const wrong = await corin.confirm({ code: '000000' });
    expect(wrong).toMatchObject({ status: 401, message: expect.stringContaining('4 tries left before a pause.') });
    for (let n = 0; n < 4; n++) await corin.confirm({ code: '000000' });
    expect(await corin.confirm({ code: registry.codeOf('corin') })).toMatchObject({ status: 429, why: 'wait', field: 'code' });
    expect(await lines(registry, 'identity.confirm')).toEqual([]);
    expect(await registry.actions()).toContain('identity.signInFailed');
    registry.later(60);
    expect(await corin.confirm({ code: registry.codeOf('corin') })).toMatchObject({ status: 200 });
  });

  test('takes the password too in a session that a passkey opened', async () => {
    await using registry = await testRegistry();
    const device = await plugIn(registry, 'login-corin');
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const uid = /\/sign-in\/([^/"]+)\/passkey-alone/.exec(started.text)![1]!;
    const csrf = /name="csrf" value="([^"]+)"/.exec(started.text)![1]!;
    const options = await browser.open(`/sign-in/${uid}/passkey-alone/options`, { method: 'POST', body: new URLSearchParams({ csrf }) });
    const answer = device.get(JSON.parse(options.text) as never);
    const back = await browser.open(`/sign-in/${uid}/passkey-alone`, { method: 'POST', body: new URLSearchParams({ csrf, answer }) });
    const { id_token: token } = (await (await browser.redeem(back.url, started.verifier)).json()) as { id_token: string };
    const { sid } = claimsOf(token) as { sid: string };
    const route = { acts: [refusedTo(registry, 'corin', sid)] };
    const confirm = (given: object) => ask(browser, token, confirmationPaths.confirm, { ...route, ...given });

    expect(await ask(browser, token, confirmationPaths.begin, route)).toMatchObject({ by: 'passkey', needsPassword: true });
    const code = registry.codeOf('corin');
    expect(await confirm({ code })).toMatchObject({ status: 401, why: 'wrong', field: 'password' });
    expect(await confirm({ code, password: 'demo-registry-bill' })).toMatchObject({ status: 401, field: 'password' });
    // A wrong password did not use the code up.
    expect(await confirm({ code, password: 'demo-registry-corin' })).toMatchObject({ status: 200 });
  });
});

describe('a passkey', () => {
  test('confirms a change once, with its person recognised by the device', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    const device = await plugIn(registry, 'login-corin');
    expect(await corin.begin()).toMatchObject({ passkey: { name: 'Office laptop' } });
    const options = await ask(corin.browser, corin.token, confirmationPaths.passkey, corin.route);
    const passkey = device.get(options as never);
    // Of this kind of change only, and of this session only.
    const elsewhere = await at(registry, 'stella');
    expect(await elsewhere.confirm({ passkey })).toMatchObject({ status: 403, why: 'closed', field: 'passkey' });
    expect(await corin.confirm({ passkey, acts: [corin.refused({ endpoint: 'whois.submitUpdates' })] })).toMatchObject({
      status: 401,
      field: 'passkey',
    });
    expect(await corin.confirm({ passkey, acts: [corin.refused({ account: 'SOUTHSITE-NZ' })] })).toMatchObject({
      status: 401,
      field: 'passkey',
    });
    const { confirmation } = await corin.confirm({ passkey });
    expect(registry.identity.confirmations.read(confirmation, { loginId: 'login-corin', sid: corin.sid })?.amr).toEqual([
      'hwk',
      'user',
      'mfa',
    ]);
    expect(await corin.confirm({ passkey })).toMatchObject({ status: 401, field: 'passkey' });
  });

  test.each([
    ['that did not recognise its person', { userVerified: false }],
    ['of another site', { origin: 'https://evil.example' }],
  ])('%s is refused', async (_what, changed) => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    const device = await plugIn(registry, 'login-corin');
    Object.assign(device, changed);
    const passkey = device.get((await ask(corin.browser, corin.token, confirmationPaths.passkey, corin.route)) as never);
    expect(await corin.confirm({ passkey })).toMatchObject({ status: 401, why: 'wrong', field: 'passkey' });
    expect(await lines(registry, 'identity.confirm')).toEqual([]);
  });
});

describe('only the session of the page itself', () => {
  test('a bearer without the browser’s session confirms nothing, nor does the session without a bearer', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    registry.later(60);
    const given = { ...corin.route, code: registry.codeOf('corin') };
    expect(await ask(browserAt(registry.origin), corin.token, confirmationPaths.confirm, given)).toMatchObject({
      status: 409,
      why: 'session',
    });
    expect(await ask(corin.browser, null, confirmationPaths.confirm, given)).toMatchObject({ status: 401 });
    expect(await ask(corin.browser, corin.token, confirmationPaths.confirm, given)).toMatchObject({ status: 200 });
  });

  test('another person who signed in in another tab can’t confirm for the first one', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    const stella = await at(registry, 'stella');
    corin.browser.jar.clear();
    for (const [name, cookie] of stella.browser.jar) corin.browser.jar.set(name, cookie);
    registry.later(60);
    for (const name of ['stella', 'corin']) expect((await corin.confirm({ code: registry.codeOf(name) })).status, name).not.toBe(200);
    expect(await lines(registry, 'identity.confirm')).toEqual([]);
  });

  test('a session that has ended is refused', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    await registry.db.change(line, change => endSession(change, corin.sid, 'test'));
    registry.later(60);
    await expect.poll(async () => (await corin.confirm({ code: registry.codeOf('corin') })).status).toBe(401);
  });

  test('a page of another site is refused', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    const refused = await ask(corin.browser, corin.token, confirmationPaths.begin, corin.route, { 'sec-fetch-site': 'same-site' });
    expect(refused).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST' }] });
  });
});

test('a question that names nothing is refused', async () => {
  await using registry = await testRegistry();
  const { begin, confirm } = await at(registry, 'corin');
  for (const body of [{}, { acts: [] }, { endpoint: 'routes.saveRoutes' }])
    for (const refused of [await begin(body), await confirm({ acts: undefined, ...body, code: '000000' })])
      expect(refused).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST' }] });
});

describe('what a person confirms comes from the registry', () => {
  test.each<[string, (corin: Awaited<ReturnType<typeof at>>) => string[]]>([
    ['an unknown call', ({ refused }) => [refused({ endpoint: 'routes.saveRoutesNot' })]],
    ['a read', ({ refused }) => [refused({ endpoint: 'identity.people.getMe' })]],
    ['a call that takes no sign-in', ({ refused }) => [refused({ endpoint: 'elections.ballots.reportVote' })]],
    ['a call of registry staff, by others,', ({ refused }) => [refused({ endpoint: 'requests.desk.approveRequest', account: null })]],
    ['what was refused to another person', ({ refused }) => [refused({ loginId: 'login-tess' })]],
    ['what was refused in another session', ({ refused }) => [refused({ sid: 'another' })]],
    ['what was refused more than a quarter of an hour ago', ({ refused }) => [refused({ at: 1 })]],
    ['what a page wrote', ({ refused }) => [`${Buffer.from('{"words":"Save"}').toString('base64url')}.${refused().split('.')[1]}`]],
    ['a confirmation', ({ refused }) => [refused().replace('.', 'x.')]],
    ['changes of two kinds', ({ refused }) => [refused(), refused({ endpoint: 'whois.submitUpdates' })]],
    ['changes for two accounts', ({ refused }) => [refused(), refused({ account: 'SOUTHSITE-NZ' })]],
  ])('%s can’t be confirmed', async (_what, acts) => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    registry.later(60);
    const code = registry.codeOf('corin');
    for (const refused of [await corin.begin({ acts: acts(corin) }), await corin.confirm({ acts: acts(corin), code })])
      expect(refused).toMatchObject({ status: 409, message: 'This isn’t the change that the registry refused. Make it once more.' });
    expect(await lines(registry, 'identity.confirm')).toEqual([]);
  });

  test('several changes of one kind are named in their order, and confirmed together', async () => {
    await using registry = await testRegistry();
    const corin = await at(registry, 'corin');
    const acts = [corin.refused(), corin.refused({ words: 'Undo the change of routes of today' })];
    expect(await corin.begin({ acts })).toMatchObject({
      acts: ['Save routes of EXAMPLE-AU: add 1 route', 'Undo the change of routes of today'],
    });
  });
});

describe('a person without a second factor', () => {
  test('confirms nothing, and adds a factor without typing the password a second time', async () => {
    await using registry = await testRegistry(undefined, {}, () => Promise.resolve(false));
    const bill = await at(registry, 'bill');
    expect(await bill.begin()).toMatchObject({ enrolled: false, ways: [] });
    expect(await bill.confirm({ code: '000000' })).toMatchObject({ status: 403, why: 'closed' });
    const give = (password: string) => ask(bill.browser, bill.token, confirmationPaths.password, { ...bill.route, password });
    expect(await give('wrong')).toMatchObject({ status: 401, why: 'wrong', field: 'password' });
    const stepUp = () => bill.browser.authorize({ acr_values: registry.config.stepUpAcr });
    expect((await stepUp()).text).toContain('MFA is not enabled!');

    expect((await give('demo-registry-bill')).status).toBe(204);
    expect((await stepUp()).text).toContain('Authenticator app');
    // For five minutes, and only in this browser.
    const elsewhere = await at(registry, 'bill');
    expect((await elsewhere.browser.authorize({ acr_values: registry.config.stepUpAcr })).text).toContain('MFA is not enabled!');
  });
});
