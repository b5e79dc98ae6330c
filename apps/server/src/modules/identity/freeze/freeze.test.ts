import { expect, test } from 'vitest';
import { openMailbox } from '../../../../test/mailbox.ts';
import { browserAt, fetchCaller, kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { createAccountWith } from '../../../../test/one-account.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import { unfreezeLogin } from './freeze.ts';
import { notifyPerson } from '../logins/notices.ts';
import { identityTexts } from '../mail-texts.ts';

const password = 'nine herons left the harbour';
const bill = 'bill@example-au.example';
const line = { action: 'test.people', summary: 'Changed people', traceId: 'b'.repeat(32) };

type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** Notifies Bill of a change, and returns the link with which he reports that it was not him. */
async function freezeLinkOf(registry: TestRegistry, mailbox: Mailbox, loginId = 'login-bill'): Promise<string> {
  await registry.db.change(line, change =>
    notifyPerson(change, registry.config, { loginId, text: identityTexts.written('passwordRemoved', {}) }),
  );
  return freezeLinkIn((await mailbox.to(`${loginId.slice(6)}@example-au.example`)).at(-1)!.body);
}
const freezeLinkIn = (body: string): string => /https?:\S+\/account\/freeze\?\S+/.exec(body)![0];
const asPlainPerson = (kind = kinds.at(-1)!): Promise<TestRegistry> => testRegistry(kind, {}, async () => false);

test('"this was not me" is asked first, then freezes the login, until a new password is chosen', async () => {
  await using registry = await asPlainPerson();
  await using mailbox = await openMailbox(registry);
  await registry.db.change(line, change => createAccountWith(change, { corporate: ['corin'], technical: ['bill'] }));
  const thief = await browserAt(registry.origin).signIn(registry, 'bill');
  const stranger = browserAt(registry.origin);
  const asked = await stranger.open(await freezeLinkOf(registry, mailbox));
  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Freeze this login?')]);
  expect((await fetchCaller(registry.origin, thief.id_token)).status).toBe(200);

  const frozen = await stranger.send(asked);
  expect([frozen.status, frozen.text]).toEqual([200, expect.stringContaining('The login is frozen')]);
  await expect.poll(async () => (await fetchCaller(registry.origin, thief.id_token)).status, { timeout: 5000 }).toBe(401);
  expect(await registry.actions()).toContain('identity.freezeLogin');
  expect((await mailbox.to(bill)).at(-1)).toMatchObject({
    subject: 'Your login is frozen',
    body: expect.stringContaining('Forgot password'),
  });
  expect((await mailbox.to('corin@example-au.example')).at(-1)!.subject).toBe('The login of Bill Okonkwo was frozen (FROZEN-AU)');

  const browser = browserAt(registry.origin);
  const refused = await browser.send(await browser.authorize(), { username: 'bill', password: 'demo-registry-bill' });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('This login is frozen')]);
  const wrong = await browser.send(await browser.authorize(), { username: 'bill', password: 'not his' });
  expect([wrong.status, wrong.text.includes('frozen')]).toEqual([401, false]);
  const other = await browserAt(registry.origin).signIn(registry, 'corin');
  expect((await fetchCaller(registry.origin, other.id_token)).status).toBe(200);

  await browser.send(await browser.open('/account/reset'), { name: 'bill' });
  expect((await browser.send(await browser.open(await mailbox.linkTo(bill)), { password })).status).toBe(200);
  const back = await browser.send(await browser.authorize(), { username: 'bill', password });
  expect(back.url).toMatch(/[?&]code=/);
  expect((await coolDownOf(registry.db.read, 'login-bill', registry.now()))!.why).toBe('The password of your login was reset');
});

test('the link works once, for seven days, unmodified, and only from its own page', async () => {
  await using registry = await asPlainPerson();
  await using mailbox = await openMailbox(registry);
  const browser = browserAt(registry.origin);
  const link = await freezeLinkOf(registry, mailbox);
  const second = await freezeLinkOf(registry, mailbox);
  const others = await freezeLinkOf(registry, mailbox, 'login-corin');
  for (const wrong of ['/account/freeze', link.slice(0, -4), link.replace(/link=[^&]+/, /link=[^&]+/.exec(others)![0])]) {
    const page = await browser.open(wrong);
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('This link does not work')]);
  }
  // A scanner that posts to the address doesn't have the token of the page.
  const posted = await browser.open(link, { method: 'POST', body: new URLSearchParams({}) });
  expect(posted.text).toContain('Freeze this login?');
  expect(await registry.actions()).not.toContain('identity.freezeLogin');
  const asked = await browser.open(link);
  await browser.send(asked);
  expect((await browser.send(asked)).text).toContain('This link was already used');
  expect((await browser.open(second)).text).toContain('already frozen');
  registry.later(7 * 86_400 + 1);
  expect((await browser.open(others)).text).toContain('This link has expired');
});

test('an attacker who changed the address just before cannot unfreeze the login with it; the old address can', async () => {
  await using registry = await asPlainPerson();
  await using mailbox = await openMailbox(registry);
  const thief = browserAt(registry.origin);
  await thief.signIn(registry, 'bill');
  const asked = await thief.open('/account/email');
  await thief.send(asked, { email: 'thief@elsewhere.example', again: 'thief@elsewhere.example' }, '/account/email');
  await thief.send(await thief.open(await mailbox.linkTo('thief@elsewhere.example')));
  const notice = (await mailbox.to(bill)).findLast(({ body }) => body.includes('/account/email/undo'))!;
  const browser = browserAt(registry.origin);
  await browser.send(await browser.open(freezeLinkIn(notice.body)));

  const before = (await mailbox.to('thief@elsewhere.example')).length;
  await thief.send(await thief.open('/account/reset'), { name: 'thief@elsewhere.example' });
  expect((await mailbox.to('thief@elsewhere.example')).slice(before).map(({ subject }) => subject)).toEqual([]);

  await browser.send(await browser.open(/https?:\S+undo\?token=\S+/.exec(notice.body)![0]));
  await browser.send(await browser.open('/account/reset'), { name: 'bill' });
  expect((await browser.send(await browser.open(await mailbox.linkTo(bill)), { password })).status).toBe(200);
  expect((await browser.send(await browser.authorize(), { username: 'bill', password })).url).toMatch(/[?&]code=/);
});

test('registry staff unfreeze it, and it can’t change the registry for a day', async () => {
  await using registry = await asPlainPerson();
  await using mailbox = await openMailbox(registry);
  const browser = browserAt(registry.origin);
  await browser.send(await browser.open(await freezeLinkOf(registry, mailbox)));
  const unfreeze = () => registry.db.change(line, change => unfreezeLogin(change, registry.config, 'login-bill'));
  expect([await unfreeze(), await unfreeze()]).toEqual([true, false]);
  await browserAt(registry.origin).signIn(registry, 'bill');
  expect((await coolDownOf(registry.db.read, 'login-bill', registry.now()))!.why).toBe('Your login was frozen');
});

test.each(kinds)('twenty who open one link at the same time freeze once (%s)', async kind => {
  await using registry = await asPlainPerson(kind);
  await using mailbox = await openMailbox(registry);
  const browser = browserAt(registry.origin);
  const asked = await browser.open(await freezeLinkOf(registry, mailbox));
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.send(asked)));
  expect(answers.filter(({ text }) => text.includes('The login is frozen'))).toHaveLength(1);
  expect((await mailbox.to(bill)).filter(({ subject }) => subject === 'Your login is frozen')).toHaveLength(1);
});
