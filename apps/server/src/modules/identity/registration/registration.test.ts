import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { statementsOf } from '../../../../test/database/statements.ts';
import { setPassword } from '../logins/logins.ts';
import { openMailbox } from '../../../../test/mailbox.ts';
import { browserAt, claimsOf, kinds, type Page, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';

const password = 'seven quiet otters under ice';
const olga = { fullName: 'Olga Perez', email: 'olga.perez@newcomer.example', emailAgain: 'Olga.Perez@newcomer.example', password };

const wrongOf = (page: Page): string[] => [...page.text.matchAll(/<span class="wrong"[^>]*>([^<]*)</g)].map(([, words]) => words!);
const statusesOf = (pages: Page[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(pages, page => page.status)].map(([status, some]) => [status, some.length]));

/** Registers without a sign-in under way. */
async function register(registry: TestRegistry, more: Partial<typeof olga> = {}): Promise<Page> {
  const browser = browserAt(registry.origin);
  return browser.send(await browser.open('/account/register'), { ...olga, emailAgain: more.email ?? olga.emailAgain, ...more });
}

describe('a new person', () => {
  test('registers in the course of a sign-in, confirms by mail, and continues with it', async () => {
    await using registry = await testRegistry(undefined, {}, async () => false);
    await using mailbox = await openMailbox(registry);
    const browser = browserAt(registry.origin);
    const started = await browser.authorize({ prompt: 'create' });
    expect(started.url).toContain('/register');
    expect(started.text).toContain('At least 15 characters');
    const sent = await browser.send(started, olga);
    expect(sent.text).toContain('Check your e-mail');

    const [mail] = await mailbox.to(olga.email);
    expect(mail!.subject).toBe('Confirm your registration at MyRegistry');
    expect(mail!.body).toContain('Hello Olga Perez,');
    expect(mail!.body).toMatch(/Address: (::ffff:)?127\.0\.0\.1|Address: ::1/);
    expect(mail!.body).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    const people = registry.db.read.selectFrom('login').select(['username', 'email', 'emailVerified', 'fullName', 'nickname']);
    expect(await people.where('email', '=', olga.email).execute()).toEqual([]);

    const confirm = await browser.open(await mailbox.linkTo(olga.email));
    expect(confirm.text).toContain('Olga Perez');
    const made = await browser.send(confirm);
    expect(made.text).toContain('You have a login');
    expect(await people.where('email', '=', olga.email).execute()).toEqual([
      { username: 'olga.perez', email: olga.email, emailVerified: true, fullName: 'Olga Perez', nickname: 'Olga' },
    ]);
    // This browser registered and opened the link: it goes on without the password, which it gave when it registered.
    registry.later(60);
    const callback = await browser.send(made);
    const tokens = await browser.redeem(callback.url, started.verifier);
    expect(tokens.status).toBe(200);
    const claims = claimsOf(((await tokens.json()) as { id_token: string }).id_token);
    expect(claims).toMatchObject({ amr: ['pwd'], email: olga.email });
    // The password was given when registering, which is what a later check of its age counts from.
    expect(Number(claims.auth_time)).toBeLessThanOrEqual(registry.now().getTime() / 1000 - 60);
    expect(await registry.actions()).toEqual(expect.arrayContaining(['identity.askForRegistration', 'identity.register']));
  });

  test('confirms in another browser, where the log in begins anew', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    const browser = browserAt(registry.origin);
    const started = await browser.authorize({ prompt: 'create' });
    await browser.send(started, olga);
    const phone = browserAt(registry.origin);
    const made = await phone.send(await phone.open(await mailbox.linkTo(olga.email)));
    const isActive = await phone.send(made);
    expect(new URL(isActive.url).pathname).toBe('/');
    expect(new URL(isActive.url).hash).toBe('#registered=olga.perez');
    expect((await phone.authorize()).text).toContain('User name or e-mail');
  });

  test('types the password where a second factor is needed, or once the password was set again', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    const confirmed = async (email: string, params: Record<string, string> = {}) => {
      const browser = browserAt(registry.origin);
      await browser.send(await browser.authorize({ prompt: 'create', ...params }), { ...olga, email, emailAgain: email });
      return { browser, made: await browser.send(await browser.open(await mailbox.linkTo(email))) };
    };
    const strict = await confirmed(olga.email, { acr_values: registry.config.stepUpAcr });
    const asked = await strict.browser.send(strict.made);
    expect(asked.text).toMatch(/<input[^>]*name="username"[^>]*value="olga\.perez"/);

    const reset = await confirmed('olaf@newcomer.example');
    const { loginId } = await registry.db.read
      .selectFrom('login')
      .select('loginId')
      .where('username', '=', 'olaf')
      .executeTakeFirstOrThrow();
    const line = { action: 'identity.resetPassword', summary: 'Set a new password', traceId: '0'.repeat(32) };
    await registry.db.change(line, change => setPassword(change, loginId, 'another quiet otter under ice'));
    expect((await reset.browser.send(reset.made)).text).toMatch(/<input[^>]*name="username"[^>]*value="olaf"/);
  });

  test('gets a user name made from the address, with a number if it is taken', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    for (const [email, username] of [
      ['corin@elsewhere.example', 'corin2'],
      ['Corin@third.example', 'corin3'],
      ['+tag~x@third.example', 'tag-x'],
    ] as const) {
      await register(registry, { email });
      const browser = browserAt(registry.origin);
      const made = await browser.send(await browser.open(await mailbox.linkTo(email)));
      expect(made.text).toContain(`>${username}<`);
    }
  });

  test('sees the error at the field, and keeps the input except the password', async () => {
    await using registry = await testRegistry();
    const page = await register(registry, {
      fullName: 'see https://evil.example',
      email: 'olga@',
      emailAgain: 'olga@x',
      password: 'olga perez 2024!',
    });
    expect(page.status).toBe(422);
    expect(wrongOf(page)).toEqual([
      'Enter your full name, without addresses.',
      expect.stringMatching(/^Enter a valid email address/),
      'The two addresses don’t match.',
      expect.stringContaining('This password is mostly a name'),
    ]);
    expect(page.text).toContain('value="olga@"');
    expect(page.text).not.toContain('olga perez 2024!');
    const foreign = await register(registry, {
      fullName: 'Olga \u202ezereP',
      email: 'ольга@newcomer.example',
      emailAgain: 'ольга@newcomer.example',
    });
    expect(wrongOf(foreign)).toEqual([
      'Enter your full name on one line, without invisible characters.',
      expect.stringMatching(/valid email.*in English/),
    ]);
    expect(await registry.db.read.selectFrom('loginLink').selectAll().execute()).toEqual([]);
  });

  test('is not affected by a form of another site', async () => {
    await using registry = await testRegistry();
    const answer = await fetch(`${registry.origin}/account/register`, {
      method: 'POST',
      body: new URLSearchParams(olga),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(400);
    expect(await registry.db.read.selectFrom('task').selectAll().execute()).toEqual([]);
  });
});

describe('the link of a registration', () => {
  for (const kind of kinds) {
    test(`makes one login, even if many confirm at the same time (${kind})`, async () => {
      await using registry = await testRegistry(kind);
      await using mailbox = await openMailbox(registry);
      await register(registry);
      const browser = browserAt(registry.origin);
      const confirm = await browser.open(await mailbox.linkTo(olga.email));
      const pages = await Promise.all(Array.from({ length: 20 }, () => browser.send(confirm)));
      expect(statusesOf(pages)).toEqual({ 200: 1, 410: 19 });
      const people = await registry.db.read.selectFrom('login').select('loginId').where('email', '=', olga.email).execute();
      expect(people).toHaveLength(1);
    });
  }

  test('of two registrations of one address makes one login, and the second one says so', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await register(registry);
    const first = await mailbox.linkTo(olga.email);
    await register(registry, { fullName: 'Somebody Else' });
    const second = await mailbox.linkTo(olga.email);
    expect(second).not.toBe(first);
    const browser = browserAt(registry.origin);
    const [one, two] = [await browser.open(first), await browser.open(second)];
    const pages = await Promise.all([browser.send(one), browser.send(two)]);
    expect(statusesOf(pages)[200]).toBe(1);
    expect((await browser.open(first)).status).toBe(410);
    expect((await browser.open(second)).status).toBe(410);
  });

  test('does nothing when it is merely opened, as mail scanners do', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await register(registry);
    const link = await mailbox.linkTo(olga.email);
    for (let i = 0; i < 3; i++) expect((await browserAt(registry.origin).open(link)).status).toBe(200);
    expect(await registry.db.read.selectFrom('login').select('loginId').where('email', '=', olga.email).execute()).toEqual([]);
  });

  test('says whether it has expired, was used or never existed', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await register(registry);
    const browser = browserAt(registry.origin);
    const link = await mailbox.linkTo(olga.email);
    const unknown = await browser.open('/account/confirm-registration?token=nothing');
    expect([unknown.status, unknown.text.includes('Unknown link')]).toEqual([410, true]);
    const confirm = await browser.open(link);
    registry.later(31 * 60);
    const late = await browser.send(confirm);
    expect([late.status, late.text.includes('This link has expired')]).toEqual([410, true]);
    registry.later(-31 * 60);
    await browser.send(confirm);
    const again = await browser.open(link);
    expect([again.status, again.text.includes('This link was already used')]).toEqual([410, true]);
    for (const page of [unknown, late, again]) expect(page.text).not.toContain('Olga');
  });
});

describe('the existence of a login', () => {
  test('is not revealed by registering with its address: the mail tells only its owner', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    const pages = await Promise.all(['bill@example-au.example', 'nobody@example-au.example'].map(email => register(registry, { email })));
    const [known, unknown] = pages.map(({ status, text }) => ({ status, text: text.replaceAll(/\w+@example-au\.example/g, 'x') }));
    expect(known).toEqual(unknown);
    const [mail, ...more] = await mailbox.to('bill@example-au.example');
    expect(more).toEqual([]);
    expect(mail!.subject).toBe('You already have a login at MyRegistry');
    expect(mail!.body).toContain(`${registry.origin}/account/reset`);
    expect(mail!.body).not.toContain('token');
    expect(mail!.body).not.toContain('Olga');
    expect((await mailbox.to('nobody@example-au.example'))[0]!.body).toContain('token=');
  });

  test('takes the same statements', async () => {
    await using registry = await testRegistry();
    const sent = await statementsOf(() => register(registry, { email: 'bill@example-au.example' }));
    expect(sent.length).toBeGreaterThan(3);
    expect(await statementsOf(() => register(registry, { email: 'nobody@example-au.example' }))).toEqual(sent);
  });
});

describe('registering again and again', () => {
  test('from one address has to wait', async () => {
    await using registry = await testRegistry();
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await register(registry, { email: `olga${i}@newcomer.example` })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const page = await register(registry);
    expect(page.text).toContain('Too many attempts. Try again in');
    expect(page.headers.get('retry-after')).toBeTruthy();
    registry.later(16);
    expect((await register(registry)).status).toBe(200);
  });

  test('with one address gets the same answer and no more mail', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    for (let i = 0; i < 8; i++) {
      expect((await register(registry)).text).toContain('Check your e-mail');
      // Each request comes from another address.
      const key = createHash('sha256').update('registrations from 127.0.0.1').digest();
      const { numDeletedRows } = await registry.db.unrecorded.deleteFrom('signInFailure').where('key', '=', key).executeTakeFirstOrThrow();
      expect(numDeletedRows).toBe(1n);
    }
    expect(await mailbox.to(olga.email)).toHaveLength(5);
  });
});
