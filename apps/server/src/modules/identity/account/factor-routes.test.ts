import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { softwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { browserAt, fetchCaller, type Page, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { addAuthenticator, listAuthenticators } from '../factors/authenticators.ts';
import { listPasskeys } from '../factors/passkeys.ts';
import { recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { codeOf, stepAt } from '../factors/totp.ts';

const list = '/account/factors';
const line = { action: 'test.factors', summary: 'Tried second factors', traceId: 'e'.repeat(32) };
type Browser = ReturnType<typeof browserAt>;

/** A browser in which this person has just logged in, at the list of second factors. */
async function at(registry: TestRegistry, username: string): Promise<{ browser: Browser; page: Page }> {
  const browser = browserAt(registry.origin);
  let page = await browser.send(await browser.open(list), { username, password: `demo-registry-${username}` });
  if (page.text.includes('name="code"')) page = await browser.send(page, { code: registry.codeOf(username) });
  if (!page.url.startsWith(registry.origin + list)) throw new Error(`${username} is not at the list but at ${page.url}`);
  return { browser, page };
}

const linkTo = (page: Page, verb: string, nth = 0): string =>
  [...page.text.matchAll(new RegExp(`href="(/account/factors/[^"]+/${verb})"`, 'g'))][nth]![1]!;
const secretOn = (page: Page): Uint8Array => Secret.fromBase32(/secret=([A-Z2-7]+)/.exec(page.text)![1]!).bytes;
const codesOn = (page: Page): string[] => [...page.text.matchAll(/<li>([0-9a-z-]{29})<\/li>/g)].map(([, code]) => code!);
const said = (page: Page): string => /role="(?:alert|status)"[^>]*>([^<]+)/.exec(page.text)?.[1] ?? '';
const subjects = async ({ db }: TestRegistry): Promise<string[]> =>
  (await db.read.selectFrom('mail').select('subject').orderBy('mailId').execute()).map(({ subject }) => subject);

/** Bill adds an authenticator app. Returns the next page. */
async function addApp(registry: TestRegistry, browser: Browser, name = 'Phone'): Promise<Page> {
  const form = await browser.open(`${list}/authenticator`);
  return browser.send(form, { name, code: codeOf(secretOn(form), stepAt(registry.now())) });
}

describe('the list', () => {
  test('asks a visitor to sign in and comes back', async () => {
    await using registry = await testRegistry();
    const { page } = await at(registry, 'corin');
    expect(page.text).toContain('Authenticator app');
    expect(page.text).toContain('last used');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test('shows only its own confirmations', async () => {
    await using registry = await testRegistry();
    const { browser } = await at(registry, 'corin');
    expect(said(await browser.open(`${list}?done=renamed`))).toBe('The name was changed.');
    expect(said(await browser.open(`${list}?done=constructor`))).toBe('');
    expect((await browser.open(`${list}?done=<b>`)).text).not.toContain('<b>&lt;');
  });
});

describe('an authenticator app', () => {
  test('is added by a code it shows; the first factor brings recovery codes, a mail, and the end of other sessions', async () => {
    await using registry = await testRegistry();
    const elsewhere = await browserAt(registry.origin).signIn(registry, 'bill');
    const { browser } = await at(registry, 'bill');
    const form = await browser.open(`${list}/authenticator`);
    expect(form.text).toContain('<svg class="qr"');
    expect(form.text).toContain('otpauth://totp/MyRegistry:bill%40example-au.example');

    const wrong = await browser.send(form, { name: 'Phone', code: '000000' });
    expect([wrong.status, said(wrong)]).toEqual([400, expect.stringContaining('Wrong code')]);
    expect(secretOn(wrong)).toEqual(secretOn(form));
    expect(await listAuthenticators(registry.db.read, 'login-bill')).toEqual([]);

    const codes = await browser.send(wrong, { code: codeOf(secretOn(form), stepAt(registry.now())) });
    expect(codesOn(codes)).toHaveLength(10);
    expect(await listAuthenticators(registry.db.read, 'login-bill')).toMatchObject([{ name: 'Phone' }]);
    expect(await registry.actions()).toContain('identity.addAuthenticator');
    expect(await subjects(registry)).toContain('An authenticator app was added');
    await expect.poll(async () => (await fetchCaller(registry.origin, elsewhere.id_token)).status).toBe(401);

    const file = await browser.send(codes, {}, `${list}/recovery-codes/download`);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="recovery-codes.txt"');
    expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const code of codesOn(codes)) expect(file.text).toContain(code);

    const unticked = await browser.send(codes, { saved: '' });
    expect([unticked.status, codesOn(unticked)]).toEqual([400, codesOn(codes)]);
    const done = await browser.send(codes, { saved: 'yes' });
    expect(done.url).toBe(registry.origin + list);
    expect(done.text).toContain('10 codes left');
  });

  test('a form sent twice adds one', async () => {
    await using registry = await testRegistry();
    const { browser } = await at(registry, 'bill');
    const form = await browser.open(`${list}/authenticator`);
    const code = codeOf(secretOn(form), stepAt(registry.now()));
    await browser.send(form, { code });
    const again = await browser.send(form, { code });
    // A session with only a password is asked for the new factor first.
    expect(again.text).toContain('name="code"');
    expect(await listAuthenticators(registry.db.read, 'login-bill')).toHaveLength(1);
    expect(await registry.db.read.selectFrom('loginTotp').select('loginId').where('loginId', '=', 'login-bill').execute()).toHaveLength(1);
  });

  test.each([
    ['no name', { name: '' }, 'A name has 1 to 60 characters'],
    ['a long name', { name: 'x'.repeat(61) }, 'A name has 1 to 60 characters'],
    ['an unknown form', { enrolment: 'AAAA' }, 'This took longer than ten minutes'],
  ])('%s is refused with an explanation and adds nothing', async (_what, typed, words) => {
    await using registry = await testRegistry();
    const { browser } = await at(registry, 'bill');
    const form = await browser.open(`${list}/authenticator`);
    const page = await browser.send(form, { code: codeOf(secretOn(form), stepAt(registry.now())), ...typed });
    expect([page.status, said(page)]).toEqual([400, expect.stringContaining(words)]);
    expect(await listAuthenticators(registry.db.read, 'login-bill')).toEqual([]);
  });

  test('can be renamed and removed by its owner, with a warning before the last one', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const { browser, page } = await at(registry, 'corin');
    // So far only the password was given.
    const asked = await browser.open(linkTo(page, 'rename'));
    const rename = await browser.send(asked, { code: registry.codeOf('corin') });
    expect(said(await browser.send(rename, { name: '' }))).toContain('A name has 1 to 60 characters');
    const renamed = await browser.send(rename, { name: '  Old <b>phone ' });
    expect(said(renamed)).toBe('The name was changed.');
    expect(renamed.text).toContain('Old &lt;b&gt;phone');

    const remove = await browser.open(linkTo(renamed, 'remove'));
    expect(remove.text).toContain('This is your last second factor.');
    const removed = await browser.send(remove);
    expect(said(removed)).toBe('It was removed. All other sessions were ended.');
    expect(await listAuthenticators(registry.db.read, 'login-corin')).toEqual([]);
    expect(await recoveryCodesLeft(registry.db.read, 'login-corin')).toBe(0);
    expect(await subjects(registry)).toContain('An authenticator app was removed');
    expect((await registry.actions()).filter(action => /Factor$|Authenticator$/.test(action))).toEqual([
      'identity.renameFactor',
      'identity.removeAuthenticator',
    ]);
    expect((await browser.send(remove)).status).toBe(404);
  });

  test('the last one can’t be removed if the registry requires one, until there is another', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'all' });
    const { browser, page } = await at(registry, 'corin');
    const address = linkTo(page, 'remove');
    const refused = await browser.open(address);
    expect(refused.text).toContain('Example Registry requires everyone to have one');
    expect(refused.text).not.toContain('<form');
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.open(linkTo(page, 'rename'))).text)![1]!;
    const post = { method: 'POST', body: new URLSearchParams({ csrf }), headers: { origin: registry.origin } };
    expect((await browser.open(address, post)).status).toBe(409);
    expect(await listAuthenticators(registry.db.read, 'login-corin')).toHaveLength(1);
    await registry.db.change(line, change => addAuthenticator(change, registry.config, { loginId: 'login-corin', name: 'Tablet' }));
    expect(said(await browser.send(await browser.open(address)))).toContain('It was removed');
    expect(await listAuthenticators(registry.db.read, 'login-corin')).toMatchObject([{ name: 'Tablet' }]);
  });

  test('of another person looks non-existent', async () => {
    await using registry = await testRegistry();
    const { page } = await at(registry, 'corin');
    const { browser } = await at(registry, 'stella');
    for (const verb of ['rename', 'remove']) expect((await browser.open(linkTo(page, verb))).status).toBe(404);
  });
});

describe('a passkey', () => {
  const post = (registry: TestRegistry, page: Page, more: Record<string, string> = {}) => ({
    method: 'POST',
    body: new URLSearchParams({ csrf: /name="csrf" value="([^"]+)"/.exec(page.text)![1]!, ...more }),
    headers: { origin: registry.origin },
  });

  test('is added by the answer of a device, once', async () => {
    await using registry = await testRegistry();
    const { browser } = await at(registry, 'bill');
    const form = await browser.open(`${list}/passkey`);
    expect(form.text).toMatch(/data-passkey="create" data-options="\/account\/factors\/passkey\/options"/);
    const options = await browser.open(`${list}/passkey/options`, post(registry, form));
    const device = softwareAuthenticator({ origin: registry.origin });
    const answer = device.create(JSON.parse(options.text) as never);
    const codes = await browser.send(form, { answer });
    expect(codesOn(codes)).toHaveLength(10);
    expect(await listPasskeys(registry.db.read, 'login-bill')).toMatchObject([{ credentialId: device.credentialId }]);
    expect(await registry.actions()).toContain('identity.addPasskey');
    expect(await subjects(registry)).toEqual(['A passkey was added']);
  });

  test('the last one can’t be removed while there is no password', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const { browser } = await at(registry, 'bill');
    const form = await browser.open(`${list}/passkey`);
    const options = await browser.open(`${list}/passkey/options`, post(registry, form));
    const device = softwareAuthenticator({ origin: registry.origin });
    await browser.send(form, { answer: device.create(JSON.parse(options.text) as never) });
    await registry.db.change(line, change => change.deleteFrom('loginPassword').where('loginId', '=', 'login-bill').execute());
    // A browser that logs in with the passkey alone.
    const other = browserAt(registry.origin);
    const signIn = await other.open(list);
    const path = new URL(signIn.url).pathname;
    const asked = await other.open(`${path}/passkey-alone/options`, post(registry, signIn));
    const answer = device.get(JSON.parse(asked.text) as never);
    const page = await other.open(`${path}/passkey-alone`, post(registry, signIn, { answer }));
    expect(page.url).toBe(registry.origin + list);
    const remove = await other.open(linkTo(page, 'remove'));
    expect(remove.text).toContain('This passkey is the only way to log in.');
    expect((await other.open(linkTo(page, 'remove'), post(registry, await other.open(linkTo(page, 'rename'))))).status).toBe(409);
    expect(await listPasskeys(registry.db.read, 'login-bill')).toHaveLength(1);
  });

  test('an answer that is refused says so with 400 and adds nothing', async () => {
    await using registry = await testRegistry();
    const { browser } = await at(registry, 'bill');
    const form = await browser.open(`${list}/passkey`);
    const options = await browser.open(`${list}/passkey/options`, post(registry, form));
    const foreign = softwareAuthenticator({ origin: 'https://evil.example' });
    const answer = foreign.create(JSON.parse(options.text) as never);
    for (const [given, words] of [
      [answer, 'couldn’t be verified'],
      [answer, 'sent twice'],
      ['{}', 'can’t be read'],
      ['', 'can’t be read'],
    ] as const) {
      const page = await browser.send(form, { answer: given });
      expect([page.status, said(page)]).toEqual([400, expect.stringContaining(words)]);
    }
    expect(await listPasskeys(registry.db.read, 'login-bill')).toEqual([]);
  });
});

describe('changes', () => {
  test('need a sign-in at most five minutes old; the typed name is kept and nothing is changed', async () => {
    await using registry = await testRegistry();
    const { browser, page } = await at(registry, 'corin');
    const rename = await browser.open(linkTo(page, 'rename'));
    // The provider's own clock cannot be moved: its session is made older instead.
    await registry.db.unrecorded
      .updateTable('oidcPayload')
      .set(eb => ({ payload: eb.fn<string>('jsonb_set', ['payload', eb.val('{loginTs}'), eb.val('1000')]) }))
      .where('model', '=', 'Session')
      .execute();
    const asked = await browser.send(rename, { name: 'Kept meanwhile' });
    expect(asked.url).toContain('/sign-in/');
    expect(await listAuthenticators(registry.db.read, 'login-corin')).toMatchObject([{ name: 'Authenticator app' }]);
    const code = await browser.send(asked, { username: 'corin', password: 'demo-registry-corin' });
    const back = await browser.send(code, { code: registry.codeOf('corin', 1) });
    expect(back.url).toContain(linkTo(page, 'rename'));
    expect(said(back)).toBe('You logged in again. No changes were made yet.');
    expect(back.text).toContain('value="Kept meanwhile"');
    expect(said(await browser.send(back))).toBe('The name was changed.');
  });

  test('are refused without the token of their page', async () => {
    await using registry = await testRegistry();
    const { browser, page } = await at(registry, 'corin');
    const paths = [
      linkTo(page, 'rename'),
      linkTo(page, 'remove'),
      `${list}/authenticator`,
      `${list}/passkey`,
      `${list}/passkey/options`,
      `${list}/recovery-codes`,
      `${list}/recovery-codes/download`,
      `${list}/recovery-codes/saved`,
    ];
    for (const path of paths) {
      const init = { method: 'POST', body: new URLSearchParams({ name: 'x', csrf: 'AAAA' }), headers: { origin: registry.origin } };
      expect([path, (await browser.open(path, init)).status]).toEqual([path, 403]);
    }
  });
});

test('new recovery codes replace the earlier ones; without any, there is no file', async () => {
  await using registry = await testRegistry();
  const { browser } = await at(registry, 'corin');
  const first = await browser.send(await browser.open(`${list}/recovery-codes`));
  const second = await browser.send(await browser.open(`${list}/recovery-codes`));
  expect(codesOn(second)).toHaveLength(10);
  expect(codesOn(second)).not.toContain(codesOn(first)[0]);
  expect(await recoveryCodesLeft(registry.db.read, 'login-corin')).toBe(10);
  for (const page of [first, second]) {
    const file = await browser.send(page, {}, `${list}/recovery-codes/download`);
    expect(file.headers.get('content-disposition') !== null).toBe(page === second);
  }
  expect(await subjects(registry)).toEqual(['New recovery codes were made', 'New recovery codes were made']);
});

test('a person without a factor is not offered recovery codes', async () => {
  await using registry = await testRegistry();
  const { browser, page } = await at(registry, 'bill');
  expect(page.text).toContain('You get ten with your first passkey or authenticator app.');
  expect((await browser.open(`${list}/recovery-codes`)).url).toBe(registry.origin + list);
  await addApp(registry, browser);
  expect(await recoveryCodesLeft(registry.db.read, 'login-bill')).toBe(10);
});
