import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinds, testPortal, type TestPortal } from '../../../../test/portal.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { readProfile } from '../../../profile.ts';
import { bodyOf } from '../../mail/mail.ts';
import { lockWhois } from '../store/lock.ts';
import { validateIrtMailboxes } from './irt-validation.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const profile = readProfile('');
const start = Date.now();
const irtKey = { class: 'irt', key: 'IRT-AU-EXAMPLE' } as const;
let portal: TestPortal;
let corin: Client;
let tess: Client;
let bill: Client;
let security = '';
let abuse = '';

/** Runs the worker so many days after the first run. Returns how many mailboxes it wrote to. */
const turn = (day: number, { db, config } = portal): Promise<number> =>
  validateIrtMailboxes(db, {
    now: new Date(start + day * DAY_MS),
    timers: config,
    appUrl: config.appUrl,
    box: openSecretBox(config),
    profile,
  });
const lettersTo = async (recipient: string): Promise<{ subject: string; body: string }[]> => {
  const box = openSecretBox(portal.config);
  const rows = await portal.db.read
    .selectFrom('mail')
    .selectAll()
    .where('recipient', '=', recipient)
    .where('topic', '=', 'whois.irt')
    .orderBy('mailId')
    .execute();
  return rows.map(mail => ({ subject: mail.subject, body: bodyOf(box, mail) }));
};
const lastCode = async (mailbox: string): Promise<string> =>
  /Code: ([A-Z2-7]{10})$/.exec((await lettersTo(mailbox)).findLast(({ body }) => body.includes('Code: '))!.body)![1]!;
const mailboxes = async () => (await corin(api.whoisIrts.listMailboxes, { account })).data!;
const stateOf = async (mailbox: string) => (await mailboxes()).rows.find(row => row.mailbox === mailbox)?.state;
const irtText = async () => (await corin(api.whois.getObject, { account, query: irtKey })).data!.text;
/** Puts another mailbox into the irt. */
const replace = async (from: string, to: string) => {
  const { data } = await tess(api.whois.submitUpdates, { account, body: { updates: [{ text: (await irtText()).replace(from, to) }] } });
  expect(data!.outcomes[0]!.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(data!.outcomes[0]!.state).toBe('ok');
};
const publicly = (form: Record<string, string>) =>
  portal.request('/irt-validation', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

beforeAll(async () => {
  portal = await testPortal();
  [corin, tess, bill] = (await Promise.all(['corin', 'tess', 'bill'].map(name => portal.as(name)))) as [Client, Client, Client];
  const text = await irtText();
  security = /^e-mail:\s*(\S+)/m.exec(text)![1]!.toLowerCase();
  abuse = /^abuse-mailbox:\s*(\S+)/m.exec(text)![1]!.toLowerCase();
});
afterAll(() => portal[Symbol.asyncDispose]());

test('the mailbox of a new irt gets a code immediately, and a reminder after a week', async () => {
  expect(await turn(0)).toBeGreaterThanOrEqual(2);
  expect(await turn(0)).toBe(0);
  expect((await mailboxes()).rows.map(({ irt, mailbox, attribute, state, mails }) => [irt, mailbox, attribute, state, mails])).toEqual([
    ['IRT-AU-EXAMPLE', abuse, 'abuse-mailbox', 'pending', 1],
    ['IRT-AU-EXAMPLE', security, 'e-mail', 'pending', 1],
  ]);
  const [letter] = await lettersTo(abuse);
  expect(letter!.subject).toBe(`Please validate: mailbox ${abuse} of IRT-AU-EXAMPLE`);
  const code = await lastCode(abuse);
  const kept = await portal.db.read.rows<{ found: boolean }>(sql`select exists (select from irt_contact where code_hash like ${`%${code}%`})
    or exists (select from mail where body like ${`%${code}%`}) as found`);
  expect(kept).toEqual([{ found: false }]);
  expect(await turn(6.9)).toBe(0);
  expect(await turn(7)).toBeGreaterThanOrEqual(2);
  expect((await lettersTo(abuse)).at(-1)!.subject).toContain('Reminder');
  expect(await lastCode(abuse)).not.toBe(code);
});

test("the public page takes the last code from the mailbox's reader, without a login, and whois shows it", async () => {
  const page = await portal.request(`/irt-validation?mailbox=${encodeURIComponent(abuse)}`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`value="${abuse}"`);
  const code = await lastCode(abuse);
  const unsaid = await publicly({ mailbox: abuse, code });
  expect([unsaid.status, await stateOf(abuse)]).toEqual([422, 'pending']);
  const ofAnother = await publicly({ mailbox: security, code, duties: 'yes' });
  expect([ofAnother.status, await stateOf(security)]).toEqual([422, 'pending']);
  const unknown = await publicly({ mailbox: 'nobody@example.example', code, duties: 'yes' });
  expect(unknown.status).toBe(422);
  const done = await publicly({ mailbox: abuse.toUpperCase(), code: `${code.slice(0, 5)}-${code.slice(5).toLowerCase()}`, duties: 'yes' });
  expect([done.status, await stateOf(abuse)]).toEqual([200, 'valid']);
  expect(await irtText()).toMatch(new RegExp(`^remarks:\\s+${abuse} was validated on \\d{4}-\\d\\d-\\d\\d$`, 'm'));
  expect((await lettersTo(abuse)).at(-1)!.subject).toContain('Validated');
  expect((await publicly({ mailbox: abuse, code, duties: 'yes' })).status).toBe(422);
});

const lines = () =>
  portal.db.read.selectFrom('activity').select(['summary', 'refusal']).where('action', '=', 'whois.irts.enterMailedCode').execute();

test('without signing in, only a code for a waiting mailbox leaves a line, which says whether it was right', async () => {
  const before = await lines();
  expect(before.map(({ summary }) => summary)).toEqual([
    'Entered a wrong code of an IRT mailbox without signing in',
    'Validated an IRT mailbox without signing in',
  ]);
  const answers = [];
  for (let i = 0; i < 6; i++)
    answers.push((await publicly({ mailbox: `nobody-${i}@example.example`, code: 'AAAAAAAAAA', duties: 'yes' })).status);
  expect(answers, 'one came before; from the fifth on the address waits').toEqual([422, 422, 422, 422, 429, 429]);
  expect(await lines()).toEqual(before);
  expect((await publicly({ mailbox: security, code: await lastCode(security), duties: 'yes' })).status).toBe(429);
  await portal.db.unrecorded.deleteFrom('signInFailure').execute();
});

test('five wrong codes block a mailbox for a quarter of an hour, even for the right code', async () => {
  const answers = [];
  const code = await lastCode(security);
  const enter = async (tried: string) =>
    (await tess(api.whoisIrts.enterCode, { account, body: { mailbox: security, code: tried, readAndAnswered: true } })).data!.result;
  // One wrong code came from the public page.
  for (let i = 0; i < 5; i++) answers.push(await enter('AAAAAAAAAA'));
  expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wait']);
  expect(await enter(code)).toBe('wait');
  expect(await stateOf(security)).toBe('pending');
});

test('a code can be resent three times a day, by responsible contacts, and only for mailboxes of the account', async () => {
  const before = await lastCode(security);
  const send = (who: Client, mailbox = security) => who(api.whoisIrts.sendCode, { account, body: { mailbox } });
  expect((await send(bill)).errors?.[0]?.code).toBe('NO_PERMISSION');
  expect((await send(corin, 'abuse@nowhere.example')).status).toBe(404);
  expect((await send(corin, abuse)).errors?.[0]?.code).toBe('NOTHING_TO_DO');
  const left = [];
  for (let i = 0; i < 3; i++) left.push((await send(corin)).data?.resendsLeft);
  expect(left).toEqual([2, 1, 0]);
  expect((await send(corin)).errors?.[0]?.code).toBe('TOO_MANY_CODES');
  expect(await lastCode(security)).not.toBe(before);
});

test('without an answer it is invalid after 15 days and its contacts are notified; after 30 the account can change only its irt', async () => {
  const update = () =>
    tess(api.whois.submitUpdates, {
      account,
      body: {
        updates: [{ text: 'route: 198.18.21.0/24\ndescr: Test\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n' }],
      },
    });
  await turn(15);
  expect(await stateOf(security)).toBe('invalid');
  expect(await irtText()).toMatch(new RegExp(`^remarks:\\s+${security} is invalid$`, 'm'));
  const contact = await portal.db.read.selectFrom('contact').select('email').where('fullName', 'like', 'Corin%').executeTakeFirstOrThrow();
  expect((await lettersTo(contact.email)).map(({ subject }) => subject)).toContain(`No answer: mailbox ${security} of IRT-AU-EXAMPLE`);
  await turn(25);
  expect(await stateOf(security)).toBe('invalid');
  expect((await update()).status).toBe(200);
  await turn(30);
  expect(await mailboxes()).toMatchObject({ restrictedBy: [{ irt: 'IRT-AU-EXAMPLE', mailbox: security }] });
  expect(await turn(200)).toBeLessThan(2);
  const refused = await update();
  expect([refused.status, refused.errors?.[0]?.code]).toEqual([403, 'ACCOUNT_RESTRICTED_IRT']);
  expect(refused.errors?.[0]?.message).toContain(security);
});

test('the code ends a restriction immediately', async () => {
  expect((await publicly({ mailbox: security, code: await lastCode(security), duties: 'yes' })).status).toBe(200);
  expect((await mailboxes()).restrictedBy).toEqual([]);
  expect(await irtText()).not.toContain('is invalid');
});

test('a replaced mailbox starts a new period, and the period until the restriction restarts once a round', async () => {
  const day = 400;
  const first = security.replace(/^[^@]+/, 'first');
  const second = security.replace(/^[^@]+/, 'second');
  await replace(security, first);
  await turn(day);
  expect((await mailboxes()).rows.find(({ mailbox }) => mailbox === first)).toMatchObject({ state: 'pending', mails: 1 });
  for (const later of [7, 15, 25]) await turn(day + later);
  expect(await stateOf(first)).toBe('invalid');
  await replace(first, second);
  await turn(day + 29);
  const replaced = (await mailboxes()).rows.find(({ mailbox }) => mailbox === second)!;
  expect(replaced).toMatchObject({ state: 'pending', mails: 1 });
  expect(Math.round((Date.parse(replaced.restrictedAt!) - start) / DAY_MS)).toBe(day + 29 + 30);
  expect(await irtText()).not.toContain(`${first} is invalid`);
  for (const later of [7, 15]) await turn(day + 29 + later);
  const third = security.replace(/^[^@]+/, 'third');
  await replace(second, third);
  for (const later of [45, 52, 60]) await turn(day + later);
  // It gets 15 days of its own, but by then the period of its predecessor is over: a warning, and a day later the restriction.
  expect(await stateOf(third)).toBe('invalid');
  for (const later of [61, 62]) await turn(day + later);
  expect(await stateOf(third)).toBe('restricted');
});

test.runIf(kinds.includes('postgres'))(
  'codes and reminders are sent while others change whois; what is marked there waits for them',
  async () => {
    await using other = await testPortal('postgres');
    const line = { action: 'test', summary: 'Changed whois', traceId: '0'.repeat(32) };
    const first = await turn(0, other);
    expect(first).toBeGreaterThanOrEqual(2);
    const stateCounts = async () =>
      (
        await other.db.read.rows<{ mails: number; n: number }>(
          sql`select mails, count(*)::int as n from irt_contact where mails > 0 group by 1 order by 1`,
        )
      ).map(({ mails }) => mails);
    await other.db.change(line, async change => {
      await lockWhois(change);
      expect(await turn(8, other)).toBe(first);
    });
    expect(await stateCounts()).toEqual([2]);
    let marked = 0;
    let isOver = false;
    const marking = other.db.change(line, async change => {
      await lockWhois(change);
      const waiting = turn(16, other).then(count => {
        marked = count;
        expect(isOver).toBe(true);
      });
      await expect
        .poll(async () => (await other.db.read.rows(sql`select from pg_locks where locktype = 'advisory' and not granted`)).length, {
          timeout: 20_000,
        })
        .toBeGreaterThan(0);
      expect(await stateCounts()).toEqual([2]);
      isOver = true;
      return { waiting };
    });
    await (await marking).waiting;
    expect(marked).toBe(first);
    expect(await stateCounts()).toEqual([3]);
  },
);
