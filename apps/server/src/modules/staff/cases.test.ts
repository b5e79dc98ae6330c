import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { heldCaseKinds } from '@portal/contract/staff/cases';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { modules } from '../../modules.ts';
import { addContact } from '../accounts/index.ts';
import { caseAt, caseLines } from './case-lines.ts';
import { mailReminders, notifyWatchers, removeStale } from './case-watches.ts';

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
const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const loginOf = (portal: TestPortal, username: string) =>
  portal.db.read.selectFrom('login').select(['loginId', 'fullName', 'email']).where('username', '=', username).executeTakeFirstOrThrow();
const makeContact = async (portal: TestPortal, username: string) => {
  const login = await loginOf(portal, username);
  await portal.db.change(line, change => addContact(change, { accountName: account, ...login, contactTypes: ['technical'] }));
};
/** A change of an organisation that stella reviews. */
async function reviewedChange(portal: TestPortal) {
  const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
  const body = { field: 'organisationType' as const, value: 'other' };
  const { changeId } = (await corin(api.organisationChanges.requestOrganisationChange, { account, body })).data!;
  await stella(api.organisationChanges.reviewOrganisationChange, { changeId });
  return { kind: 'organisations', caseId: changeId };
}
async function openedTicket(portal: TestPortal): Promise<string> {
  const corin = await portal.as('corin');
  const body = { account, queue: 'helpdesk' as const, subject: 'A question', text: 'How?', about: '', cc: [], documentIds: [] };
  return (await corin(api.tickets.openTicket, { body })).data!.ticketId;
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

test('a person whose own matter a case is neither gets nor gives it, whatever its kind', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  const organisation = await reviewedChange(portal);
  const [stella, stan] = [await portal.as('stella'), await loginOf(portal, 'stan')];
  await stella(api.requestDesk.reviewRequest, { requestId });
  await makeContact(portal, 'stan');
  for (const each of [named, organisation]) {
    expect((await stella(api.staffCases.getCase, each)).data!.colleagues.map(({ name }) => name)).not.toContain('Stan Petrov');
    expect(await stella(api.staffCases.handOverCase, { ...each, body: { to: stan.loginId, words: '' } })).toMatchObject({
      status: 400,
      errors: [{ field: 'to', message: expect.stringContaining('an account or an application of theirs') as string }],
    });
  }
  await giveStaffRole(portal.db, 'fiona', 'hostmaster');
  const fiona = await loginOf(portal, 'fiona');
  await makeContact(portal, 'stella');
  for (const each of [named, organisation]) {
    expect((await stella(api.staffCases.getCase, each)).data!.colleagues).toEqual([]);
    expect(await stella(api.staffCases.handOverCase, { ...each, body: { to: fiona.loginId, words: '' } })).toMatchObject({
      status: 403,
      errors: [{ code: 'OWN_REQUEST' }],
    });
  }
});

test('a hand-over leaves the version that a second person looks at, and the former handler gets an e-mail; no one hands over to themselves', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  await giveStaffRole(portal.db, 'fiona', 'hostmaster');
  const [stella, stan, fiona] = [await portal.as('stella'), await portal.as('stan'), await loginOf(portal, 'fiona')];
  await stella(api.requestDesk.reviewRequest, { requestId });
  await stan(api.staffCases.watchCase, { ...named, body: { watching: true } });
  const { version } = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
  const hand = (to: string) => stan(api.staffCases.handOverCase, { ...named, body: { to, words: 'She knows the member' } });
  expect(await hand((await loginOf(portal, 'stan')).loginId)).toMatchObject({ status: 400, errors: [{ field: 'to' }] });
  expect((await hand(fiona.loginId)).data).toMatchObject({
    handlerId: fiona.loginId,
    handOvers: [{ from: 'Stella Kowalski', to: fiona.fullName, by: 'Stan Petrov', words: 'She knows the member' }],
  });
  expect((await stella(api.requestDesk.getStaffRequest, { requestId })).data).toMatchObject({ version, reviewer: fiona.fullName });
  const [mail] = await mails(portal, 'stella', `REQ-${requestId} was handed over to ${fiona.fullName}`);
  expect(mail!.body).toContain('Stan Petrov handed it over.');
  // He did it himself.
  await notifyWatchers(portal.db);
  expect(await mails(portal, 'stan', `REQ-${requestId}`)).toEqual([]);
});

test('a hand-over is in the account’s log for registry staff only, and its words stay beside a case of any kind', async () => {
  await using portal = await testPortal();
  const [stella, corin, stan] = [await portal.as('stella'), await portal.as('corin'), await loginOf(portal, 'stan')];
  const organisation = await reviewedChange(portal);
  const ticketId = await openedTicket(portal);
  for (const each of [organisation, { kind: 'tickets', caseId: ticketId }]) {
    await stella(api.staffCases.handOverCase, { ...each, body: { to: stan.loginId, words: 'From Monday on' } });
    const notes = (await stella(api.staffCases.getCase, each)).data!;
    expect(notes).toMatchObject({ handlerId: stan.loginId, handOvers: [{ to: 'Stan Petrov', words: 'From Monday on' }] });
  }
  const actionsIn = (lines: readonly { action: string }[]) => lines.map(({ action }) => action);
  const { lines } = (await corin(api.activityLog.listActivities, { account })).data!;
  expect(actionsIn(lines)).not.toContain('staff.cases.handOverCase');
  const sheet = (await stella(api.desk.getAccountSheet, { accountName: account })).data!;
  expect(actionsIn(sheet.activities)).toContain('staff.cases.handOverCase');
  // One that is closed stays where it is.
  await stella(api.tickets.changeStaffTicket, { ticketId, body: { state: 'resolved' } });
  expect(
    await stella(api.staffCases.handOverCase, { kind: 'tickets', caseId: ticketId, body: { to: stan.loginId, words: '' } }),
  ).toMatchObject({
    errors: [{ code: 'ALREADY_RESOLVED' }],
  });
});

test('an auditor reads what stands beside a case, and acts only on kinds that they handle', async () => {
  await using portal = await testPortal();
  const [one, other] = [await sentReturn(portal), await sentReturn(portal, '198.18.65.0/24')];
  await giveStaffRole(portal.db, 'audra', 'support');
  const [audra, stella, stan] = [await portal.as('audra'), await portal.as('stella'), await loginOf(portal, 'stan')];
  await stella(api.staffCases.linkCase, { ...one.named, body: { other: `REQ-${other.requestId}` } });
  const { links, colleagues } = (await audra(api.staffCases.getCase, one.named)).data!;
  expect([links.length, colleagues]).toEqual([1, []]);
  const day = daysAfter(dayIn(zone, new Date()), 1);
  const refused = [
    await audra(api.staffCases.watchCase, { ...one.named, body: { watching: true } }),
    await audra(api.staffCases.remindOfCase, { ...one.named, body: { day, words: '', byMail: false } }),
    await audra(api.staffCases.linkCase, { ...one.named, body: { other: `REQ-${other.requestId}` } }),
    await audra(api.staffCases.unlinkCase, { ...one.named, linkId: links[0]!.linkId }),
    await audra(api.staffCases.handOverCase, { ...one.named, body: { to: stan.loginId, words: '' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const own = { kind: 'tickets', caseId: await openedTicket(portal) };
  expect((await audra(api.staffCases.watchCase, { ...own, body: { watching: true } })).data).toMatchObject({ watching: true });
  expect(await audra(api.staffCases.linkCase, { ...own, body: { other: `REQ-${one.requestId}` } })).toMatchObject({
    errors: [{ code: 'NO_SUCH_CASE' }],
  });
  // A link of a ticket to a case of another kind isn’t hers to remove either.
  const linked = (await stella(api.staffCases.linkCase, { ...own, body: { other: `REQ-${one.requestId}` } })).data!;
  const { linkId } = linked.links[0]!;
  expect(await audra(api.staffCases.unlinkCase, { ...own, linkId })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  expect((await stella(api.staffCases.unlinkCase, { ...own, linkId })).data!.links).toEqual([]);
});

test('a case has so many links at most, and linking one of them again is no more', async () => {
  await using portal = await testPortal();
  const [one, other] = [await sentReturn(portal), await sentReturn(portal, '198.18.65.0/24')];
  const stella = await portal.as('stella');
  const link = (typed: string) => stella(api.staffCases.linkCase, { ...one.named, body: { other: typed } });
  await link(`REQ-${other.requestId}`);
  await portal.db.change(line, change =>
    change.rows(sql`insert into case_link (kind, case_id, other_kind, other_case_id, login_id, linked_at)
      select 'resources', ${one.requestId}, 'tickets', (900000 + n)::text, login_id, now() from generate_series(1, 49) n, login where username = 'stella'`),
  );
  expect((await link(`REQ-${other.requestId}`)).status).toBe(200);
  const ticketId = await openedTicket(portal);
  expect(await link(ticketId)).toMatchObject({ errors: [{ code: 'TOO_MANY_CASE_LINKS' }] });
  // Cases that are gone take no place for long.
  await removeStale(portal.db);
  expect((await link(ticketId)).data!.links).toHaveLength(2);
});

test('a watcher is not notified of a decision of their own, and a reminder says that the case was closed', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
  for (const who of [stella, stan]) await who(api.staffCases.watchCase, { ...named, body: { watching: true } });
  const today = dayIn(zone, new Date());
  const tomorrow = daysAfter(today, 1);
  await stella(api.staffCases.remindOfCase, { ...named, body: { day: tomorrow, words: '', byMail: true } });
  await stella(api.requestDesk.refuseRequest, { requestId, body: { reason: 'Not theirs' } });
  await notifyWatchers(portal.db);
  expect(await mails(portal, 'stella', `REQ-${requestId}`)).toEqual([]);
  expect((await mails(portal, 'stan', `REQ-${requestId}`)).map(({ subject }) => subject)).toEqual([`REQ-${requestId} was rejected`]);
  await mailReminders(portal.db, { now: new Date(`${today}T21:00:00Z`), timeZone: zone });
  const [reminder] = await mails(portal, 'stella', `Reminder: REQ-${requestId}`);
  expect(reminder!.body).toContain('The case is closed: it was rejected.');
});

test('a watcher who wrote last is notified when a colleague hands the ticket over', async () => {
  await using portal = await testPortal();
  const ticketId = await openedTicket(portal);
  const named = { kind: 'tickets', caseId: ticketId };
  const [stella, stan, fiona] = [await portal.as('stella'), await portal.as('stan'), await loginOf(portal, 'fiona')];
  await stella(api.staffCases.watchCase, { ...named, body: { watching: true } });
  const note = { text: 'Ask the bank', comment: true, asks: '', next: 'open' as const, documentIds: [] };
  expect((await stella(api.tickets.answerStaffTicket, { ticketId, body: note })).errors).toBe(undefined);
  await notifyWatchers(portal.db);
  expect((await stan(api.staffCases.handOverCase, { ...named, body: { to: fiona.loginId, words: '' } })).errors).toBe(undefined);
  await notifyWatchers(portal.db);
  const [mail] = await mails(portal, 'stella', ticketId);
  expect(mail!.body).toContain(`${fiona.fullName} has it.`);
});

test('watches and reminders go with the person who leaves, and a reminder of a kind that one lost can be removed', async () => {
  await using portal = await testPortal();
  const { requestId, named } = await sentReturn(portal);
  const [stella, stan, ola] = [await portal.as('stella'), await portal.as('stan'), await portal.as('ola')];
  const day = daysAfter(dayIn(zone, new Date()), 1);
  const keep = async (who: typeof stella) => {
    await who(api.staffCases.watchCase, { ...named, body: { watching: true } });
    return (await who(api.staffCases.remindOfCase, { ...named, body: { day, words: '', byMail: true } })).data!.reminders[0]!;
  };
  await keep(stan);
  const { reminderId } = await keep(stella);
  const keptBy = async (username: string) =>
    (
      await portal.db.read.rows<{
        kept: number;
      }>(sql`select ((select count(*) from case_watch join login using (login_id) where username = ${username})
        + (select count(*) from case_reminder join login using (login_id) where username = ${username}))::int as kept`)
    )[0]!.kept;
  expect(await keptBy('stan')).toBe(2);
  await stan(api.requestDesk.reviewRequest, { requestId });
  const { loginId } = await loginOf(portal, 'stan');
  const organisation = await reviewedChange(portal);
  await stella(api.staffCases.handOverCase, { ...organisation, body: { to: loginId, words: '' } });
  const end = async (to: string) =>
    ola(api.roles.endStaff, { loginId, body: { reason: 'Moves on', casesTo: (await loginOf(portal, to)).loginId } });
  // The rules of the kind hold for the colleague who gets the cases.
  await giveStaffRole(portal.db, 'fiona', 'support');
  await giveStaffRole(portal.db, 'vera', 'hostmaster');
  await makeContact(portal, 'vera');
  for (const [to, message] of [
    ['fiona', 'can’t take cases of this kind'],
    ['vera', 'an account or an application of theirs'],
  ] as const)
    expect(await end(to)).toMatchObject({
      status: 400,
      errors: [{ field: 'casesTo', message: expect.stringContaining(message) as string }],
    });
  expect((await end('stella')).status).toBe(200);
  expect((await stella(api.staffCases.getCase, named)).data!.handOvers).toMatchObject([{ from: 'Stan Petrov', to: 'Stella Kowalski' }]);
  expect((await stella(api.staffCases.getCase, organisation)).data!.handOvers).toMatchObject([
    { from: 'Stan Petrov', to: 'Stella Kowalski' },
    { from: 'Stella Kowalski', to: 'Stan Petrov' },
  ]);
  // No account’s log says that a person left.
  const [ended] = await portal.db.read.rows<{ accountName: string | null }>(
    sql`select account_name from activity where action = 'roles.endStaff' and refusal is null`,
  );
  expect(ended).toEqual({ accountName: null });
  expect(await keptBy('stan')).toBe(0);
  await takeStaffRoles(portal.db, 'stella');
  await giveStaffRole(portal.db, 'stella', 'support');
  const again = await portal.as('stella');
  expect((await again(api.staffCases.getCase, named)).status).toBe(404);
  expect((await again(api.staffCases.removeReminder, { ...named, reminderId })).errors).toBeUndefined();
  expect(await keptBy('stella')).toBe(1);
});

test('a case is found by the index of each kind, also where others name it', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, async change => {
    await change.rows(sql`select set_config('enable_seqscan', 'off', true)`);
    for (const read of [
      sql<{ 'QUERY PLAN': string }>`explain select c.asked from ${caseLines} where c.key = 'resources' and c.case_number = 7`,
      sql<{ 'QUERY PLAN': string }>`explain select c.asked from case_watch w cross join ${caseAt(sql`w.kind`, sql`w.case_id`)}`,
    ]) {
      const plan = JSON.stringify(await change.rows(read));
      for (const table of [
        'resource_request',
        'membership_application',
        'organisation_change',
        'account_closure_request',
        'registry_request',
      ])
        expect(plan).not.toContain(`Seq Scan on ${table}`);
      expect(plan).toMatch(/resource_request_pkey/);
    }
  });
});

test('every kind of case that someone has says how it is handed over, once', () => {
  const held = modules.flatMap(({ staffCases }) => Object.keys(staffCases?.held ?? {}));
  expect(held.toSorted()).toEqual([...heldCaseKinds].toSorted());
});

test('a case whose kind keeps no events of its own has the steps of its life, with who made each', async () => {
  await using portal = await testPortal();
  const [stella, olive] = [await portal.as('stella'), await portal.as('olive')];
  const change = { field: 'organisationType', value: 'partnership' } as const;
  const { changeId } = (
    await olive(api.organisationChanges.requestOrganisationChange, {
      account: 'OTHER-SG',
      body: { ...change, reason: '', documentIds: [] },
    })
  ).data!;
  await stella(api.organisationChanges.askAboutOrganisationChange, { changeId, body: { question: 'Since when?' } });
  await stella(api.organisationChanges.refuseOrganisationChange, { changeId, body: { reason: 'The register says company' } });
  const { steps } = (await stella(api.staffCases.getCase, { kind: 'organisations', caseId: changeId })).data!;
  expect(steps).toMatchObject([
    { kind: 'submitted', by: 'Olive Tan' },
    { kind: 'question', by: 'Stella Kowalski' },
    { kind: 'rejected', by: 'Stella Kowalski' },
  ]);
});
