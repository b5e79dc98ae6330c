import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { failMailsTo } from '../../../test/failing-mails.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { runTicketDeadlines } from './deadlines.ts';

const given = { queue: 'helpdesk', account: 'EXAMPLE-AU', subject: 'Two debits', text: 'We see two debits.' } as const;
const open = async (portal: TestPortal, name: string, body: object = {}) =>
  (await portal.as(name))(api.tickets.openTicket, { body: { ...given, ...body } });

describe.each(kindsForRules)('tickets on %s', kind => {
  test('a member writes, staff answers, the answer is mailed with the number, and an answer opens a solved ticket again', async () => {
    await using portal = await testPortal(kind);
    const { ticketId } = (await open(portal, 'corin')).data!;
    const stella = await portal.as('stella');
    const waiting = (await stella(api.tickets.listStaffTickets, { query: {} })).data!;
    expect(waiting.rows[0]).toMatchObject({ ticketId, state: 'new', accountName: 'EXAMPLE-AU', unread: true });
    // Free until someone of the registry has it, and every choice shows as many as it says.
    expect(waiting.owners).toMatchObject({ any: waiting.total, mine: 0 });
    expect((await stella(api.tickets.listStaffTickets, { query: { owner: 'none' } })).data).toMatchObject({ total: waiting.owners.none });
    await stella(api.tickets.changeStaffTicket, { ticketId, body: { take: true } });
    const own = (await stella(api.tickets.listStaffTickets, { query: { owner: 'mine' } })).data!;
    expect(own).toMatchObject({ total: 1, rows: [{ ticketId }], owners: { any: waiting.total, mine: 1, none: waiting.owners.none - 1 } });
    const internal = { text: 'The bank says it is one debit', comment: true };
    await stella(api.tickets.answerStaffTicket, { ticketId, body: internal });
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'It is one debit.', next: 'resolved', comment: false } });
    const corin = await portal.as('corin');
    const seen = (await corin(api.tickets.getTicket, { ticketId })).data!;
    // Acceptance scenario 23: comments never leave the desk.
    expect(JSON.stringify(seen)).not.toContain('The bank says');
    expect(seen).toMatchObject({ state: 'resolved', unread: true, writable: true });
    expect(seen.messages.map(({ by, text }) => [by, text])).toEqual([
      ['member', 'We see two debits.'],
      ['staff', 'It is one debit.'],
    ]);
    // Beside a name: what the person is in the account. Of staff it says nothing.
    expect(seen.messages.map(({ contactTypes }) => contactTypes)).toEqual([expect.arrayContaining(['corporate']), []]);
    expect(JSON.stringify(seen)).not.toContain('loginId');
    expect(JSON.stringify((await stella(api.tickets.getStaffTicket, { ticketId })).data)).toContain('The bank says');
    await corin(api.tickets.readTicket, { ticketId });
    expect((await corin(api.tickets.getTicket, { ticketId })).data!.unread).toBe(false);
    const mails = await portal.mailsTo('corin@example-au.example');
    expect(mails.filter(({ subject }) => subject === `[registry #${ticketId}] Two debits`)).toHaveLength(2);
    expect(JSON.stringify(mails)).not.toContain('The bank says');
    // Acceptance scenario 24.
    const again = await corin(api.tickets.answerTicket, { ticketId, body: { text: 'No, two.' } });
    expect(again.data).toMatchObject({ state: 'open', resolvedAt: null });
  });

  test('acceptance scenario 23: the ticket of another account looks non-existent in every call', async () => {
    await using portal = await testPortal(kind);
    const { ticketId } = (await open(portal, 'corin')).data!;
    for (const name of ['olive', 'nadia']) {
      const other = await portal.as(name);
      const answers = await Promise.all([
        other(api.tickets.getTicket, { ticketId }),
        other(api.tickets.answerTicket, { ticketId, body: { text: 'x' } }),
        other(api.tickets.closeTicket, { ticketId }),
        other(api.tickets.readTicket, { ticketId }),
        other(api.tickets.openTicketFile, { ticketId, documentId: '1' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    const olive = await portal.as('olive');
    expect(await olive(api.tickets.listTickets, { query: { account: 'EXAMPLE-AU' } })).toMatchObject({ status: 404 });
    expect(await olive(api.tickets.getStaffTicket, { ticketId })).toMatchObject({ status: 404 });
  });

  test('a person who leaves an account gets no more mail about its tickets, and mails go to the present address', async () => {
    await using portal = await testPortal(kind);
    const { ticketId } = (await open(portal, 'tess', { queue: 'resources', cc: ['tilda@example-au.example'] })).data!;
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { rows } = (await corin(api.contacts.listContacts, { account: 'EXAMPLE-AU', query: { limit: 500 } })).data!;
    const tess = rows.find(({ email }) => email.startsWith('tess@'))!;
    await corin(api.contacts.removeContact, {
      account: 'EXAMPLE-AU',
      contactId: tess.contactId,
      body: { version: tess.version, reason: '' },
    });
    await portal.db.change({ action: 'demo.email', summary: 'Changed an address', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update login set email = 'tilda@new.example' where username = 'tilda'`),
    );
    const before = (await portal.mailsTo(tess.email)).length;
    await stella(api.tickets.answerStaffTicket, {
      ticketId,
      body: { text: 'Your password of the old router is in the safe.', comment: false },
    });
    expect(await portal.mailsTo(tess.email)).toHaveLength(before);
    expect((await portal.mailsTo('tilda@new.example')).map(({ subject }) => subject)).toEqual([`[registry #${ticketId}] Two debits`]);
    expect((await (await portal.as('tess'))(api.tickets.getTicket, { ticketId })).status).toBe(404);
  });

  test('permissions of the queue decide what colleagues see; billing tickets need those of tickets or of billing', async () => {
    await using portal = await testPortal(kind);
    const helpdesk = (await open(portal, 'corin')).data!.ticketId;
    const billing = (await open(portal, 'corin', { queue: 'billing' })).data!.ticketId;
    const resources = (await open(portal, 'corin', { queue: 'resources' })).data!.ticketId;
    const seenBy = async (name: string) =>
      (await (await portal.as(name))(api.tickets.listTickets, { query: { account: 'EXAMPLE-AU' } }))
        .data!.rows.map(({ ticketId }) => ticketId)
        .toSorted((a, b) => Number(a) - Number(b));
    expect(await seenBy('corin')).toEqual([helpdesk, billing, resources]);
    expect(await seenBy('bill')).toEqual([billing]);
    expect(await seenBy('tess')).toEqual([resources]);
    const bill = await portal.as('bill');
    expect((await bill(api.tickets.answerTicket, { ticketId: billing, body: { text: 'Paid.' } })).status).toBe(200);
    expect((await bill(api.tickets.getTicket, { ticketId: helpdesk })).status).toBe(404);
    expect(await open(portal, 'bill')).toMatchObject({ status: 403, errors: [{ code: 'TICKET_ACCOUNT' }] });
    // Anyone can write personally; such tickets are separate from the account's.
    const own = (await open(portal, 'nadia', { account: null })).data!;
    expect(own).toMatchObject({ accountName: null, requestor: expect.stringContaining('Nadia') });
    const stella = await portal.as('stella');
    expect((await stella(api.tickets.getStaffTicket, { ticketId: own.ticketId })).data!.unverified).toBe(true);
    expect(await open(portal, 'nadia', { account: null, queue: 'ecsubmission' })).toMatchObject({ errors: [{ code: 'TICKET_ACCOUNT' }] });
  });

  test('a colleague who is copied in sees the ticket, and gets the answers', async () => {
    await using portal = await testPortal(kind);
    const { ticketId, cc } = (await open(portal, 'corin', { cc: ['tess@example-au.example', 'Tilda@example-au.example'] })).data!;
    expect(cc.map(({ email }) => email)).toEqual(['tess@example-au.example', 'tilda@example-au.example']);
    expect((await (await portal.as('tess'))(api.tickets.getTicket, { ticketId })).data).toMatchObject({ ticketId, writable: true });
    const received = async () => (await portal.mailsTo('tilda@example-au.example')).filter(({ subject }) => subject.includes(ticketId));
    expect(await received()).toHaveLength(1);
  });

  test('a ticket is never mailed to an address that isn’t a contact of its account', async () => {
    await using portal = await testPortal(kind);
    const stranger = 'someone@elsewhere.example';
    expect(await open(portal, 'corin', { cc: ['tess@example-au.example', stranger] })).toMatchObject({
      status: 422,
      errors: [{ code: 'TICKET_COPY', message: expect.stringContaining(`${stranger} is not a contact of EXAMPLE-AU`) }],
    });
    // Nor to a contact of another account, nor without an account.
    expect(await open(portal, 'corin', { cc: ['olive@other-sg.example'] })).toMatchObject({ errors: [{ code: 'TICKET_COPY' }] });
    expect(await open(portal, 'nadia', { account: null, cc: [stranger] })).toMatchObject({ errors: [{ code: 'TICKET_COPY' }] });
    expect(await portal.mailsTo(stranger)).toEqual([]);
    expect((await (await portal.as('corin'))(api.tickets.listTickets, { query: { q: given.subject } })).data!.rows).toEqual([]);
  });

  test('a ticket waiting for the member gets a reminder after 7 days and is solved after 14, each once', async () => {
    await using portal = await testPortal(kind);
    const { ticketId } = (await open(portal, 'corin')).data!;
    const stella = await portal.as('stella');
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Which bank?', comment: false } });
    const at = (days: number) => runTicketDeadlines(portal.db, new Date(Date.now() + days * DAY_MS));
    const count = async () => (await portal.mailsTo('corin@example-au.example')).filter(({ subject }) => subject.includes(ticketId)).length;
    const before = await count();
    await at(6);
    expect(await count()).toBe(before);
    await at(7.1);
    await at(8);
    expect(await count()).toBe(before + 1);
    await at(14.1);
    await at(15);
    expect(await count()).toBe(before + 2);
    const corin = await portal.as('corin');
    expect((await corin(api.tickets.getTicket, { ticketId })).data).toMatchObject({ state: 'resolved' });
  });

  test('a ticket whose reminder fails stops no later one', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    for (const [name, account] of [
      ['olive', 'OTHER-SG'],
      ['corin', 'EXAMPLE-AU'],
    ] as const) {
      const { ticketId } = (await open(portal, name, { account })).data!;
      await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Which bank?', comment: false } });
    }
    await failMailsTo(portal.db, 'olive@other-sg.example');
    const before = (await portal.mailsTo('corin@example-au.example')).length;
    await expect(runTicketDeadlines(portal.db, new Date(Date.now() + 7.1 * DAY_MS))).rejects.toThrow(/ticket \d+: no mail to this address/);
    expect(await portal.mailsTo('corin@example-au.example')).toHaveLength(before + 1);
  });

  test('a ticket can refer to a prefix, an AS number, an invoice or a request, and HTML in every field stays text', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    for (const [about, tie] of [
      ['198.18.0.0/19', 'prefix'],
      ['as64500', 'asn'],
      ['INV-2026-000001', 'invoice'],
      ['ORG-12', 'request'],
    ] as const) {
      const { ticketId } = (await open(portal, 'corin', { about })).data!;
      expect((await corin(api.tickets.getTicket, { ticketId })).data!.tie).toMatchObject({ kind: tie });
    }
    const html = '<img src=x onerror=alert(1)><b>bold</b>';
    const { ticketId } = (await open(portal, 'corin', { subject: html, text: html })).data!;
    await (await portal.as('stella'))(api.tickets.answerStaffTicket, { ticketId, body: { text: html, comment: false } });
    const seen = (await corin(api.tickets.getTicket, { ticketId })).data!;
    expect([seen.subject, ...seen.messages.map(({ text }) => text)]).toEqual([html, html, html]);
    expect(await open(portal, 'corin', { about: html })).toMatchObject({ status: 400, errors: [{ field: 'about' }] });
    expect(await open(portal, 'corin', { queue: html })).toMatchObject({ status: 400, errors: [{ field: 'queue' }] });
  });

  test('the twenty-first ticket of a day is refused, and wrong input names its field', async () => {
    await using portal = await testPortal(kind);
    const refused = (await open(portal, 'corin', { subject: 'a', about: 'everything', cc: ['nobody'] })).errors!;
    expect(refused.map(({ field }) => field)).toEqual(['subject', 'about', 'cc.0']);
    for (let count = 0; count < 20; count++) await open(portal, 'corin', { subject: `Number ${count}` });
    expect(await open(portal, 'corin')).toMatchObject({ status: 429 });
  });
});
