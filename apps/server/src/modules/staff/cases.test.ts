import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { giveStaffRole } from '../../../test/staff-roles.ts';
import { mailReminders, notifyWatchers } from './case-watches.ts';

const account = 'EXAMPLE-AU';
const zone = 'Australia/Brisbane';

/** A return that waits for the registry. */
async function sentReturn(portal: TestPortal, resource = '198.18.64.0/24') {
  const corin = await portal.as('corin');
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'return' } })).data!;
  const form = { ...emptyForm, resources: [resource], reason: 'Network closed', startsOn: '2026-11-01' };
  const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
  await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  return { requestId, named: { kind: 'transfers', caseId: requestId } };
}
const mails = async (portal: TestPortal, who: string, about: string) =>
  (await portal.mailsTo(`${who}@registry.example`)).filter(({ subject }) => subject.includes(about));

test('who watches a case is notified when it moves or a colleague takes it, once, and not of what they do themselves', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
  const about = `REQ-${requestId}`;
  expect((await stella(api.staffCases.watchCase, { ...named, body: { watching: true } })).data).toMatchObject({
    watching: true,
    watchers: [{ name: 'Stella Kowalski' }],
  });
  await notifyWatchers(portal.db);
  expect(await mails(portal, 'stella', about)).toEqual([]);
  await stan(api.requestDesk.reviewRequest, { requestId });
  await notifyWatchers(portal.db);
  await notifyWatchers(portal.db);
  const [mail, ...others] = await mails(portal, 'stella', about);
  expect(others).toEqual([]);
  expect(mail!.subject).toBe(`${about} is in review`);
  expect(mail!.body).toContain('Stan Petrov has it.');
  await stella(api.requestDesk.reviewRequest, { requestId });
  await notifyWatchers(portal.db);
  expect((await mails(portal, 'stella', about)).filter(({ subject }) => subject.endsWith('is in review'))).toHaveLength(1);
  expect((await stella(api.staffCases.watchCase, { ...named, body: { watching: false } })).data!.watchers).toEqual([]);
});

test('a reminder is on the desk on its day, and is mailed once in the morning to who wished', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
  const today = dayIn(zone, new Date());
  const tomorrow = daysAfter(today, 1);
  const remind = (who: typeof stella, day: string, byMail: boolean) =>
    who(api.staffCases.remindOfCase, { ...named, body: { day, words: 'Ask for the letter', byMail } });
  expect(await remind(stella, today, true)).toMatchObject({ status: 400, errors: [{ field: 'day' }] });
  expect(await remind(stella, daysAfter(today, 800), true)).toMatchObject({ status: 400, errors: [{ field: 'day' }] });
  const kept = (await remind(stella, tomorrow, true)).data!;
  expect(kept.reminders).toMatchObject([{ day: tomorrow, words: 'Ask for the letter', byMail: true }]);
  await remind(stan, tomorrow, false);
  const about = `Reminder: REQ-${requestId}`;
  // Six and seven o’clock in Brisbane.
  await mailReminders(portal.db, { now: new Date(`${today}T20:59:00Z`), timeZone: zone });
  expect(await mails(portal, 'stella', about)).toEqual([]);
  await mailReminders(portal.db, { now: new Date(`${today}T21:00:00Z`), timeZone: zone });
  await mailReminders(portal.db, { now: new Date(`${today}T22:00:00Z`), timeZone: zone });
  expect((await mails(portal, 'stella', about)).map(({ body }) => body)).toEqual([expect.stringContaining('Ask for the letter')]);
  expect(await mails(portal, 'stan', about)).toEqual([]);
  const { reminderId } = kept.reminders[0]!;
  // A colleague’s is as if it weren’t there.
  expect(await stan(api.staffCases.removeReminder, { ...named, reminderId })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  expect((await stella(api.staffCases.removeReminder, { ...named, reminderId })).errors).toBeUndefined();
  expect((await stella(api.staffCases.getCase, named)).data!.reminders).toEqual([]);
});

test('reminders that are due are part of the morning of their reader alone', async () => {
  const later = { days: 0 };
  const clock = () => new Date(Date.now() + later.days * DAY_MS);
  await using portal = await testPortal(undefined, {}, clock);
  const { named, requestId } = await sentReturn(portal);
  const stella = await portal.as('stella');
  const day = daysAfter(dayIn(zone, clock()), 1);
  await stella(api.staffCases.remindOfCase, { ...named, body: { day, words: '', byMail: false } });
  expect((await stella(api.deskHome.getDeskHome, {})).data!.reminders).toEqual([]);
  later.days = 2;
  const again = await portal.as('stella');
  expect((await again(api.deskHome.getDeskHome, {})).data!.reminders).toMatchObject([{ reference: `REQ-${requestId}`, day }]);
  const stan = await portal.as('stan');
  expect((await stan(api.deskHome.getDeskHome, {})).data!.reminders).toEqual([]);
});

test('links are seen from both cases, by those who handle both, and found by reference or number', async () => {
  await using portal = await testPortal();
  const [one, other] = [await sentReturn(portal), await sentReturn(portal, '198.18.65.0/24')];
  const stella = await portal.as('stella');
  const link = (typed: string) => stella(api.staffCases.linkCase, { ...one.named, body: { other: typed } });
  expect(await link('REQ-99999')).toMatchObject({ status: 422, errors: [{ code: 'NO_SUCH_CASE', field: 'other' }] });
  expect(await link(`REQ-${one.requestId}`)).toMatchObject({ status: 400, errors: [{ field: 'other' }] });
  await link(`req-${other.requestId}`);
  expect((await link(`transfers-${other.requestId}`)).data!.links).toMatchObject([{ reference: `REQ-${other.requestId}` }]);
  const { links } = (await stella(api.staffCases.getCase, other.named)).data!;
  expect(links).toMatchObject([{ reference: `REQ-${one.requestId}`, linkedBy: 'Stella Kowalski' }]);
  const { linkId } = links[0]!;
  expect((await stella(api.staffCases.unlinkCase, { ...other.named, linkId })).data!.links).toEqual([]);
  expect((await stella(api.staffCases.getCase, one.named)).data!.links).toEqual([]);
  expect(await stella(api.staffCases.unlinkCase, { ...other.named, linkId })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
});

test('a case is handed over to a colleague who handles its kind, who gets the words by e-mail; the member sees neither', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  const [stella, corin] = [await portal.as('stella'), await portal.as('corin')];
  await stella(api.requestDesk.reviewRequest, { requestId });
  const { colleagues } = (await stella(api.staffCases.getCase, named)).data!;
  const stan = colleagues.find(({ name }) => name === 'Stan Petrov')!;
  const hand = (to: string) => stella(api.staffCases.handOverCase, { ...named, body: { to, words: 'I’m away from Monday' } });
  expect(await hand('corin')).toMatchObject({ status: 400, errors: [{ field: 'to' }] });
  expect((await hand(stan.loginId)).data).toMatchObject({ handlerId: stan.loginId });
  expect(await hand(stan.loginId)).toMatchObject({ status: 400, errors: [{ field: 'to' }] });
  const [mail] = await mails(portal, 'stan', `REQ-${requestId} is yours`);
  expect(mail!.body).toContain('I’m away from Monday');
  expect((await stella(api.requestDesk.getStaffRequest, { requestId })).data!).toMatchObject({ reviewer: 'Stan Petrov' });
  const { events } = (await corin(api.requests.getRequest, { account, requestId })).data!;
  expect(JSON.stringify(events)).not.toContain('Handed over');
  await corin(api.requests.withdrawRequest, { account, requestId });
  expect(await hand(stan.loginId)).toMatchObject({ errors: [{ code: 'ALREADY_RESOLVED' }] });
});

test('a case of a kind that one doesn’t handle is as if it weren’t there', async () => {
  await using portal = await testPortal();
  const { named } = await sentReturn(portal);
  await giveStaffRole(portal.db, 'olive', 'support');
  const olive = await portal.as('olive');
  expect(await olive(api.staffCases.getCase, named)).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
  expect(await olive(api.staffCases.watchCase, { ...named, body: { watching: true } })).toMatchObject({ status: 404 });
  expect(await olive(api.staffCases.getCase, { kind: 'tickets', caseId: 'x' })).toMatchObject({ status: 404 });
});
