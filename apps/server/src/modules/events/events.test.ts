import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { EventValues } from '@portal/contract/events/event-shapes';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { addElection, publishElection } from '../elections/index.ts';
import { addEvent, publishEvent } from './desk-events.ts';
import { fetchCalendar } from '../../adapters/events-calendar.ts';
import { followCalendar } from './outside-calendar.ts';
import { remindOfEvents } from './reminders.ts';

const inDays = (days: number): string => instantAfter(Date.now(), days * DAY_MS);
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const values = (given: Partial<EventValues> = {}): EventValues => ({
  kind: 'workshop',
  title: 'Routing workshop',
  description: '',
  startsAt: inDays(5),
  endsAt: inDays(6),
  timeZone: 'Asia/Manila',
  mode: 'hybrid',
  place: 'Manila',
  url: '',
  registrationOpensAt: inDays(-5),
  registrationClosesAt: inDays(5),
  capacity: null,
  fee: '75.00',
  currency: 'USD',
  hours: 6.5,
  ...given,
});
const open = (portal: TestPortal, given: Partial<EventValues> = {}, event = 'SHOP-1') =>
  portal.db.change(line, async change => {
    const row = await addEvent({ change, body: { event, values: values(given) } });
    return publishEvent({ change, row, body: { version: row.version } });
  });
const event = 'SHOP-1';

describe.each(kindsForRules)('events on %s', kind => {
  const register = async (portal: TestPortal, who: string, account: string | null, part: 'onsite' | 'online' = 'onsite') =>
    (await portal.as(who))(api.events.registerForEvent, { event, body: { part, account } });
  const listed = async (portal: TestPortal, who: string, account?: string) =>
    (await (await portal.as(who))(api.events.listUpcomingEvents, { query: account ? { account } : {} })).data!.rows.find(
      each => each.event === event,
    )!;

  test('acceptance scenario 25: the first person of a member comes free of charge, the second pays the fee', async () => {
    await using portal = await testPortal(kind);
    await open(portal);
    expect((await register(portal, 'corin', 'EXAMPLE-AU')).data).toMatchObject({
      mine: { state: 'registered', account: 'EXAMPLE-AU', fee: null },
    });
    expect((await register(portal, 'tess', 'EXAMPLE-AU')).data!.mine!.fee).toEqual({ amount: '75.00', currency: 'USD' });
    // Another account has its own free place, a person without an account has none, and online is free.
    expect((await register(portal, 'olive', 'OTHER-SG')).data!.mine!.fee).toBeNull();
    expect((await register(portal, 'nadia', null)).data!.mine!.fee).not.toBeNull();
    expect((await register(portal, 'bill', 'EXAMPLE-AU', 'online')).data!.mine!.fee).toBeNull();
    expect((await register(portal, 'corin', 'EXAMPLE-AU')).errors![0]!.code).toBe('ALREADY_REGISTERED');
    expect((await register(portal, 'hana', 'EXAMPLE-AU')).errors![0]!.code).toBe('ACCOUNT_NOT_FOUND');
  });

  test('two people of a member who register at the same time get one free place', async () => {
    await using portal = await testPortal(kind);
    await open(portal);
    const answers = await Promise.all(['corin', 'tess', 'bill', 'tilda'].map(who => register(portal, who, 'EXAMPLE-AU')));
    expect(answers.map(({ data }) => data!.mine!.fee === null).filter(Boolean)).toHaveLength(1);
  });

  test('without a free place on site a person waits, and the longest waiting gets the next place and an e-mail', async () => {
    await using portal = await testPortal(kind);
    await open(portal, { capacity: 1 });
    await register(portal, 'corin', null);
    expect((await register(portal, 'olive', null)).data!.mine).toMatchObject({ state: 'waitlisted', waitingPlace: 1 });
    expect((await register(portal, 'nadia', null)).data!.mine).toMatchObject({ state: 'waitlisted', waitingPlace: 2 });
    // Online participants take no place.
    expect((await register(portal, 'tess', null, 'online')).data!.mine!.state).toBe('registered');
    await (await portal.as('corin'))(api.events.cancelRegistration, { event });
    expect((await listed(portal, 'olive')).mine!.state).toBe('registered');
    expect((await listed(portal, 'nadia')).mine).toMatchObject({ state: 'waitlisted', waitingPlace: 1 });
    const news = (await (await portal.as('olive'))(api.notifications.listNotifications, { query: {} })).data!.rows;
    expect(news[0]).toMatchObject({ title: 'A place became free, and it’s yours: Routing workshop' });
    const mail = await portal.db.read.selectFrom('mail').select('subject').where('recipient', '=', 'olive@other-sg.example').execute();
    expect(mail.map(({ subject }) => subject)).toContain('A place became free, and it’s yours: Routing workshop');
    // More places: the desk raises the capacity.
    const stella = await portal.as('stella');
    const { version } = (await stella(api.deskEvents.getStaffEvent, { event })).data!;
    await stella(api.deskEvents.changeEvent, { event, body: { version, values: values({ capacity: 5 }) } });
    expect((await listed(portal, 'nadia')).mine!.state).toBe('registered');
    expect((await stella(api.deskEvents.changeEvent, { event, body: { version, values: values() } })).errors![0]!.code).toBe('STALE');
  });

  test('of concurrent registrations one gets the last place', async () => {
    await using portal = await testPortal(kind);
    await open(portal, { capacity: 1 });
    const answers = await Promise.all(['corin', 'tess', 'olive', 'nadia'].map(who => register(portal, who, null)));
    expect(answers.map(({ data }) => data!.mine!.state).toSorted()).toEqual(['registered', 'waitlisted', 'waitlisted', 'waitlisted']);
  });

  test('registration is refused before it opens, after it closes, for another part and of a draft, with the reason', async () => {
    await using portal = await testPortal(kind);
    await open(portal, { mode: 'onsite', registrationOpensAt: inDays(1) });
    const why = async (name: string, part: 'onsite' | 'online' = 'onsite') =>
      (await (await portal.as('corin'))(api.events.registerForEvent, { event: name, body: { part, account: null } })).errors![0]!.message;
    expect(await why(event)).toBe('You can’t register for this event: registration hasn’t opened yet');
    await open(portal, { registrationClosesAt: inDays(-1) }, 'SHOP-2');
    expect(await why('SHOP-2')).toContain('registration is closed');
    await open(portal, { mode: 'onsite' }, 'SHOP-3');
    expect(await why('SHOP-3', 'online')).toContain('can’t be attended online');
    await portal.db.change(line, change => addEvent({ change, body: { event: 'SHOP-4', values: values() } }));
    expect(await why('SHOP-4')).toContain('The event');
    expect((await (await portal.as('tess'))(api.deskEvents.listStaffEvents, { query: {} })).status).toBe(404);
  });

  test('a registration in the portal appears on the attendance list, and attending conferences lets people vote as attendees', async () => {
    await using portal = await testPortal(kind);
    await open(portal, { kind: 'conference', startsAt: inDays(-3), endsAt: inDays(1), registrationClosesAt: inDays(1) });
    await register(portal, 'olive', null);
    const stella = await portal.as('stella');
    const file = await stella(api.deskEvents.exportAttendance, { event });
    const csv = await (file.data as unknown as { blob: Blob }).blob.text();
    expect(csv).toMatch(/^email,registered_at,attended,full_name,account\r\nolive@other-sg\.example,.*,no,Olive/);
    const answer = await stella(api.conferences.importAttendance, { conference: event, body: { csv: csv.replace(',no,', ',yes,') } });
    expect(answer.data).toMatchObject({ changed: 1, added: 0, removed: 0 });
    const attended = (await (await portal.as('olive'))(api.events.listAttendedEvents, {})).data!.rows;
    expect(attended[0]).toMatchObject({ event, attended: true, counts: true, certificates: [] });
  });

  test('who comes to an event is private data: who announces events sees the numbers alone', async () => {
    await using portal = await testPortal(kind);
    await open(portal);
    await register(portal, 'olive', null);
    await takeStaffRoles(portal.db, 'stan');
    await giveStaffRole(portal.db, 'stan', 'support');
    const stan = await portal.as('stan');
    expect((await stan(api.deskEvents.getStaffEvent, { event })).data).toMatchObject({ registered: 1 });
    for (const answer of [
      await stan(api.deskEvents.listRegistrations, { event, query: {} }),
      await stan(api.deskEvents.exportAttendance, { event }),
    ])
      expect(answer).toMatchObject({
        status: 403,
        errors: [{ code: 'NO_STAFF_PERMISSION', message: expect.stringContaining('“Read private data”') }],
      });
    for (const reader of ['stella', 'audra'])
      expect((await (await portal.as(reader))(api.deskEvents.listRegistrations, { event, query: {} })).data!.rows).toHaveLength(1);
  });

  test('a workshop doesn’t count for the votes of attendees, and stays off the list of conferences', async () => {
    await using portal = await testPortal(kind);
    await open(portal);
    const { rows } = (await (await portal.as('stella'))(api.conferences.listConferences, {})).data!;
    expect(rows.map(each => each.conference)).not.toContain(event);
  });

  test('a certificate in one’s own name is issued immediately, can be downloaded, and is checked by anyone', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const answer = await corin(api.events.requestCertificate, { event: 'CONF-62', body: { account: null } });
    const { code, state } = answer.data!.certificates[0]!;
    expect(state).toBe('issued');
    const address = (await corin(api.events.openEventCertificate, { code })).data!.address;
    const file = await corin(api.files.downloadFile, { address });
    const bytes = Buffer.from(await (file.data as unknown as { blob: Blob }).blob.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const page = await portal.http.inject({ url: `/certificates/${code}`, headers: { host: 'portal.test' } });
    expect(page.body).toContain('Certificate of attendance');
    expect(page.body).toContain('Example Conference 62');
    expect(page.body).toContain('Corin Achterberg');
    // Another person can't open it, and a person who didn't attend gets none.
    expect((await (await portal.as('olive'))(api.events.openEventCertificate, { code })).status).toBe(404);
    const refused = await (await portal.as('olive'))(api.events.requestCertificate, { event: 'CONF-61', body: { account: null } });
    expect(refused.errors![0]!.code).toBe('NOT_ATTENDED');
  });

  test('a certificate that names the account waits for a contact who may approve it', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const csv =
      'email,registered_at,attended\ncorin@example-au.example,2026-01-01T00:00:00Z,yes\ntess@example-au.example,2026-01-01T00:00:00Z,yes\n';
    await stella(api.conferences.importAttendance, { conference: 'CONF-62', body: { csv, mayRemove: true } });
    const tess = await portal.as('tess');
    const asked = await tess(api.events.requestCertificate, { event: 'CONF-62', body: { account: 'EXAMPLE-AU' } });
    const { code, state } = asked.data!.certificates[0]!;
    expect(state).toBe('requested');
    expect((await tess(api.events.openEventCertificate, { code })).status).toBe(404);
    expect((await portal.http.inject({ url: `/certificates/${code}`, headers: { host: 'portal.test' } })).statusCode).toBe(404);
    // Without the permission there is no decision; in another account the certificate looks non-existent.
    const decide = { code, body: { approve: true } };
    expect((await tess(api.eventCertificates.decideCertificate, { account: 'EXAMPLE-AU', ...decide })).errors![0]!.code).toBe(
      'NO_PERMISSION',
    );
    const olive = await portal.as('olive');
    expect((await olive(api.eventCertificates.decideCertificate, { account: 'OTHER-SG', ...decide })).status).toBe(404);
    const corin = await portal.as('corin');
    expect((await corin(api.eventCertificates.listAccountCertificates, { account: 'EXAMPLE-AU' })).data!.rows).toMatchObject([
      { code, state: 'requested', fullName: 'Tess Lindqvist' },
    ]);
    expect((await corin(api.eventCertificates.decideCertificate, { account: 'EXAMPLE-AU', ...decide })).data!.state).toBe('issued');
    const again = await corin(api.eventCertificates.decideCertificate, { account: 'EXAMPLE-AU', ...decide });
    expect(again.errors![0]!.code).toBe('CERTIFICATE_DECIDED');
    expect((await tess(api.events.openEventCertificate, { code })).status).toBe(200);
  });

  test('a cancelled event says why, and everybody who was registered is notified', async () => {
    await using portal = await testPortal(kind);
    const { version } = await open(portal);
    await register(portal, 'olive', null);
    const stella = await portal.as('stella');
    await stella(api.deskEvents.cancelEvent, { event, body: { version, reason: 'The venue is flooded.' } });
    expect(await listed(portal, 'olive')).toMatchObject({ state: 'cancelled', cancelReason: 'The venue is flooded.' });
    const news = (await (await portal.as('olive'))(api.notifications.listNotifications, { query: {} })).data!.rows;
    expect(news[0]!.title).toBe('Cancelled: Routing workshop');
    expect((await register(portal, 'tess', null)).errors![0]!.code).toBe('REGISTRATION_CLOSED');
    const again = await stella(api.deskEvents.cancelEvent, { event, body: { version, reason: 'Again' } });
    expect(again.errors![0]!.message).toBe('The event is cancelled, so this is no longer possible');
  });

  test('people are reminded a week and a day before, each once', async () => {
    await using portal = await testPortal(kind);
    await open(portal, { startsAt: inDays(10), endsAt: inDays(11), registrationClosesAt: inDays(10) });
    await register(portal, 'olive', null);
    const subjects = async (day: number) => {
      await remindOfEvents(portal.db, new Date(inDays(day)));
      await remindOfEvents(portal.db, new Date(inDays(day)));
      const { rows } = (await (await portal.as('olive'))(api.notifications.listNotifications, { query: {} })).data!;
      return rows.map(({ title }) => title).filter(title => title.endsWith('Routing workshop') && !title.startsWith('You’re'));
    };
    expect(await subjects(2)).toEqual([]);
    expect(await subjects(4)).toEqual(['Next week: Routing workshop']);
    expect(await subjects(9.5)).toEqual(['Tomorrow: Routing workshop', 'Next week: Routing workshop']);
  });

  test('the calendar names published events and no draft, in the zone of the venue', async () => {
    await using portal = await testPortal(kind);
    await open(portal);
    await portal.db.change(line, change => addEvent({ change, body: { event: 'SECRET', values: values({ title: 'Not announced' }) } }));
    const feed = await portal.http.inject({ url: '/calendar/events.ics', headers: { host: 'portal.test' } });
    expect(feed.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(feed.body).toContain('UID:SHOP-1@portal.test');
    expect(feed.body).toContain('DTSTART;TZID=Asia/Manila:');
    expect(feed.body).not.toContain('Not announced');
    const one = await portal.http.inject({ url: '/calendar/events/SHOP-1.ics', headers: { host: 'portal.test' } });
    expect(one.body.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    for (const name of ['SECRET', 'NONE', '..%2f']) {
      const missing = await portal.http.inject({ url: `/calendar/events/${name}.ics`, headers: { host: 'portal.test' } });
      expect(missing.statusCode).toBe(404);
    }
  });

  test('the calendar of elections has each window of those that are published, and no draft; one that is cancelled says so', async () => {
    await using portal = await testPortal(kind);
    const given = {
      kind: 'other' as const,
      description: '',
      seats: null,
      maxSelections: null,
      timeZone: 'Australia/Brisbane',
      conference: null,
      registrationCutOff: null,
      candidatesUrl: '',
      resultsUrl: '',
      windows: [
        { kind: 'member-vote' as const, opensAt: '2099-01-10T04:00:00Z', closesAt: '2099-01-20T04:00:00Z', url: 'https://vote.example' },
      ],
    };
    await portal.db.change(line, async change => {
      await addElection({ change, body: { ...given, title: 'Not announced' } });
      const { electionId, version } = await addElection({ change, body: { ...given, title: 'Name; of the region' } });
      await publishElection({ change, params: { electionId }, body: { version } });
    });
    const read = async () => (await portal.http.inject({ url: '/calendar/elections.ics', headers: { host: 'portal.test' } })).body;
    const feed = await read();
    expect(feed).toContain('SUMMARY:Voting of members: Name\\; of the region');
    expect(feed).toContain('DTSTART;TZID=Australia/Brisbane:20990110T140000');
    expect(feed).not.toContain('Not announced');
    expect(feed).not.toContain('STATUS:CANCELLED');
    await portal.db.change(line, change =>
      change.rows(
        sql`update election set state = 'cancelled', cancelled_at = now(), cancel_reason = 'None stood' where title like 'Name%'`,
      ),
    );
    expect(await read()).toContain('STATUS:CANCELLED');
  });

  test('events of the calendar at EVENTS_CALENDAR_URL are listed; one that disappears there does here, and without a change nothing is written', async () => {
    let body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@elsewhere\r\nDTSTART:${inDays(3).replaceAll(/[-:]|\.\d+/g, '')}\r\nDURATION:PT2H\r\nSUMMARY:Peering forum\r\nURL:https://www.registry.example/peering\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status, { 'content-type': 'text/calendar' }).end(body)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events.ics`;
    try {
      await using portal = await testPortal(kind, { EVENTS_CALENDAR_URL: address });
      const calendar = { read: () => fetchCalendar(address) };
      const outside = async () => (await (await portal.as('nadia'))(api.events.listUpcomingEvents, { query: {} })).data!.outside;
      const reads = async () => {
        const rows = await portal.db.read.selectFrom('activity').select('activityId').where('action', '=', 'events.readCalendar').execute();
        return rows.length;
      };
      await followCalendar(portal.db, calendar, new Date());
      await followCalendar(portal.db, calendar, new Date());
      expect(await outside()).toMatchObject([{ title: 'Peering forum', url: 'https://www.registry.example/peering' }]);
      expect(await reads()).toBe(1);
      // A calendar that doesn't answer leaves the previous events.
      status = 503;
      await expect(followCalendar(portal.db, calendar, new Date())).rejects.toThrow('The events calendar answers 503');
      status = 200;
      body = '<html>no calendar</html>';
      await expect(followCalendar(portal.db, calendar, new Date())).rejects.toThrow('no calendar');
      expect(await outside()).toHaveLength(1);
      body = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
      await followCalendar(portal.db, calendar, new Date());
      expect(await outside()).toEqual([]);
    } finally {
      server.close();
    }
  });
});
