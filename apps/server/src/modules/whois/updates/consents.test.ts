import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { expireConsents } from './consents.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const other = 'OTHER-SG';
let portal: TestPortal;
let tess: Client;
let olive: Client;
let bill: Client;
beforeAll(async () => {
  portal = await testPortal();
  [tess, olive, bill] = (await Promise.all(['tess', 'olive', 'bill'].map(name => portal.as(name)))) as [Client, Client, Client];
});
afterAll(() => portal[Symbol.asyncDispose]());

/** A route of EXAMPLE-AU's addresses from an AS number of OTHER-SG. */
const route = (third: number, more = ''): string =>
  `route:          198.18.${third}.0/24\ndescr:          Customer\norigin:         AS64501\n${more}mnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`;
const ask = async (text: string) => (await tess(api.whoisConsents.askForConsent, { account, body: { text } })).data!;
const answer = (consentId: number, agree: boolean, who: Client = olive, of = other, reason = '') =>
  who(api.whoisConsents.answerConsent, { account: of, consentId: String(consentId), body: { agree, reason } });
const lists = async (who: Client = tess, of = account) => (await who(api.whoisConsents.listConsents, { account: of })).data!;
const isThere = async (key: string) =>
  (await portal.db.read.rows(sql`select from whois_object where class = 'route' and key = ${key}`)).length === 1;
const subjects = async (to: string) => (await portal.mailsTo(to)).map(({ subject }) => subject);
/** Runs the periodic work as if so many days had passed since the requests. */
const turn = (days: number) => expireConsents(portal.db, readProfile(''), new Date(Date.now() + days * DAY_MS));

test('a route waits for the holder of its AS number, and is there once they agree', async () => {
  const { outcomes, consent } = await ask(route(20));
  expect(outcomes[0]!.problems).toMatchObject([{ code: 'origin-not-authorised' }]);
  expect(consent).toMatchObject({
    state: 'waiting',
    accountName: account,
    askedBy: 'Tess Lindqvist',
    objects: ['route 198.18.20.0/24AS64501'],
    maintainers: ['MAINT-SG-OTHER'],
    why: 'The holder of AS64501 has to allow routes from it: it needs MAINT-SG-OTHER',
  });
  expect(Date.parse(consent!.dueAt) - Date.parse(consent!.askedAt)).toBe(7 * DAY_MS);
  expect(await isThere('198.18.20.0/24as64501')).toBe(false);
  const [mail] = (await portal.mailsTo('noc@other-sg.example')).slice(-1);
  expect(mail).toMatchObject({ subject: 'Your consent is requested: route 198.18.20.0/24 AS64501' });
  expect(mail!.body).toMatch(/Tess Lindqvist of EXAMPLE-AU asks you to agree[^]*origin: +AS64501[^]*MAINT-SG-OTHER can agree/);
  expect((await lists(olive, other)).toAnswer).toMatchObject([{ consentId: consent!.consentId }]);
  expect((await lists()).toAnswer).toEqual([]);

  // A request is not made twice, and no other account can answer it, least of all the requester.
  expect((await tess(api.whoisConsents.askForConsent, { account, body: { text: route(20) } })).errors![0]).toMatchObject({
    code: 'NOTHING_TO_DO',
    message: expect.stringContaining('already waits for MAINT-SG-OTHER'),
  });
  expect((await answer(consent!.consentId, true, tess, account)).status).toBe(404);
  expect((await answer(consent!.consentId, true, bill, account)).status).toBe(403);

  // Consent takes more than the password.
  const stale = await portal.as('olive', { mfa: false });
  expect((await answer(consent!.consentId, true, stale)).errors![0]!.code).toBe('MFA_REQUIRED');
  const { data } = await answer(consent!.consentId, true);
  expect(data).toMatchObject({ consent: { state: 'accepted' }, outcomes: [{ state: 'ok', done: 'create' }] });
  expect(await isThere('198.18.20.0/24as64501')).toBe(true);
  expect((await portal.lastActivity())!).toMatchObject({
    details: expect.objectContaining({ objects: ['route 198.18.20.0/24AS64501'], of: account, answer: 'accepted' }),
  });
  expect((await answer(consent!.consentId, true)).errors![0]!.code).toBe('ALREADY_RESOLVED');
  expect((await lists()).asked).toMatchObject([{ state: 'accepted' }]);
});

test('a route waits for the holder of its addresses as well, and not for both', async () => {
  const theirs = (origin: string): string => route(0).replace('198.18.0.0/24', '198.51.100.0/25').replace('AS64501', origin);
  expect((await ask(theirs('AS64500'))).consent).toMatchObject({ maintainers: ['MAINT-SG-OTHER'], state: 'waiting' });
  const both = await ask(theirs('AS64501'));
  expect(both.consent).toBeNull();
  expect(both.outcomes[0]!.problems.map(({ code }) => code)).toEqual(['prefix-not-authorised', 'origin-not-authorised']);
});

test('an update that is refused for another reason, or not refused, can’t wait', async () => {
  const wrong = await ask(route(22).replace(/^descr.*\n/m, ''));
  expect([wrong.consent, wrong.outcomes[0]!.problems.map(({ code }) => code)]).toEqual([
    null,
    expect.arrayContaining(['attribute-missing', 'origin-not-authorised']),
  ]);
  expect((await ask(route(22).replace('AS64501', 'AS64500'))).consent).toBeNull();
  expect((await bill(api.whoisConsents.askForConsent, { account, body: { text: route(22) } })).errors![0]!.code).toBe('NO_PERMISSION');
});

test('is refused with a reason, which the requester receives', async () => {
  const { consent } = await ask(route(23));
  const { data } = await answer(consent!.consentId, false, olive, other, 'Not ours');
  expect(data).toMatchObject({ consent: { state: 'refused', reason: 'Not ours' }, outcomes: null });
  expect(await isThere('198.18.23.0/24as64501')).toBe(false);
  const mail = (await portal.mailsTo('tess@example-au.example')).at(-1)!;
  expect([mail.subject, mail.body]).toEqual([
    'Rejected: route 198.18.23.0/24 AS64501',
    expect.stringContaining('Olive Tan of OTHER-SG rejected it: Not ours'),
  ]);
});

test('is withdrawn by the account that asked, and by no other', async () => {
  const { consent } = await ask(route(25));
  const withdraw = (who: Client, of: string) =>
    who(api.whoisConsents.withdrawConsent, { account: of, consentId: String(consent!.consentId) });
  expect((await withdraw(olive, other)).status).toBe(404);
  expect((await withdraw(tess, account)).data).toMatchObject({ state: 'withdrawn' });
  expect((await answer(consent!.consentId, true)).errors![0]!.code).toBe('ALREADY_RESOLVED');
});

test('a route that the other holder sends too is written as requested, the request ends, and both are notified', async () => {
  const { consent } = await ask(route(21));
  const sent = route(21).replace('Customer', 'Our transit').replace('MAINT-AU-EXAMPLE', 'MAINT-SG-OTHER');
  const send = (who: Client, text: string, of = other) =>
    who(api.whois.submitUpdates, { account: of, body: { updates: [{ text }], mode: 'atomic' } });
  const preview = await olive(api.whois.previewUpdates, { account: other, body: { updates: [{ text: sent }], mode: 'atomic' } });
  expect(preview.data!.outcomes).toMatchObject([{ state: 'ok', problems: [{ severity: 'info', code: 'waited-for-you' }] }]);
  expect(await isThere('198.18.21.0/24as64501')).toBe(false);

  // An invalid route is not a consent; neither is another route, one among several, or one from the requester.
  expect((await send(olive, sent.replace(/^descr.*\n/m, ''))).data!.outcomes[0]).toMatchObject({ state: 'failed' });
  expect((await send(olive, sent.replace('198.18.21.0', '198.18.29.0'))).data!.outcomes[0]).toMatchObject({ state: 'failed' });
  expect((await send(tess, route(21), account)).data!.outcomes[0]).toMatchObject({ state: 'failed' });
  const two = { updates: [{ text: sent }, { text: sent.replace('198.18.21.0', '198.18.29.0') }] };
  const both = await olive(api.whois.submitUpdates, { account: other, body: { ...two, mode: 'best-effort' } });
  expect(both.data!.outcomes.map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect((await send(await portal.as('olive', { mfa: false }), sent)).errors![0]!.code).toBe('MFA_REQUIRED');
  expect((await lists()).asked.find(({ consentId }) => consentId === consent!.consentId)).toMatchObject({ state: 'waiting' });

  const { data } = await send(olive, sent);
  expect(data!.outcomes).toMatchObject([
    {
      state: 'ok',
      done: 'create',
      after: expect.stringMatching(/descr: +Customer\n[^]*MAINT-AU-EXAMPLE/),
      problems: [{ code: 'waited-for-you' }],
    },
  ]);
  expect(await isThere('198.18.21.0/24as64501')).toBe(true);
  expect((await lists()).asked.find(({ consentId }) => consentId === consent!.consentId)).toMatchObject({ state: 'accepted' });
  expect((await portal.mailsTo('tess@example-au.example')).at(-1)).toMatchObject({
    subject: 'Approved: route 198.18.21.0/24 AS64501',
    body: expect.stringContaining('Olive Tan of OTHER-SG also sent it. The update is saved.'),
  });
  expect(await subjects('olive@other-sg.example')).toContain('Approved by sending it: route 198.18.21.0/24 AS64501');
  expect((await send(olive, sent)).data!.outcomes[0]).toMatchObject({ state: 'failed' });
});

test('sending the same text word for word is a consent as well', async () => {
  await ask(route(30));
  const { data } = await olive(api.whois.uploadText, { account: other, body: { text: route(30), dryRun: false } });
  expect(data!.outcomes).toMatchObject([{ state: 'ok', done: 'create' }]);
  expect(await isThere('198.18.30.0/24as64501')).toBe(true);
});

test('consent is checked again: a route created meanwhile is not created twice', async () => {
  const { consent } = await ask(route(26, 'remarks:        Twice\n'));
  const again = await ask(route(26));
  await answer(again.consent!.consentId, true);
  const { data } = await answer(consent!.consentId, true);
  // It is a change of the existing one by now.
  expect(data!.outcomes).toMatchObject([{ done: 'modify', state: 'ok' }]);
  const last = await ask(route(27));
  await portal.db.change({ action: 'test', summary: 'Left', traceId: '0'.repeat(32) }, change =>
    change
      .updateTable('contact')
      .set({ permissions: [] })
      .where('fullName', '=', 'Tess Lindqvist')
      .where('accountName', '=', account)
      .execute(),
  );
  const late = await answer(last.consent!.consentId, true);
  expect(late.data!.consent).toMatchObject({ state: 'failed', reason: expect.stringContaining('198.18.27.0/24') });
  expect(await isThere('198.18.27.0/24as64501')).toBe(false);
});

test('another’s irt is named in resources once its holder agrees', async () => {
  const corin = await portal.as('corin');
  const { text } = (await portal.db.read
    .selectFrom('whoisObject')
    .select('text')
    .where('key', '=', '198.18.0.0 - 198.18.31.255')
    .executeTakeFirst())!;
  const body = { text: text.replace(/^mnt-irt:.*$/m, 'mnt-irt:        IRT-SG-OTHER') };
  const { data } = await corin(api.whoisConsents.askForConsent, { account, body });
  expect(data!.consent).toMatchObject({ objects: ['inetnum 198.18.0.0 - 198.18.31.255'], maintainers: ['MAINT-SG-OTHER'] });
  expect((await subjects('security@other-sg.example')).at(-1)).toBe('Your consent is requested: inetnum 198.18.0.0 - 198.18.31.255');
  const agreed = await answer(data!.consent!.consentId, true);
  expect(agreed.data!.outcomes).toMatchObject([{ state: 'ok', done: 'modify', after: expect.stringContaining('IRT-SG-OTHER') }]);
});

test('the other party is reminded on days 3 and 6; on day 7 the request expires', async () => {
  const corin = await portal.as('corin');
  const { data } = await corin(api.whoisConsents.askForConsent, { account, body: { text: route(28) } });
  const mails = async (): Promise<number> =>
    (await subjects('noc@other-sg.example')).filter(each => each.endsWith('198.18.28.0/24 AS64501')).length;
  const before = await mails();
  await turn(2);
  expect(await mails()).toBe(before);
  await turn(3.1);
  await turn(3.2);
  expect(await mails()).toBe(before + 1);
  await turn(6.1);
  expect(await mails()).toBe(before + 2);
  await turn(7.1);
  expect(await turn(7.2)).toBe(0);
  const asked = (await lists(corin)).asked.find(({ consentId }) => consentId === data!.consent!.consentId)!;
  expect(asked).toMatchObject({ state: 'expired' });
  expect((await subjects('corin@example-au.example')).at(-1)).toBe('No answer: route 198.18.28.0/24 AS64501');
  expect((await answer(asked.consentId, true)).errors![0]!.code).toBe('ALREADY_RESOLVED');
  // The log says of which objects, to those who may see registrations.
  const { lines } = (await corin(api.activityLog.listActivities, { account, query: { q: 'reminder of a request for consent' } })).data!;
  expect(lines[0]!.object).toMatch(/^route 198\.18\.28\.0\/24/);
});
