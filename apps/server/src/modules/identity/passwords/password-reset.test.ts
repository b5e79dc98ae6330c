import { createHash } from 'node:crypto';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openMailbox } from '../../../../test/mailbox.ts';
import { browserAt, fetchCaller, kinds, type Page, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { statementsOf } from '../../../../test/database/statements.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import { disableLogin } from '../logins/logins.ts';

const password = 'nine herons left the harbour';
const bill = 'bill@example-au.example';
const corin = 'corin@example-au.example';
const line = { action: 'test.people', summary: 'Changed people', traceId: 'b'.repeat(32) };

async function ask(registry: TestRegistry, name: string): Promise<Page> {
  const browser = browserAt(registry.origin);
  return browser.send(await browser.open('/account/reset'), { name });
}

const asPlainPerson = (): Promise<TestRegistry> => testRegistry(undefined, {}, async () => false);

describe('a person who forgot the password', () => {
  test('gets a link, chooses a new one, and logs in with it alone', async () => {
    await using registry = await asPlainPerson();
    await using mailbox = await openMailbox(registry);
    const before = await browserAt(registry.origin).signIn(registry, 'bill');
    expect((await ask(registry, 'bill')).text).toContain('Check your e-mail');
    const [mail] = await mailbox.to(bill);
    expect(mail!.subject).toBe('Choose a new password for MyRegistry');
    expect(mail!.body).toContain('Hello Bill Okonkwo,');
    expect(mail!.body).toContain('your login bill');
    const browser = browserAt(registry.origin);
    const choose = await browser.open(await mailbox.linkTo(bill));
    expect(choose.text).toContain('At least 15 characters');
    const weak = await browser.send(choose, { password: 'bill okonkwo 2024' });
    expect([weak.status, weak.text.includes('This password is mostly a name')]).toEqual([422, true]);
    const changed = await browser.send(weak, { password });
    expect(changed.text).toContain('Your password is set');
    expect(browser.jar.size).toBe(0);
    await expect.poll(async () => (await fetchCaller(registry.origin, before.id_token)).status, { timeout: 5000 }).toBe(401);

    const login = await browser.authorize();
    const old = await browser.send(login, { username: 'bill', password: 'demo-registry-bill' });
    expect(old.status).toBe(401);
    const callback = await browser.send(login, { username: 'bill', password });
    expect((await browser.redeem(callback.url, login.verifier)).status).toBe(200);

    const notice = (await mailbox.to(bill)).at(-1)!;
    expect(notice.subject).toBe('Your password at MyRegistry was reset');
    expect(notice.body).toContain(`${registry.origin}/account/reset`);
    expect(notice.body).not.toContain('token=');
    expect((await coolDownOf(registry.db.read, 'login-bill', registry.now()))!.until.slice(0, 13)).toBe(
      instantAfter(registry.now(), DAY_MS).slice(0, 13),
    );
    registry.later(86_401);
    expect(await coolDownOf(registry.db.read, 'login-bill', registry.now())).toBeNull();
    expect(await registry.actions()).toEqual(expect.arrayContaining(['identity.askForNewPassword', 'identity.resetPassword']));
  });

  test('still needs the second factor, and may choose twelve characters', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await ask(registry, corin.toUpperCase());
    const browser = browserAt(registry.origin);
    const choose = await browser.open(await mailbox.linkTo(corin));
    expect(choose.text).toContain('At least 12 characters');
    expect((await browser.send(choose, { password: 'heron wharf' })).text).toContain('11 characters');
    expect((await browser.send(choose, { password: 'heron wharfs' })).status).toBe(200);
    const login = await browser.authorize();
    expect((await browser.send(login, { username: 'corin', password: 'heron wharfs' })).text).toContain('Enter your code');
    expect(await registry.db.read.selectFrom('loginTotp').select('totpId').where('loginId', '=', 'login-corin').execute()).toHaveLength(1);
  });

  test('is let in by the new one where it was chosen, despite earlier mistakes and guesses from elsewhere', async () => {
    await using registry = await testRegistry(undefined, { BEHIND_PROXY: 'true' }, async () => false);
    await using mailbox = await openMailbox(registry);
    const logIn = async (address: string, typed: string): Promise<Page> => {
      const browser = browserAt(registry.origin, { address });
      return browser.send(await browser.authorize(), { username: 'bill', password: typed });
    };
    for (let i = 0; i < 5; i++) expect((await logIn('192.0.2.7', `forgotten ${i}`)).status).toBe(401);
    expect((await logIn('192.0.2.7', 'demo-registry-bill')).status).toBe(429);

    const here = browserAt(registry.origin, { address: '192.0.2.7' });
    await here.send(await here.open('/account/reset'), { name: 'bill' });
    expect((await here.send(await here.open(await mailbox.linkTo(bill)), { password })).text).toContain('Your password is set');
    for (let i = 0; i < 5; i++) expect((await logIn(`198.51.100.${i}`, `guess ${i}`)).status).toBe(401);
    expect((await logIn('203.0.113.5', password)).status).toBe(429);
    expect((await logIn('192.0.2.7', password)).url).toContain('code=');
  });

  test('ends sign-ins that began with the old password', async () => {
    await using registry = await testRegistry(undefined, { DEMO: 'off' });
    await using mailbox = await openMailbox(registry);
    const thief = browserAt(registry.origin);
    const halfWay = await thief.send(await thief.authorize(), { username: 'bill', password: 'demo-registry-bill' });
    expect(halfWay.text).not.toContain('User name or e-mail');
    await ask(registry, 'bill');
    const browser = browserAt(registry.origin);
    await browser.send(await browser.open(await mailbox.linkTo(bill)), { password });
    const page = await thief.open(halfWay.url);
    expect(page.text).toContain('User name or e-mail');
    expect((await thief.send(halfWay)).url).not.toMatch(/[?&]code=/);
  });

  test('ends sign-ins by the old password whose code was not redeemed yet', async () => {
    await using registry = await testRegistry(undefined, {}, async () => false);
    await using mailbox = await openMailbox(registry);
    const thief = browserAt(registry.origin);
    const begun = await thief.authorize();
    const shown = await thief.send(begun, { username: 'bill', password: 'demo-registry-bill' });
    expect(shown.url).toMatch(/[?&]code=/);
    await ask(registry, 'bill');
    const browser = browserAt(registry.origin);
    await browser.send(await browser.open(await mailbox.linkTo(bill)), { password });
    expect((await thief.redeem(shown.url, begun.verifier)).status).toBe(400);
    expect((await thief.authorize({ prompt: 'none' })).url).toContain('error=login_required');
  });

  test('whose login is disabled, or whose address was never verified, gets nothing', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await registry.db.change(line, async change => {
      await disableLogin(change, 'login-bill');
      await change.updateTable('login').set({ emailVerified: false }).where('loginId', '=', 'login-stella').execute();
    });
    await ask(registry, 'bill');
    await ask(registry, 'stella');
    await mailbox.idle();
    expect(mailbox.delivered).toEqual([]);
  });

  test('and whose login was disabled since cannot use the link', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await ask(registry, 'bill');
    const browser = browserAt(registry.origin);
    const choose = await browser.open(await mailbox.linkTo(bill));
    await registry.db.change(line, change => disableLogin(change, 'login-bill'));
    expect((await browser.send(choose, { password })).status).toBe(410);
  });
});

describe('the link of a new password', () => {
  for (const kind of kinds) {
    test(`sets one password, however many use it at the same time (${kind})`, async () => {
      await using registry = await testRegistry(kind);
      await using mailbox = await openMailbox(registry);
      await ask(registry, 'bill');
      const browser = browserAt(registry.origin);
      const choose = await browser.open(await mailbox.linkTo(bill));
      const pages = await Promise.all(Array.from({ length: 20 }, (_, i) => browser.send(choose, { password: `${password} ${i}` })));
      const done = pages.flatMap(({ status }, i) => (status === 200 ? [i] : []));
      expect(done).toHaveLength(1);
      expect(pages.filter(({ status }) => status === 410)).toHaveLength(19);
      expect((await registry.actions()).filter(action => action === 'identity.resetPassword')).toHaveLength(1);
      const login = await browser.authorize();
      expect((await browser.send(login, { username: 'bill', password: `${password} ${done[0]}` })).status).not.toBe(401);
    });
  }

  test('invalidates the others when it is used', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await ask(registry, 'bill');
    const first = await mailbox.linkTo(bill);
    await ask(registry, bill);
    const second = await mailbox.linkTo(bill);
    const browser = browserAt(registry.origin);
    await browser.send(await browser.open(second), { password });
    const page = await browser.open(first);
    expect([page.status, page.text.includes('Request a new link')]).toEqual([410, true]);
  });

  test('says whether it has expired, was used or never existed', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await ask(registry, 'bill');
    const link = await mailbox.linkTo(bill);
    const browser = browserAt(registry.origin);
    const titles = [];
    titles.push((await browser.open('/account/new-password')).text, (await browser.open(`${link.slice(0, -1)}`)).text);
    registry.later(1801);
    titles.push((await browser.open(link)).text);
    registry.later(-1801);
    await browser.send(await browser.open(link), { password });
    titles.push((await browser.open(link)).text);
    expect(titles.map(text => /<h1>([^<]*)/.exec(text)![1])).toEqual([
      'Unknown link',
      'Unknown link',
      'This link has expired',
      'This link was already used',
    ]);
    for (const text of titles) {
      expect(text).toContain('href="/account/reset"');
      expect(text.toLowerCase()).not.toContain('bill');
    }
  });

  test('of a registration sets no password, and vice versa', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    await ask(registry, 'bill');
    const token = new URL(await mailbox.linkTo(bill)).searchParams.get('token')!;
    expect((await browserAt(registry.origin).open(`/account/confirm-registration?token=${token}`)).status).toBe(410);
  });

  test('is never stored in clear: not while it waits, nor after it was sent or used', async () => {
    await using registry = await testRegistry();
    const scan = async (): Promise<string> => {
      const tables = await registry.db.read.rows<{ name: string }>(
        sql`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
          where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
      );
      expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['public.mail', 'public.login_link', 'public.row_change']));
      const rows = await Promise.all(
        tables.map(({ name }) => registry.db.read.rows<{ row: string }>(sql`select t::text as row from ${sql.raw(name)} t`)),
      );
      return rows
        .flat()
        .map(({ row }) => row)
        .join('\n');
    };
    await ask(registry, 'bill');
    await using mailbox = await openMailbox(registry);
    const link = await mailbox.linkTo(bill);
    const token = new URL(link).searchParams.get('token')!;
    const forms = [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex'), link];
    const sent = await scan();
    expect(sent).toContain('{link}');
    for (const form of forms) expect(sent).not.toContain(form);
    const browser = browserAt(registry.origin);
    expect((await browser.send(await browser.open(link), { password })).status).toBe(200);
    const used = await scan();
    for (const form of [...forms, password]) expect(used).not.toContain(form);
  });
});

describe('the existence of a login', () => {
  test('can’t be discovered by asking for a new password', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    const [known, unknown, disabled] = [await ask(registry, 'bill'), await ask(registry, 'nobody'), await ask(registry, '@')];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect([disabled.status, disabled.text]).toEqual([known.status, known.text]);
    await mailbox.idle();
    expect(mailbox.delivered.map(({ recipient }) => recipient)).toEqual([bill]);
  });

  test('takes the same statements', async () => {
    await using registry = await testRegistry();
    const sent = await statementsOf(() => ask(registry, 'bill'));
    expect(sent.length).toBeGreaterThan(3);
    for (const name of [bill, 'nobody', 'nobody@example-au.example']) expect(await statementsOf(() => ask(registry, name))).toEqual(sent);
  });
});

describe('asking again and again', () => {
  test('from one address has to wait', async () => {
    await using registry = await testRegistry();
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await ask(registry, `person${i}`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await ask(registry, 'bill')).text).toContain('Too many attempts. Try again in');
    registry.later(16);
    expect((await ask(registry, 'bill')).status).toBe(200);
  });

  test('by user name or by address doesn’t flood a mailbox', async () => {
    await using registry = await testRegistry();
    await using mailbox = await openMailbox(registry);
    for (let i = 0; i < 10; i++) {
      expect((await ask(registry, i % 2 ? 'bill' : bill)).status).toBe(200);
      // Removes the earlier requests from this address.
      const key = createHash('sha256').update('new passwords asked from 127.0.0.1').digest();
      const { numDeletedRows } = await registry.db.unrecorded.deleteFrom('signInFailure').where('key', '=', key).executeTakeFirstOrThrow();
      expect(numDeletedRows).toBe(1n);
      await mailbox.idle();
    }
    expect(await mailbox.to(bill)).toHaveLength(5);
  });

  test('needs a name', async () => {
    await using registry = await testRegistry();
    const page = await ask(registry, ' ');
    expect([page.status, page.text.includes('Enter your user name or e-mail address.')]).toEqual([422, true]);
  });
});
