import { HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testContext } from '../../../../test/context.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { browserAt, fetchCaller, kinds, type Page, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { bodyOf } from '../../mail/mail.ts';
import { mailEmailChange } from './email-change.ts';
import { createLogin, demoPasswordOf, setPassword } from '../logins/logins.ts';

type Browser = ReturnType<typeof browserAt>;

const mail = async (registry: TestRegistry) => {
  const rows = await registry.db.read.selectFrom('mail').selectAll().orderBy('mailId').execute();
  return rows.map(row => ({ ...row, body: bodyOf(openSecretBox(registry.config), row) }));
};
const mailTo = async (registry: TestRegistry, recipient: string) =>
  (await mail(registry)).filter(message => message.recipient === recipient);
const linkIn = ({ body }: { body: string }): string => /http:\S+token=\S+/.exec(body)![0];

/** Writes the mails that tasks write. */
async function runMailTasks(registry: TestRegistry): Promise<void> {
  const tasks = await registry.db.read.selectFrom('task').selectAll().where('name', '=', mailEmailChange.name).execute();
  for (const { input, name } of tasks)
    await mailEmailChange.run({
      db: registry.db,
      taskId: 1,
      input: mailEmailChange.input.parse(input),
      activity: { action: name, summary: mailEmailChange.summary, traceId: 'c'.repeat(32) },
      context: testContext(registry),
      progress: async () => {},
    });
}

/** Sets the time of the last full sign-in of every person to so many seconds ago. */
const signedInAgo = (registry: TestRegistry, seconds: number) =>
  sql`update oidc_payload set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::bigint - ${seconds}::bigint))
    where model = 'Session' and payload ? 'loginTs'`.execute(registry.db.unrecorded);

/** Signs in on the pages that ask for it, and returns the page after them. */
async function logInOn(browser: Browser, registry: TestRegistry, page: Page, username: string): Promise<Page> {
  let next = await browser.send(page, { username, password: demoPasswordOf(username) });
  if (/Enter your code/.test(next.text)) {
    registry.later(30);
    next = await browser.send(next, { code: registry.codeOf(username) });
  }
  return next;
}

/** The form with this action on a page, as the only one. */
const formOf = (page: Page, action: string): Page => ({
  ...page,
  text:
    [...page.text.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form).find(form => form.includes(`action="${action}"`)) ?? '',
});
const open = (browser: Browser, path: string) => browser.open(path);

test('a person without a session is sent to log in, and back to the page', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  const asked = await open(browser, '/account/sessions?x=1');
  expect(asked.text).toContain('Log in');
  const page = await logInOn(browser, registry, asked, 'bill');
  expect([page.status, page.url]).toEqual([200, `${registry.origin}/account/sessions?x=1`]);
  expect(page.text).toContain('This session');
});

test('the overview shows the person, how the login is protected, and where it is used', async () => {
  await using registry = await testRegistry();
  const [bill, corin] = [browserAt(registry.origin), browserAt(registry.origin)];
  await bill.signIn(registry, 'bill');
  const alone = await open(bill, '/account');
  expect(alone.text).toContain('Your login is protected by a password only');
  expect(alone.text).toContain('none');
  await corin.signIn(registry, 'corin');
  const protectedPage = await open(corin, '/account');
  expect(protectedPage.text).toContain('Two-factor authentication is on');
  // The name that an app has without another one says what it is.
  expect(protectedPage.text).toContain('Authenticator app<');
  expect(protectedPage.text).not.toContain('(authenticator app)');
  expect(protectedPage.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(protectedPage.headers.get('cache-control')).toBe('no-store');
});

test('a changed name greets the person immediately, and is one line in the activity log', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  const { id_token } = await browser.signIn(registry, 'bill');
  const page = await open(browser, '/account/profile');
  const saved = await browser.send(page, { fullName: ' Bill  Okonkwo-Lee ', displayName: '', nickname: 'Billy' });
  expect(saved.url).toContain('/account/profile?done=names');
  expect(saved.text).toContain('Your names were saved.');
  expect(saved.text).toContain('Hello, Billy!');
  expect(saved.text).toContain('value="Bill Okonkwo-Lee"');
  expect((await registry.actions()).filter(action => action === 'identity.changeNames')).toHaveLength(1);
  expect((await fetchCaller(registry.origin, id_token)).status).toBe(200);
});

test.each([
  [{ fullName: '' }, 'Enter your full name.'],
  [{ fullName: 'x'.repeat(101) }, 'A full name has at most 100 characters.'],
  [{ nickname: 'a\u202eb' }, 'Enter the nickname on one line, without invisible characters.'],
])('invalid names (%j) are refused at their field, and the input stays', async (typed, words) => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = await browser.send(await open(browser, '/account/profile'), { displayName: 'Typed before', ...typed });
  expect(page.status).toBe(422);
  expect(page.text).toContain(words);
  expect(page.text).toContain('value="Typed before"');
  expect(await registry.actions()).not.toContain('identity.changeNames');
});

test('names typed before the session ended are there again after logging in, and only for the person who typed them', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = await open(browser, '/account/profile');
  browser.jar.delete('op_session');
  const asked = await browser.send(page, { nickname: 'Typed in vain?' });
  expect(asked.text).toContain('Log in');
  const jar = new Map(browser.jar);
  const back = await logInOn(browser, registry, asked, 'bill');
  expect(back.url).toContain('/account/profile?again=');
  expect(back.text).toContain('No changes were made yet');
  expect(back.text).toContain('value="Typed in vain?"');
  expect(await registry.actions()).not.toContain('identity.changeNames');

  const other = browserAt(registry.origin);
  for (const [name, value] of jar) other.jar.set(name, value);
  await other.signIn(registry, 'corin');
  const foreign = await open(other, new URL(back.url).pathname + new URL(back.url).search);
  expect(foreign.text).not.toContain('Typed in vain?');
});

test('a POST from a stranger to the pages of a login is discarded', async () => {
  await using registry = await testRegistry();
  for (const csrf of ['', 'x.y.z', `x.${'0'.repeat(36)}.y`]) {
    const body = new URLSearchParams({ csrf, nickname: 'Mallory' });
    const asked = await browserAt(registry.origin).open('/account/profile', { method: 'POST', body });
    expect(asked.text).toContain('Log in');
  }
  expect(await registry.db.read.selectFrom('oidcPayload').select('id').where('model', '=', 'AccountDraft').execute()).toEqual([]);
});

test('a form without the token of its page changes nothing', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  for (const [path, typed] of [
    ['/account/profile', { fullName: 'Somebody Else' }],
    ['/account/email', { email: 'x@example.net', again: 'x@example.net' }],
    ['/account/password', { current: demoPasswordOf('bill'), password: 'correct horse battery staple' }],
    ['/account/sessions/end-others', {}],
  ] as const) {
    for (const csrf of ['', 'wrong', 'x'.repeat(43)]) {
      const page = await browser.open(path, { method: 'POST', body: new URLSearchParams({ csrf, ...typed }) });
      expect([path, page.status]).toEqual([path, 403]);
    }
  }
  expect((await registry.actions()).filter(action => !['test.people', 'identity.createKeys', 'identity.signIn'].includes(action))).toEqual(
    [],
  );
});

test('a change needs a sign-in within the last five minutes, with the second factor if the person has one', async () => {
  await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
  const [bill, corin] = [browserAt(registry.origin), browserAt(registry.origin)];
  await bill.signIn(registry, 'bill');
  await corin.signIn(registry, 'corin');
  expect((await open(bill, '/account/password')).text).toContain('Current password');
  await signedInAgo(registry, 301);
  const old = await open(bill, '/account/password');
  expect(old.text).not.toContain('Current password');
  expect(old.text).toContain('Log in again to change it');
  const asked = await open(bill, '/account/password?change=1');
  expect(asked.text).toContain('value="bill"');
  expect((await logInOn(bill, registry, asked, 'bill')).text).toContain('Current password');

  // Corin's session has no second factor yet.
  const stepUp = await open(corin, '/account/email?change=1');
  const changed = await logInOn(corin, registry, stepUp, 'corin');
  expect(changed.url).toBe(`${registry.origin}/account/email?change=1`);
  expect(changed.text).toContain('Send the link');
});

test('a password typed into a page that was open too long is discarded, and the page says so', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = await open(browser, '/account/password');
  await signedInAgo(registry, 301);
  const typed = { current: demoPasswordOf('bill'), password: 'seven quiet lakes at noon' };
  const asked = await browser.send(formOf(page, '/account/password'), typed);
  const back = await logInOn(browser, registry, asked, 'bill');
  expect(back.text).toContain('Enter your passwords again.');
  expect(back.text).not.toContain('seven quiet lakes');
  const payloads = await registry.db.unrecorded.selectFrom('oidcPayload').select('payload').execute();
  expect(JSON.stringify(payloads)).not.toContain('seven quiet lakes');
});

test.each(kinds)(
  'a changed password ends the other sessions within a second, in every process, and is announced by mail (%s)',
  async kind => {
    await using registry = await testRegistry(kind);
    const other = kind === 'postgres' ? await registry.another() : null;
    const [here, there] = [browserAt(registry.origin), browserAt(registry.origin)];
    const mine = await here.signIn(registry, 'bill');
    const others = await there.signIn(registry, 'bill');
    const page = formOf(await open(here, '/account/password'), '/account/password');
    const password = 'seven quiet lakes at noon';
    const done = await here.send(page, { current: demoPasswordOf('bill'), password });
    expect(done.text).toContain('Your password was changed.');
    for (const { origin } of [registry, ...(other ? [other] : [])])
      await expect.poll(async () => (await fetchCaller(origin, others.id_token)).status, { timeout: 1000 }).toBe(401);
    expect((await fetchCaller(registry.origin, mine.id_token)).status).toBe(200);
    expect((await open(there, '/account')).text).toContain('Log in');
    const [notice] = (await mailTo(registry, 'bill@example-au.example')).filter(({ subject }) => subject === 'Your password was changed');
    expect(notice!.body).toMatch(/Login: bill\nWhen: .* UTC\nAddress: \S+\nDevice: /);
    expect(notice!.body).toContain('If this was not you');
    const again = browserAt(registry.origin);
    const refused = await again.send(await again.authorize(), { username: 'bill', password: demoPasswordOf('bill') });
    expect(refused.status).toBe(401);
    await other?.[Symbol.asyncDispose]();
  },
);

test.each([
  [{ current: 'wrong' }, 'Wrong password.'],
  [{ password: 'short' }, 'This password has 5 characters.'],
  [{ password: demoPasswordOf('bill') }, 'This is your current password.'],
])('an invalid password change (%j) is refused and changes nothing', async (typed, words) => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = formOf(await open(browser, '/account/password'), '/account/password');
  const good = { current: demoPasswordOf('bill'), password: 'seven quiet lakes at noon' };
  const refused = await browser.send(page, { ...good, ...typed });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(words);
  expect(refused.text).not.toContain('seven quiet lakes');
  expect(await registry.actions()).not.toContain('identity.changePassword');
});

test('a person who guesses the current password in an open browser has to wait, as at the log in', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = formOf(await open(browser, '/account/password'), '/account/password');
  const guess = (current: string) => browser.send(page, { current, password: 'seven quiet lakes at noon' });
  for (let times = 0; times < 5; times++) expect((await guess('wrong')).status).toBe(422);
  const waiting = await guess(demoPasswordOf('bill'));
  expect([waiting.status, waiting.headers.has('retry-after')]).toEqual([429, true]);
  registry.later(20);
  expect((await guess(demoPasswordOf('bill'))).url).toContain('done=password');
});

test('a person with enough passkeys can remove the password, and set one again', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  const hasPassword = async (): Promise<boolean> =>
    (await registry.db.read.selectFrom('loginPassword').select('loginId').where('loginId', '=', 'login-corin').execute()).length > 0;
  const addPasskey = (credentialId: string) =>
    registry.db.change({ action: 'test.passkey', summary: 'Added a passkey', traceId: '1'.repeat(32) }, change =>
      change
        .insertInto('loginPasskey')
        .values({
          credentialId,
          loginId: 'login-corin',
          name: credentialId,
          publicKey: Buffer.from([1]),
          deviceType: 'multiDevice',
          enrolledAt: change.now,
        })
        .execute(),
    );
  await browser.signIn(registry, 'corin');
  await addPasskey('phone');
  const alone = await open(browser, '/account/password');
  expect(alone.text).toContain('This needs two passkeys, or one passkey and recovery codes');
  const anyway = await browser.send({
    ...alone,
    text: alone.text.replace('action="/account/password"', 'action="/account/password/remove"'),
  });
  expect([anyway.status, await hasPassword()]).toEqual([409, true]);

  await addPasskey('laptop');
  const page = await open(browser, '/account/password');
  const removed = await browser.send(formOf(page, '/account/password/remove'));
  expect(removed.text).toContain('Your password was removed.');
  expect(await hasPassword()).toBe(false);
  expect((await mailTo(registry, 'corin@example-au.example')).at(-1)!.subject).toBe('Your password was removed');
  const refused = browserAt(registry.origin);
  expect((await refused.send(await refused.authorize(), { username: 'corin', password: demoPasswordOf('corin') })).status).toBe(401);

  expect(removed.text).not.toContain('Current password');
  const set = await browser.send(formOf(removed, '/account/password'), { password: 'seven quiet lakes at noon' });
  expect(set.text).toContain('Your password was set.');
  expect(await hasPassword()).toBe(true);
});

test('a person who doesn’t want to sign in again gets a page that says nothing was changed', async () => {
  await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'corin');
  const stepUp = await open(browser, '/account/password?change=1');
  const cancelled = await browser.send(stepUp, {}, `/sign-in/${new URL(stepUp.url).pathname.split('/')[2]}/cancel`);
  expect(cancelled.url).toContain('/account/return?error=access_denied');
  expect(cancelled.text).toContain('You didn’t log in');
  expect(cancelled.text).toContain('No changes were made.');
});

/** Bill asks for another address; answers the link his new mailbox gets. */
async function askForAddress(registry: TestRegistry, browser: Browser, email: string): Promise<Page> {
  return browser.send(formOf(await open(browser, '/account/email'), '/account/email'), { email, again: email });
}

test.each(kindsForRules)(
  'a new address takes effect once its link was confirmed; both addresses are notified, others are logged out, and the old one can undo it (%s)',
  async kind => {
    await using registry = await testRegistry(kind);
    const [here, there] = [browserAt(registry.origin), browserAt(registry.origin)];
    const mine = await here.signIn(registry, 'bill');
    const others = await there.signIn(registry, 'bill');
    const [old, fresh] = ['bill@example-au.example', 'Bill.Okonkwo@example.net'];

    const asked = await askForAddress(registry, here, fresh);
    expect(asked.text).toContain('We sent a link to the new address.');
    expect(asked.text).toContain(fresh);
    expect((await mailTo(registry, old)).at(-1)!.subject).toBe('New e-mail address requested');
    await runMailTasks(registry);
    const link = linkIn((await mailTo(registry, fresh)).at(-1)!);
    const read = await open(here, link);
    expect(read.text).toContain('Confirm your e-mail address');
    const stillOld = await registry.db.read
      .selectFrom('login')
      .select('email')
      .where('loginId', '=', 'login-bill')
      .executeTakeFirstOrThrow();
    expect(stillOld.email).toBe(old);

    const confirmed = await here.send(read);
    expect(confirmed.text).toContain('Address changed');
    const login = () =>
      registry.db.read
        .selectFrom('login')
        .select(['email', 'emailVerified', 'coolDownUntil'])
        .where('loginId', '=', 'login-bill')
        .executeTakeFirstOrThrow();
    expect(await login()).toMatchObject({ email: fresh, emailVerified: true });
    expect(Date.parse((await login()).coolDownUntil!) - Date.now()).toBeGreaterThan(23 * HOUR_MS);
    await expect.poll(async () => (await fetchCaller(registry.origin, others.id_token)).status, { timeout: 1000 }).toBe(401);
    expect((await fetchCaller(registry.origin, mine.id_token)).status).toBe(200);
    expect((await open(here, '/account')).text).toContain('The e-mail address of your login was changed');
    expect((await mailTo(registry, fresh)).at(-1)!.subject).toBe('Your e-mail address was changed');
    expect((await here.send(read)).text).toContain('This link was already used');

    // For a day the old address is notified of changes, and can undo this one.
    const undo = (await mailTo(registry, old)).at(-1)!;
    expect(undo.subject).toBe('Your e-mail address was changed');
    const outside = browserAt(registry.origin);
    const undone = await outside.send(await open(outside, linkIn(undo)));
    expect(undone.text).toContain('Address changed back');
    expect((await login()).email).toBe(old);
    await expect.poll(async () => (await fetchCaller(registry.origin, mine.id_token)).status, { timeout: 1000 }).toBe(401);
    expect((await mailTo(registry, fresh)).at(-1)!.subject).toBe('Your e-mail address was changed back');
    expect((await open(outside, linkIn(undo))).text).toContain('This link was already used');
  },
);

test('the answer does not reveal whether an address has a login: the page is identical, its owner is notified', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const free = await askForAddress(registry, browser, 'free@example.net');
  const taken = await askForAddress(registry, browser, 'corin@example-au.example');
  const plain = (page: Page): string =>
    page.text.replaceAll(/free@example\.net|corin@example-au\.example/g, 'ADDRESS').replaceAll(/<time.*?<\/time>/g, 'TIME');
  expect(plain(taken)).toBe(plain(free));
  expect(taken.status).toBe(free.status);
  await runMailTasks(registry);
  const [message] = await mailTo(registry, 'corin@example-au.example');
  expect(message!.subject).toBe('This address already belongs to a login');
  expect(message!.body).not.toContain('token=');
  // Only the last address asked for gets a link.
  expect(await mailTo(registry, 'free@example.net')).toEqual([]);
});

test.each(kinds)(
  'of two people who confirm the same address concurrently, one gets it and the other gets an explanation (%s)',
  async kind => {
    await using registry = await testRegistry(kind);
    await registry.db.change({ action: 'test.people', summary: 'Added a person', traceId: 'd'.repeat(32) }, async change => {
      await createLogin(change, {
        loginId: 'login-nadia',
        username: 'nadia',
        fullName: 'Nadia',
        email: 'nadia@example.net',
        emailVerified: true,
        demoRole: 'of the tests',
      });
      await setPassword(change, 'login-nadia', demoPasswordOf('nadia'));
    });
    const pages = await Promise.all(
      ['bill', 'nadia'].map(async username => {
        const browser = browserAt(registry.origin);
        await browser.signIn(registry, username);
        await askForAddress(registry, browser, 'wanted@example.net');
        return browser;
      }),
    );
    await runMailTasks(registry);
    const links = (await mailTo(registry, 'wanted@example.net')).map(linkIn);
    expect(links).toHaveLength(2);
    const shown = await Promise.all(pages.map((browser, i) => open(browser, links[i]!)));
    const answers = await Promise.all(pages.map((browser, i) => browser.send(shown[i]!)));
    expect(answers.map(({ text }) => /Address changed|belongs to another login/.exec(text)?.[0])).toSatisfy(
      (said: string[]) => said.includes('Address changed') && said.includes('belongs to another login'),
    );
    const changes = (await registry.actions()).filter(action => action === 'identity.changeEmail');
    expect(changes).toHaveLength(1);
  },
);

test.each([
  ['nobody', 'Enter a valid email address, such as name@example.net.'],
  ['bill@exämple.net', 'This must be a valid email in English.'],
  ['BILL@example-au.example', 'This is your current address.'],
])('"%s" is no new address', async (email, words) => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = await askForAddress(registry, browser, email);
  expect(page.status).toBe(422);
  expect(page.text).toContain(words);
  expect(page.text).toContain(`value="${email}"`);
  expect(await registry.actions()).not.toContain('identity.askForEmailChange');
});

test('an address must be confirmed by typing it twice, and many requests have to wait', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const page = formOf(await open(browser, '/account/email'), '/account/email');
  const different = await browser.send(page, { email: 'a@example.net', again: 'b@example.net' });
  expect(different.text).toContain('The two addresses don’t match.');
  for (let times = 0; times < 5; times++) expect((await askForAddress(registry, browser, `n${times}@example.net`)).status).toBe(200);
  expect((await askForAddress(registry, browser, 'n6@example.net')).status).toBe(429);
});

test('forged links and links of another kind are refused', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  await askForAddress(registry, browser, 'new@example.net');
  await runMailTasks(registry);
  const token = new URL(linkIn((await mailTo(registry, 'new@example.net'))[0]!)).searchParams.get('token')!;
  for (const path of [
    '/account/email/confirm',
    '/account/email/undo?token=',
    `/account/email/undo?token=${token}`,
    '/account/email/confirm?token=x',
  ])
    expect([path, (await open(browser, path)).status]).toEqual([path, 410]);
  const forged = await browser.open('/account/email/confirm', { method: 'POST', body: new URLSearchParams({ token, csrf: 'x' }) });
  expect(forged.status).toBe(410);
  registry.later(31 * 60);
  expect((await open(browser, `/account/email/confirm?token=${token}`)).text).toContain('This link has expired');
});

test.each(kinds)('a session that is ended is refused at the API within a second, in every process (%s)', async kind => {
  await using registry = await testRegistry(kind);
  const other = kind === 'postgres' ? await registry.another() : null;
  const [here, there] = [browserAt(registry.origin), browserAt(registry.origin)];
  const mine = await here.signIn(registry, 'bill');
  const others = await there.signIn(registry, 'bill');
  for (const { origin } of [registry, ...(other ? [other] : [])]) expect((await fetchCaller(origin, others.id_token)).status).toBe(200);
  const page = await open(here, '/account/sessions');
  const end = formOf(page, '/account/sessions/end');
  const done = await here.send(end);
  expect(done.text).toContain('The session was ended.');
  for (const { origin } of [registry, ...(other ? [other] : [])])
    await expect.poll(async () => (await fetchCaller(origin, others.id_token)).status, { timeout: 1000 }).toBe(401);
  expect((await fetchCaller(registry.origin, mine.id_token)).status).toBe(200);
  expect((await there.authorize({ prompt: 'none' })).url).toContain('login_required');
  const after = await open(here, '/account/sessions');
  expect(after.text).toContain('ended by you');
  expect(after.text).toContain('You aren’t logged in anywhere else.');
  await other?.[Symbol.asyncDispose]();
});

test("a person cannot end another's session, whatever id they send", async () => {
  await using registry = await testRegistry();
  const [bill, corin] = [browserAt(registry.origin), browserAt(registry.origin)];
  await bill.signIn(registry, 'bill');
  const hers = await corin.signIn(registry, 'corin');
  const sid = (JSON.parse(Buffer.from(hers.id_token.split('.')[1]!, 'base64url').toString()) as { sid: string }).sid;
  const page = await open(bill, '/account/profile');
  for (const wanted of [sid, 'unknown', '']) {
    const answered = await bill.send(
      { ...page, text: page.text.replace('action="/account/profile"', 'action="/account/sessions/end"') },
      { sid: wanted },
    );
    expect(answered.text).not.toContain('The session was ended.');
  }
  expect((await fetchCaller(registry.origin, hers.id_token)).status).toBe(200);
  expect(await registry.actions()).not.toContain('identity.endSession');
  expect(await registry.db.read.selectFrom('session').select('sid').where('sid', '=', 'unknown').execute()).toEqual([]);
});

test('ending all others leaves this one', async () => {
  await using registry = await testRegistry();
  const browsers = [browserAt(registry.origin), browserAt(registry.origin), browserAt(registry.origin)] as const;
  const tokens: { id_token: string }[] = [];
  for (const browser of browsers) tokens.push(await browser.signIn(registry, 'bill'));
  const page = await open(browsers[0], '/account/sessions');
  await browsers[0].send(formOf(page, '/account/sessions/end-others'));
  await expect
    .poll(async () => Promise.all(tokens.map(async ({ id_token }) => (await fetchCaller(registry.origin, id_token)).status)), {
      timeout: 1000,
    })
    .toEqual([200, 401, 401]);
});

test('the list says when a session was used last, and counts one whose browser is gone as over', async () => {
  await using registry = await testRegistry();
  const [here, there] = [browserAt(registry.origin), browserAt(registry.origin)];
  await here.signIn(registry, 'bill');
  await there.signIn(registry, 'bill');
  const uses = () => registry.db.read.selectFrom('sessionUse').select(['sid', 'usedAt', 'address']).orderBy('usedAt').execute();
  const [first, second] = await uses();
  expect(second!.address).not.toBeNull();
  registry.later(600);
  const renewed = await there.authorize({ prompt: 'none' });
  await there.redeem(renewed.url, renewed.verifier);
  const after = await uses();
  expect(after[0]).toEqual(first);
  expect(Date.parse(after[1]!.usedAt) - Date.parse(second!.usedAt)).toBeGreaterThan(500_000);
  expect((await open(here, '/account/sessions')).text).not.toContain('not used any more');

  // The provider forgets what was not renewed in time.
  await sql`delete from oidc_payload where model = 'Session' and jsonb_path_exists(payload, '$.authorizations.*.sid ? (@ == $sid)', jsonb_build_object('sid', ${second!.sid}::text))`.execute(
    registry.db.unrecorded,
  );
  const page = await open(here, '/account/sessions');
  expect(page.text).toContain('not used any more');
  expect(page.text).toContain('You aren’t logged in anywhere else.');
});

test('the history distinguishes sign-ins, failures and changes, in pages and as a file', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.send(await browser.authorize(), { username: 'bill', password: 'wrong' });
  await browser.signIn(registry, 'bill');
  await browserAt(registry.origin).signIn(registry, 'corin');
  await browser.send(await open(browser, '/account/profile'), { nickname: '=cmd' });
  const page = await open(browser, '/account/history');
  for (const what of ['A password was wrong', 'Signed in', 'Changed names']) expect(page.text).toContain(what);
  expect(page.text).not.toContain('Signed in with a second factor');
  const file = await open(browser, '/account/history.csv');
  expect(file.headers.get('content-type')).toContain('text/csv');
  expect(file.text.split('\r\n')[0]).toBe('at,what,action,address,device,with');
  expect(file.text).toMatch(/identity\.signIn,[^,]+,[^,]+,password\r\n/);
  expect(file.text.split('\r\n')).toHaveLength(5);
});

test('a long history comes in pages of fifty', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  const line = { traceId: 'e'.repeat(32), login: { issuer: registry.config.issuerUri, subject: 'login-bill' } };
  for (let i = 1; i <= 60; i++)
    await registry.db.change({ ...line, action: 'identity.test', summary: `Entry number ${i}.` }, change => change.note({ i }));
  const first = await open(browser, '/account/history');
  expect(first.text).toContain('Entry number 60.');
  expect(first.text).not.toContain('Entry number 10.');
  const older = /href="(\/account\/history\?before=\d+)"/.exec(first.text)![1]!;
  const second = await open(browser, older);
  expect(second.text).toContain('Entry number 10.');
  expect(second.text).not.toContain('Entry number 11.');
  expect(second.text).toContain('Newest');
});

test('a log in from a new device or network is announced by mail, once', async () => {
  await using registry = await testRegistry();
  const line = { action: 'test.age', summary: 'Made a login older', traceId: 'f'.repeat(32) };
  await registry.db.change(line, change => change.updateTable('login').set({ createdAt: '2026-01-01T00:00:00Z' }).execute());
  const mailsSent = async () =>
    (await mailTo(registry, 'bill@example-au.example')).filter(({ subject }) => subject === 'New device signed in').length;
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, 'bill');
  expect(await mailsSent()).toBe(1);
  // Renewals and step-ups of the same session, and further sign-ins from there, are not announced.
  await browser.authorize({ prompt: 'none' });
  await browserAt(registry.origin).signIn(registry, 'bill');
  expect(await mailsSent()).toBe(1);
  // The earlier sign-in used another kind of device.
  await registry.db.change(line, change =>
    change.updateTable('session').set({ userAgent: 'Mozilla/5.0 (iPhone) Version/19.0 Safari/605' }).execute(),
  );
  await browserAt(registry.origin).signIn(registry, 'bill');
  expect(await mailsSent()).toBe(2);
});
