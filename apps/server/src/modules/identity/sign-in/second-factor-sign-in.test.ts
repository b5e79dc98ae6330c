import { HOUR_MS } from '@portal/contract/days';
import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { kindsForRules } from '../../../../test/portal.ts';
import { browserAt, claimsOf, type Page, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { type Behaviour, softwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { acrOf } from '../../../config.ts';
import { addPasskey, passkeyCreation, verifyNewPasskey } from '../factors/passkeys.ts';
import { newRecoveryCodes } from '../factors/recovery-codes.ts';
import { codeOf, secondsLeft, stepAt } from '../factors/totp.ts';

const mfa = acrOf('mfa');
const line = { action: 'test.factor', summary: 'Added a factor', traceId: '0'.repeat(32) };
const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;
const isIn = ({ url }: { url: string }): boolean => new URL(url).searchParams.has('code');

type Browser = ReturnType<typeof browserAt>;
type Device = ReturnType<typeof softwareAuthenticator>;

/** A device that holds a passkey of this person. */
async function passkeyOf(registry: TestRegistry, username: string, behaviour: Partial<Behaviour> = {}): Promise<Device> {
  const { db, config, origin } = registry;
  const loginId = `login-${username}`;
  const device = softwareAuthenticator({ origin, ...behaviour });
  const person = { loginId, email: `${username}@example-au.example`, fullName: username, product: 'MyRegistry' };
  const answer = device.create((await passkeyCreation(db, config, person, 'test')) as never);
  const passkey = await verifyNewPasskey(db, config, { loginId, bound: 'test', answer });
  if ('refused' in passkey) throw new Error(passkey.refused);
  await db.change(line, change => addPasskey(change, passkey, 'Laptop'));
  return device;
}

const recoveryCodesOf = (registry: TestRegistry, username: string): Promise<string[]> =>
  registry.db.change(line, change => newRecoveryCodes(change, `login-${username}`));

/** Acts as the page's script: fetches the options, asks the device, sends its answer. */
async function prove(browser: Browser, page: Page, device: Device, change: (answer: string) => string = String): Promise<Page> {
  const form = /<form\b[^>]*data-passkey="(?:get|create)"[^>]*>[\s\S]*?<\/form>/.exec(page.text)![0];
  const [action, options, ceremony] = ['action', 'data-options', 'data-passkey'].map(
    name => new RegExp(`${name}="([^"]+)"`).exec(form)![1]!,
  );
  const csrf = /name="csrf" value="([^"]+)"/.exec(form)![1]!;
  const asked = await browser.open(options!, { method: 'POST', body: new URLSearchParams({ csrf }) });
  const read = JSON.parse(asked.text) as never;
  const answer = change(ceremony === 'create' ? device.create(read) : device.get(read));
  return browser.open(action!, { method: 'POST', body: new URLSearchParams({ csrf, answer }) });
}

/** Signs in up to the page after the password. */
async function afterPassword(browser: Browser, username: string, more: Record<string, string> = {}) {
  const started = await browser.authorize(more);
  return { ...(await browser.send(started, { username, password: `demo-registry-${username}` })), verifier: started.verifier };
}

const claimsAfter = async (browser: Browser, page: Page, verifier: string): Promise<Record<string, unknown>> =>
  claimsOf(((await (await browser.redeem(page.url, verifier)).json()) as { id_token: string }).id_token);

/** The code of an app that was just given the key on the page. */
const codeOnPage = (registry: TestRegistry, page: Page): string => {
  const key = /class="mono key">([A-Z2-7 ]+)</.exec(page.text)![1]!.replaceAll(' ', '');
  return codeOf(Secret.fromBase32(key).bytes, stepAt(registry.now()));
};

describe('a passkey alone', () => {
  test.each([
    ['bound to a device', false, 'hwk'],
    ['copied between devices', true, 'swk'],
  ])('%s lets its person in with two factors, without a name', async (_kind, synced, method) => {
    await using registry = await testRegistry();
    const device = await passkeyOf(registry, 'corin', { synced });
    const browser = browserAt(registry.origin);
    const started = await browser.authorize({ acr_values: mfa });
    expect(started.text).toContain('autocomplete="username webauthn"');
    const done = await prove(browser, started, device);
    expect(await claimsAfter(browser, done, started.verifier)).toMatchObject({
      sub: 'login-corin',
      amr: [method, 'user', 'mfa'],
      acr: mfa,
    });
  });

  test('is refused when the device did not recognise the person, on another site, or sent twice', async () => {
    await using registry = await testRegistry();
    const device = await passkeyOf(registry, 'corin');
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const refused = async (change: (answer: string) => string = String) => {
      const page = await prove(browser, started, device, change);
      expect([page.status, pathOf(page)]).toEqual([401, `${pathOf(started)}/passkey-alone`]);
      expect(page.text).toContain('role="alert"');
    };
    device.userVerified = false;
    await refused();
    device.userVerified = true;
    device.origin = 'https://evil.example';
    await refused();
    device.origin = registry.origin;
    await refused(() => '{"id":');
    let sent = '';
    expect(isIn(await prove(browser, await browser.authorize(), device, answer => (sent = answer)))).toBe(true);
    const other = browserAt(registry.origin);
    expect((await prove(other, await other.authorize(), device, () => sent)).status).toBe(401);
  });

  test('of a disabled login is refused like an unknown one', async () => {
    await using registry = await testRegistry();
    const device = await passkeyOf(registry, 'corin');
    await registry.db.change(line, change =>
      change.updateTable('login').set({ disabledAt: change.now }).where('username', '=', 'corin').execute(),
    );
    const browser = browserAt(registry.origin);
    const page = await prove(browser, await browser.authorize(), device);
    expect(page.status).toBe(401);
    expect(page.text).toContain('doesn’t belong to a login here');
  });
});

describe('the second step', () => {
  test('shows the last used method first, and links to the others', async () => {
    await using registry = await testRegistry();
    const device = await passkeyOf(registry, 'corin');
    await recoveryCodesOf(registry, 'corin');
    const browser = browserAt(registry.origin);
    const byCode = await afterPassword(browser, 'corin');
    const code = await browser.open(`${pathOf(byCode).split('/').slice(0, 3).join('/')}/code`);
    expect(code.text).toContain('Use a passkey');
    expect(code.text).toContain('Use a recovery code');
    expect(isIn(await browser.send(code, { code: registry.codeOf('corin') }))).toBe(true);

    registry.later(60);
    const other = browserAt(registry.origin);
    const again = await afterPassword(other, 'corin');
    expect(again.text).toContain('Enter your code');
    const passkey = await other.open(pathOf(again).replace('/code', '/passkey'));
    const done = await prove(other, passkey, device);
    expect(await claimsAfter(other, done, again.verifier)).toMatchObject({ amr: ['pwd', 'hwk', 'user', 'mfa'], acr: mfa });

    expect((await afterPassword(browserAt(registry.origin), 'corin')).text).toContain('Use your passkey');
  });

  test('takes no passkey of another person', async () => {
    await using registry = await testRegistry();
    await passkeyOf(registry, 'corin');
    const stellas = await passkeyOf(registry, 'stella');
    const browser = browserAt(registry.origin);
    const page = await browser.open(pathOf(await afterPassword(browser, 'corin')).replace(/\/code|\/passkey/, '/passkey'));
    let sent = '';
    const refused = await prove(browser, page, stellas, answer => (sent = answer));
    expect([refused.status, refused.text.includes('doesn’t belong to a login here')]).toEqual([401, true]);
    // The options of the second step are not valid on the first page.
    const first = await browser.open(pathOf(page).replace('/passkey', '/password'));
    expect((await prove(browser, first, stellas, () => sent)).status).toBe(401);
  });

  test('offers only methods that the person has', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const page = await afterPassword(browser, 'corin');
    expect(page.text).not.toContain('Use a passkey');
    for (const way of ['passkey', 'recovery']) {
      const closed = await browser.open(pathOf(page).replace('/code', `/${way}`));
      expect(closed.status).toBe(403);
      expect(closed.text).toContain('Use a one-time code');
    }
  });

  test('shows a demo person one valid code after another, and none when the current ones are used', async () => {
    await using registry = await testRegistry();
    // At the beginning of a half minute, and all within it.
    registry.later(secondsLeft(registry.now()));
    const shown = ({ text }: Page): string | undefined => /data-code="(\d{6})"/.exec(text)?.[1];
    for (const steps of [0, 1]) {
      const browser = browserAt(registry.origin);
      const page = await afterPassword(browser, 'corin');
      expect(shown(page)).toBe(registry.codeOf('corin', steps));
      expect(isIn(await browser.send(page, { code: shown(page)! }))).toBe(true);
    }
    const browser = browserAt(registry.origin);
    const page = await afterPassword(browser, 'corin');
    expect([shown(page), page.text.includes('Both codes Corin could enter now were used.')]).toEqual([undefined, true]);
    expect((await browser.send(page, { code: registry.codeOf('corin') })).status).toBe(401);

    registry.later(30);
    const [, link] = /<a href="([^"]+)">Show the next one/.exec(page.text)!;
    const next = await browser.open(link!);
    expect(shown(next)).toBe(registry.codeOf('corin', 1));
    expect(isIn(await browser.send(next, { code: shown(next)! }))).toBe(true);
  });

  test('can’t be bypassed, and doesn’t start before the password', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const base = pathOf(started);
    for (const way of ['code', 'passkey', 'recovery', 'enrol', 'enrol/authenticator', 'enrol/passkey'])
      expect((await browser.open(`${base}/${way}`)).text).toContain('<h1>Log in</h1>');
    await browser.send(started, { username: 'corin', password: 'demo-registry-corin' });
    for (const way of ['without-second-factor', 'go-on', 'recovery-codes', 'enrol', 'enrol/passkey', 'enrol/authenticator'])
      expect((await browser.send(started, { saved: 'yes', codes: '' }, `${base}/${way}`)).text).toContain('Enter your code');
  });

  test('disables codes after a hundred wrong ones; the password alone is still not enough', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const browser = browserAt(registry.origin);
    const page = await afterPassword(browser, 'corin', { acr_values: mfa });
    await registry.db.unrecorded.insertInto('codeFailure').values({ loginId: 'login-corin', kind: 'totp', failures: 99 }).execute();
    const off = await browser.send(page, { code: '000000' });
    expect(off.status).toBe(403);
    expect(off.text).toContain('One-time codes are switched off');
    expect(off.text).toContain('Write to Example Registry');

    const again = browserAt(registry.origin);
    const blocked = await afterPassword(again, 'corin', { acr_values: mfa });
    expect(blocked.text).toContain('One-time codes are switched off');
    expect((await again.open(`${pathOf(blocked)}/enrol`)).text).toContain('One-time codes are switched off');
    expect(isIn(await again.send(blocked, {}, `${pathOf(blocked)}/without-second-factor`))).toBe(false);

    const [recovery] = await recoveryCodesOf(registry, 'corin');
    const third = browserAt(registry.origin);
    const left = await afterPassword(third, 'corin', { acr_values: mfa });
    expect(left.text).toContain('Enter a recovery code');
    expect((await third.send(left, { recovery: recovery! })).text).toContain('Add a new second factor');
  });

  test('wrong codes have their own delay, which doesn’t affect the password or recovery codes', async () => {
    await using registry = await testRegistry();
    const [recovery] = await recoveryCodesOf(registry, 'corin');
    const browser = browserAt(registry.origin);
    const page = await afterPassword(browser, 'corin');
    for (let i = 0; i < 5; i++) expect((await browser.send(page, { code: '000000' })).status).toBe(401);
    const waiting = await browser.send(page, { code: registry.codeOf('corin') });
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([429, '15']);
    expect((await afterPassword(browserAt(registry.origin), 'corin')).text).toContain('Enter your code');
    const other = await browser.open(pathOf(page).replace('/code', '/recovery'));
    for (let i = 0; i < 5; i++) expect((await browser.send(other, { recovery: 'wrong' })).status).toBe(401);
    expect((await browser.send(other, { recovery: recovery! })).status).toBe(429);
    registry.later(16);
    expect(isIn(await browser.send(page, { code: registry.codeOf('corin') }))).toBe(true);
  });

  test('continues to the message that the login is disabled if that happened meanwhile', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const page = await afterPassword(browser, 'corin');
    await registry.db.change(line, change =>
      change.updateTable('login').set({ disabledAt: change.now }).where('username', '=', 'corin').execute(),
    );
    const stopped = await browser.send(page, { code: registry.codeOf('corin') });
    expect([stopped.status, stopped.text.includes('This login is disabled')]).toEqual([403, true]);
    expect((await browser.open(`${pathOf(stopped)}/password`)).text).toContain('<h1>Log in</h1>');
  });
});

describe('a step-up', () => {
  /** Corin, signed in by the password an hour ago. */
  async function openSession(registry: TestRegistry) {
    const browser = browserAt(registry.origin);
    const before = claimsOf((await browser.signIn(registry, 'corin')).id_token);
    const stored = await registry.db.read.selectFrom('oidcPayload').select(['id', 'payload']).where('model', '=', 'Session').execute();
    for (const { id, payload } of stored)
      await registry.db.unrecorded
        .updateTable('oidcPayload')
        .set({ payload: JSON.stringify({ ...(payload as object), loginTs: Number(before.auth_time) - 600 }) })
        .where('id', '=', id)
        .execute();
    return { browser, since: Number(before.auth_time) - 600, sid: before.sid };
  }

  test('by a code keeps the time of the last full sign-in', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const { browser, since, sid } = await openSession(registry);
    const asked = await browser.authorize({ acr_values: mfa });
    const done = await browser.send(asked, { code: registry.codeOf('corin') });
    expect(await claimsAfter(browser, done, asked.verifier)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: mfa, auth_time: since, sid });
  });

  test('by a passkey is a full sign-in', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const device = await passkeyOf(registry, 'corin');
    const { browser, since, sid } = await openSession(registry);
    const asked = await browser.authorize({ acr_values: mfa });
    expect(asked.text).toContain('Confirm it’s you. Nothing is lost.');
    const claims = await claimsAfter(browser, await prove(browser, asked, device), asked.verifier);
    expect(claims).toMatchObject({ amr: ['pwd', 'hwk', 'user', 'mfa'], acr: mfa, sid });
    expect(Number(claims.auth_time)).toBeGreaterThan(since + 500);
  });

  test('says what it is for, in our own words and a plain name', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const { browser } = await openSession(registry);
    const asked = await browser.authorize({ acr_values: mfa, purpose: 'contacts.inviteContact', purpose_object: 'Xenia O’Néw (NOC)' });
    expect(asked.text).toContain('Confirm it’s you to <b>invite a contact: Xenia O’Néw (NOC)</b>. Nothing is lost.');
    expect(asked.text).toContain('I can’t use any of these');
    const posed = await browser.authorize({
      acr_values: mfa,
      purpose: 'contacts.inviteContact',
      purpose_object: 'https://evil.example?<b>',
    });
    expect(posed.text).toContain('Confirm it’s you to <b>invite a contact</b>. Nothing is lost.');
    const unknown = await browser.authorize({ acr_values: mfa, purpose: 'win.aPrize', purpose_object: 'Xenia' });
    expect(unknown.text).toContain('Confirm it’s you. Nothing is lost.');
    expect(unknown.text).not.toContain('Xenia');
  });

  test('by a recovery code asks for the password before a new factor is added, and continues in the same session', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const [recovery] = await recoveryCodesOf(registry, 'corin');
    const { browser, sid } = await openSession(registry);
    const asked = await browser.authorize({ acr_values: mfa });
    const base = pathOf(asked).replace('/code', '');
    const page = await browser.send(await browser.open(`${base}/recovery`), { recovery: recovery! });
    expect(page.text).toContain('Enter your password again');
    expect(page.text).toContain('value="corin"');
    const choice = await browser.send(page, { username: 'corin', password: 'demo-registry-corin' });
    expect(choice.text).toContain('Add a new second factor');
    const app = await browser.open(`${base}/enrol/authenticator`);
    const done = await browser.send(app, { code: codeOnPage(registry, app) });
    expect(await claimsAfter(browser, done, asked.verifier)).toMatchObject({ amr: ['pwd', 'rc', 'otp', 'mfa'], acr: mfa, sid });
  });

  test('of a person without a second factor sets one up after the password, in the same session', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const before = claimsOf((await browser.signIn(registry, 'bill')).id_token);
    const asked = await browser.authorize({ acr_values: mfa });
    expect(asked.text).toContain('MFA is not enabled!');
    expect(asked.text).toContain('Set it up now');
    const again = await browser.send(asked);
    expect(again.text).toContain('Enter your password again');
    expect((await browser.open(`${pathOf(asked)}/enrol/authenticator`)).text).toContain('Enter your password again');
    const choice = await browser.send(again, { username: 'bill', password: 'demo-registry-bill' });
    expect(choice.text).toContain('Set up a second factor');
    const page = await browser.open(`${pathOf(asked)}/enrol/passkey`);
    const device = softwareAuthenticator({ origin: registry.origin });
    const codes = await prove(browser, page, device);
    expect(codes.text).toContain('Save your recovery codes');
    const done = await browser.send(codes, { saved: 'yes' });
    expect(await claimsAfter(browser, done, asked.verifier)).toMatchObject({
      sub: 'login-bill',
      amr: ['pwd', 'hwk', 'user', 'mfa'],
      acr: mfa,
      sid: before.sid,
    });
  });
});

describe('enrolment during sign-in', () => {
  const must = { REQUIRE_MFA: 'all' };

  test('by an authenticator app: a code of it, then the recovery codes, shown once', async () => {
    await using registry = await testRegistry(undefined, must);
    const elsewhere = browserAt(registry.origin);
    const browser = browserAt(registry.origin);
    const started = await afterPassword(browser, 'bill');
    expect(started.text).toContain('Set up a second factor');
    expect((await browser.send(started, {}, `${pathOf(started).replace('/enrol', '')}/without-second-factor`)).text).toContain(
      'Set up a second factor',
    );
    const base = pathOf(started);
    const page = await browser.open(`${base}/authenticator`);
    expect(page.text).toContain('<svg class="qr"');
    const wrong = await browser.send(page, { code: '000000' });
    expect(wrong.status).toBe(401);
    // The same key again: the app has it already.
    expect(codeOnPage(registry, wrong)).toBe(codeOnPage(registry, page));
    const codes = await browser.send(wrong, { code: codeOnPage(registry, wrong) });
    expect(codes.text).toContain('Save your recovery codes');
    expect(codes.text.match(/<li>[0-9a-z]{4}(-[0-9a-z]{4}){5}<\/li>/g)).toHaveLength(10);

    // Not confirmed as saved, so not signed in yet.
    expect((await browser.send(codes, { saved: '' })).status).toBe(400);
    const file = await browser.send(codes, {}, `${pathOf(started).replace('/enrol', '')}/recovery-codes/download`);
    expect(file.headers.get('content-disposition')).toContain('recovery-codes.txt');
    expect(file.text).toContain(/<li>([0-9a-z-]{29})<\/li>/.exec(codes.text)![1]!);
    const done = await browser.send(codes, { saved: 'yes' });
    expect(await claimsAfter(browser, done, started.verifier)).toMatchObject({ sub: 'login-bill', amr: ['pwd', 'otp', 'mfa'], acr: mfa });
    expect(await registry.actions()).toEqual(expect.arrayContaining(['identity.addAuthenticator', 'identity.signIn']));
    expect((await afterPassword(elsewhere, 'bill')).text).toContain('Enter your code');
  });

  test('a person who leaves the recovery codes page can continue later, but doesn’t see the codes again', async () => {
    await using registry = await testRegistry(undefined, must);
    const browser = browserAt(registry.origin);
    const started = await afterPassword(browser, 'bill');
    const page = await browser.open(`${pathOf(started)}/authenticator`);
    const codes = await browser.send(page, { code: codeOnPage(registry, page) });
    const back = await browser.open(pathOf(started));
    expect(back.text).toContain('Your recovery codes were shown once');
    expect(back.text).not.toContain(/<li>([0-9a-z-]{29})<\/li>/.exec(codes.text)![1]!);
    expect(isIn(await browser.send(back))).toBe(true);
  });

  test('needs a password not older than five minutes', async () => {
    await using registry = await testRegistry(undefined, must);
    const browser = browserAt(registry.origin);
    const started = await afterPassword(browser, 'bill');
    const page = await browser.open(`${pathOf(started)}/authenticator`);
    registry.later(301);
    expect((await browser.send(page, { code: codeOnPage(registry, page) })).text).toContain('<h1>Log in</h1>');
    expect(await registry.actions()).not.toContain('identity.addAuthenticator');
  });
});

describe.each(kindsForRules)('recovery codes on the %s database', kind => {
  test('sign in once; then a new factor replaces the lost ones, with a notice by mail and a day of waiting', async () => {
    await using registry = await testRegistry(kind);
    const [recovery] = await recoveryCodesOf(registry, 'corin');
    const browser = browserAt(registry.origin);
    const page = await afterPassword(browser, 'corin');
    const base = pathOf(page).replace('/code', '');
    const typed = recovery!.toUpperCase().replaceAll('-', ' ');
    const choice = await browser.send(await browser.open(`${base}/recovery`), { recovery: typed });
    expect(choice.text).toContain('Add a new second factor');
    // Mandatory: neither the old app nor the password bypasses it.
    expect((await browser.open(`${base}/code`)).text).toContain('Add a new second factor');
    expect((await browser.send(choice, {}, `${base}/without-second-factor`)).text).toContain('Add a new second factor');
    await browser.send(await browser.open(`${base}/password`), { username: 'corin', password: 'demo-registry-corin' });
    expect((await browser.open(base)).text).toContain('Add a new second factor');

    const app = await browser.open(`${base}/enrol/authenticator`);
    const done = await browser.send(app, { code: codeOnPage(registry, app) });
    expect(await claimsAfter(browser, done, page.verifier)).toMatchObject({ amr: ['pwd', 'rc', 'otp', 'mfa'], acr: mfa });
    const { db } = registry;
    const apps = await db.read.selectFrom('loginTotp').select('totpId').where('loginId', '=', 'login-corin').execute();
    expect(apps).toHaveLength(1);
    const login = await db.read.selectFrom('login').select('coolDownUntil').where('loginId', '=', 'login-corin').executeTakeFirstOrThrow();
    expect((new Date(login.coolDownUntil!).getTime() - registry.now().getTime()) / HOUR_MS).toBeCloseTo(24, 0);
    const mails = await db.read
      .selectFrom('mail')
      .select('subject')
      .where('recipient', '=', 'corin@example-au.example')
      .orderBy('mailId')
      .execute();
    expect(mails.map(({ subject }) => subject)).toEqual(['A recovery code was used', 'An authenticator app was added']);

    // The old app's code and the used recovery code are refused.
    const other = browserAt(registry.origin);
    const again = await afterPassword(other, 'corin');
    expect((await other.send(again, { code: registry.codeOf('corin', 1) })).status).toBe(401);
    const recoveryPage = await other.open(pathOf(again).replace('/code', '/recovery'));
    expect((await other.send(recoveryPage, { recovery: recovery! })).status).toBe(401);
  });

  test('are used up by only one of many concurrent attempts', async () => {
    await using registry = await testRegistry(kind);
    const [recovery] = await recoveryCodesOf(registry, 'corin');
    const pages = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const browser = browserAt(registry.origin);
        const page = await afterPassword(browser, 'corin');
        return { browser, page: await browser.open(pathOf(page).replace('/code', '/recovery')) };
      }),
    );
    const answers = await Promise.all(pages.map(({ browser, page }) => browser.send(page, { recovery: recovery! })));
    expect(answers.filter(({ text }) => text.includes('Add a new second factor'))).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
  });
});
