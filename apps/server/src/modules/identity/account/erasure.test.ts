import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMailbox } from '../../../../test/mailbox.ts';
import { browserAt, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { startCoolDown } from '../factors/cool-down.ts';
import { addErasure } from '../erasure/erasures.ts';
import { freezeLogin } from '../freeze/freeze.ts';

const signedIn = async (registry: TestRegistry, username: string) => {
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, username);
  return browser;
};
const mailsOf = (registry: TestRegistry) =>
  registry.db.read
    .selectFrom('mail')
    .select(['recipient', 'subject', 'freezeLinkId'])
    .where('subject', 'like', '%erase%')
    .orderBy('mailId')
    .execute();

test('a person asks to be erased, is mailed with the link that freezes the login, and takes it back', async () => {
  await using registry = await testRegistry();
  const bill = await signedIn(registry, 'bill');
  const page = await bill.open('/account/erasure');
  expect(page.text).toContain('Request erasure');
  const asked = await bill.send(page, {});
  expect(asked.url).toContain('/account/erasure?done=erasure-requested');
  expect(asked.text).toContain('Take the request back');
  const again = await bill.send(page, {});
  expect([again.status, again.text.includes('You have asked already.')]).toEqual([409, true]);
  const back = await bill.send(await bill.open('/account/erasure'), {});
  expect(back.url).toContain('done=erasure-withdrawn');
  expect(back.text).toContain('Request erasure');
  expect(await registry.db.read.selectFrom('erasure').select(['state', 'filedBy']).execute()).toEqual([
    { state: 'withdrawn', filedBy: null },
  ]);
  const actions = await registry.actions();
  expect(actions).toEqual(expect.arrayContaining(['identity.requestErasure', 'identity.withdrawErasure']));
  expect(await mailsOf(registry)).toMatchObject([
    { recipient: 'bill@example-au.example', subject: 'The request to erase your data was taken back' },
  ]);
  const [requested] = await registry.db.read
    .selectFrom('mail')
    .select(['recipient', 'freezeLinkId'])
    .where('subject', '=', 'Erasure of your data was requested')
    .execute();
  expect(requested).toMatchObject({ recipient: 'bill@example-au.example', freezeLinkId: expect.any(String) as string });
});

test('two requests at the same time are one', async () => {
  await using registry = await testRegistry();
  const bill = await signedIn(registry, 'bill');
  const page = await bill.open('/account/erasure');
  const answers = await Promise.all([bill.send(page, {}), bill.send(page, {})]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await registry.db.read.selectFrom('erasure').select('erasureId').execute()).toHaveLength(1);
});

test('an old sign-in has to log in again before anything is requested, and a stranger does too', async () => {
  await using registry = await testRegistry();
  const bill = await signedIn(registry, 'bill');
  const page = await bill.open('/account/erasure');
  await sql`update oidc_payload set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::bigint - 301))
    where model = 'Session' and payload ? 'loginTs'`.execute(registry.db.unrecorded);
  expect((await bill.open('/account/erasure')).text).toContain('Log in again to request erasure');
  expect((await bill.send(page, {})).text).toContain('<h1>Log in</h1>');
  expect(await registry.db.read.selectFrom('erasure').select('erasureId').execute()).toEqual([]);
  expect((await browserAt(registry.origin).open('/account/erasure')).text).toContain('Log in');
});

test('a login that cools down requests nothing, and freezing takes back what was requested with it', async () => {
  await using registry = await testRegistry();
  const { loginId } = await registry.db.read.selectFrom('login').select('loginId').where('username', '=', 'bill').executeTakeFirstOrThrow();
  const bill = await signedIn(registry, 'bill');
  await registry.db.change(line, change => startCoolDown(change, loginId, 'password-reset'));
  const refused = await bill.send(await bill.open('/account/erasure'), {});
  expect([refused.status, refused.text.includes('You can request erasure from')]).toEqual([403, true]);
  await registry.db.change(line, change => change.updateTable('login').set({ coolDownUntil: null, coolDownWhy: null }).execute());
  await bill.send(await bill.open('/account/erasure'), {});
  const mail = await registry.db.read
    .selectFrom('mail')
    .select('freezeLinkId')
    .where('subject', '=', 'Erasure of your data was requested')
    .executeTakeFirstOrThrow();
  const link = await registry.db.read
    .selectFrom('freezeLink')
    .selectAll()
    .where('freezeLinkId', '=', mail.freezeLinkId)
    .executeTakeFirstOrThrow();
  const origin = { traceId: '0'.repeat(32), address: '192.0.2.1' };
  expect(await freezeLogin(registry, origin, link as unknown as Parameters<typeof freezeLogin>[2])).toBe('frozen');
  expect(await registry.db.read.selectFrom('erasure').select(['state', 'note']).execute()).toEqual([
    { state: 'withdrawn', note: 'Taken back by the link in an e-mail' },
  ]);
});

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
/** Files a request for Bill, as registry staff do for someone they identified. */
const fileFor = (registry: TestRegistry, loginId: string) =>
  registry.db.change(line, change =>
    addErasure(change, { loginId, waitDays: 7, config: registry.config }, { filedBy: 'login-corin', reason: 'Passport, ticket 20001' }),
  );

test('the link in a mail takes back what registry staff filed too, from a frozen login as well', async () => {
  await using registry = await testRegistry();
  await using mailbox = await openMailbox(registry);
  const linkOf = async () => /https?:\S+\/account\/freeze\?\S+/.exec((await mailbox.to(address)).findLast(isOfRequest)!.body)![0];
  const isOfRequest = ({ subject }: { subject: string }) => subject === 'Erasure of your data was requested';
  const address = 'bill@example-au.example';
  const states = () => registry.db.read.selectFrom('erasure').select(['state', 'endedBy']).orderBy('erasureId').execute();
  await fileFor(registry, 'login-bill');
  const browser = browserAt(registry.origin);
  const asked = await browser.open(await linkOf());
  expect(asked.text).toContain('The request to erase this person’s data is taken back.');
  expect((await browser.send(asked)).text).toContain('The login is frozen');
  expect(await states()).toEqual([{ state: 'withdrawn', endedBy: null }]);

  await fileFor(registry, 'login-bill');
  const again = await browser.open(await linkOf());
  expect(again.text).toContain('Take the request back?');
  const ended = await browser.send(again);
  expect([ended.status, ended.text]).toEqual([200, expect.stringContaining('The request was taken back')]);
  expect(await states()).toEqual([
    { state: 'withdrawn', endedBy: null },
    { state: 'withdrawn', endedBy: null },
  ]);
  expect((await mailbox.to(address)).at(-1)!.subject).toBe('The request to erase your data was taken back');
});

test('who takes back what was carried out or refused meanwhile is told so, and the log says nothing else', async () => {
  await using registry = await testRegistry();
  const bill = await signedIn(registry, 'bill');
  await bill.send(await bill.open('/account/erasure'), {});
  const page = await bill.open('/account/erasure');
  await registry.db.change(line, change =>
    change.updateTable('erasure').set({ state: 'refused', endedAt: change.now, endedBy: 'login-corin', note: 'Too early' }).execute(),
  );
  const late = await bill.send(page, {});
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('No request is open any more')]);
  expect(await registry.actions()).not.toContain('identity.withdrawErasure');
});
