import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplePdf } from '../../../test/sample-files.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { runTicketDeadlines } from './deadlines.ts';

const accountName = 'EXAMPLE-AU';
let portal: TestPortal;
let stella: Client;
let people: Record<string, string>;
beforeAll(async () => {
  portal = await testPortal();
  stella = await portal.as('stella');
  const { contacts } = (await stella(api.desk.getAccountSheet, { accountName })).data!;
  people = Object.fromEntries(contacts.map(({ email, contactId }) => [email.split('@')[0]!, contactId]));
});
afterAll(() => portal[Symbol.asyncDispose]());

const letter = (given: object = {}) => ({
  queue: 'billing' as const,
  subject: 'Your purchase order',
  text: 'Please send us the number of your purchase order.',
  to: people['bill']!,
  asks: 'Send the number',
  ...given,
});

test('the registry writes to a contact, who gets it by mail, sees what is needed, and answers; it counts neither as received nor as answered', async () => {
  const median = async () =>
    (await stella(api.tickets.listStaffTickets, { query: {} })).data!.queues.find(({ queue }) => queue === 'billing');
  const before = await median();
  const written = (await stella(api.tickets.openStaffTicket, { accountName, body: letter({ cc: [people['corin']!, people['bill']!] }) }))
    .data!;
  expect(written).toMatchObject({ state: 'stalled', owner: 'Stella Kowalski', fromRegistry: true, asks: 'Send the number', accountName });
  expect(written.cc.map(({ email }) => email)).toEqual(['corin@example-au.example']);
  const { ticketId } = written;
  expect((await stella(api.staffCases.getCase, { kind: 'tickets', caseId: ticketId })).data!.case).toMatchObject({
    requestedBy: 'Stella Kowalski',
  });
  for (const name of ['bill', 'corin']) {
    const mails = await portal.mailsTo(`${name}@example-au.example`);
    const [mail] = mails.filter(({ subject }) => subject === `[registry #${ticketId}] Your purchase order`);
    expect(mail!.body).toContain('Please send us the number');
  }
  const bill = await portal.as('bill');
  const seen = (await bill(api.tickets.getTicket, { ticketId })).data!;
  expect(seen).toMatchObject({ unread: true, writable: true, asks: 'Send the number', messages: [{ by: 'staff', kind: 'message' }] });
  const { lines } = (await (await portal.as('corin'))(api.activityLog.listActivities, { account: accountName })).data!;
  expect(lines.find(({ action }) => action === 'tickets.openStaffTicket')).toMatchObject({
    summary: 'Wrote to the account',
    actor: { name: 'Registry staff' },
  });
  expect((await bill(api.tickets.answerTicket, { ticketId, body: { text: 'PO 7' } })).data).toMatchObject({ state: 'open' });
  await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Thank you.', comment: false, next: 'resolved' } });
  expect((await bill(api.tickets.getTicket, { ticketId })).data).toMatchObject({ state: 'resolved', firstAnswerAt: null });
  expect((await median())!.medianAnswerMinutes).toBe(before!.medianAnswerMinutes);
});

test('what the registry writes first can have files, which its reader opens, and another person’s file is refused', async () => {
  const send = async (as: Client) =>
    (await as(api.files.uploadFile, { query: { fileName: 'form.pdf' }, body: new Blob([new Uint8Array(samplePdf('form.pdf'))]) })).data!
      .documentId;
  const documentId = await send(stella);
  const written = (await stella(api.tickets.openStaffTicket, { accountName, body: letter({ documentIds: [documentId] }) })).data!;
  expect(written.messages[0]!.files).toMatchObject([{ fileName: 'form.pdf' }]);
  const seen = (await (await portal.as('bill'))(api.tickets.getTicket, { ticketId: written.ticketId })).data!;
  expect(seen.messages[0]!.files).toMatchObject([{ fileName: 'form.pdf' }]);
  const others = await send(await portal.as('corin'));
  expect(await stella(api.tickets.openStaffTicket, { accountName, body: letter({ documentIds: [others] }) })).toMatchObject({
    errors: [{ code: expect.stringMatching(/NOT_FOUND|FILE_UNUSABLE/) }],
  });
});

test('one without an answer is reminded of and solved, as any that waits for the member', async () => {
  const { ticketId } = (await stella(api.tickets.openStaffTicket, { accountName, body: letter() })).data!;
  await runTicketDeadlines(portal.db, new Date(Date.now() + 8 * DAY_MS));
  const mails = await portal.mailsTo('bill@example-au.example');
  expect(mails.filter(({ subject }) => subject.includes(ticketId))).toHaveLength(2);
  await runTicketDeadlines(portal.db, new Date(Date.now() + 15 * DAY_MS));
  expect((await stella(api.tickets.getStaffTicket, { ticketId })).data).toMatchObject({ state: 'resolved' });
});

test('only those who answer tickets write, to active contacts of an account that is open', async () => {
  const refusals = async (as: Client, body: object, of = accountName) =>
    ((await as(api.tickets.openStaffTicket, { accountName: of, body: body as ReturnType<typeof letter> })).errors ?? []).map(
      ({ code, field }) => [code, field],
    );
  await takeStaffRoles(portal.db, 'stan');
  await giveStaffRole(portal.db, 'stan', 'director');
  expect(await refusals(await portal.as('stan'), letter())).toEqual([['NO_STAFF_PERMISSION', undefined]]);
  expect(await refusals(await portal.as('audra'), letter())).toEqual([['NO_STAFF_PERMISSION', undefined]]);
  expect((await (await portal.as('corin'))(api.tickets.openStaffTicket, { accountName, body: letter() })).status).toBe(404);
  expect(await refusals(stella, letter({ to: crypto.randomUUID() }))).toEqual([['TICKET_TO', 'to']]);
  expect(await refusals(stella, letter({ cc: ['x'] }))).toEqual([['TICKET_TO', 'cc']]);
  expect(await refusals(stella, letter(), 'NOWHERE')).toEqual([['NOT_FOUND', undefined]]);
  const [closed] = await portal.db.read.rows<{ accountName: string }>(
    sql`select account_name from account where account_status = 'closed' limit 1`,
  );
  expect(await refusals(stella, letter(), closed!.accountName)).toEqual([['ACCOUNT_CLOSED', undefined]]);
  // A member of the account isn't kept from writing by what was written to them.
  const [{ own } = { own: 0 }] = await portal.db.read.rows<{ own: number }>(
    sql`select count(*)::int as own from ticket t join login l on l.login_id = t.requestor where l.username = 'bill' and t.from_registry`,
  );
  expect(own).toBeGreaterThan(0);
});
