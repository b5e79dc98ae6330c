import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';

const given = { queue: 'billing', account: 'EXAMPLE-AU', subject: 'Two debits', text: 'We see two debits.' } as const;

describe.each(kindsForRules)('around a ticket on %s', kind => {
  test('a ticket is linked to what its messages name, as far as the account has it and the reader may see it', async () => {
    await using portal = await testPortal(kind);
    const [corin, bill] = [await portal.as('corin'), await portal.as('bill')];
    const { ticketId } = (
      await corin(api.tickets.openTicket, {
        body: {
          ...given,
          subject: 'Fee of 198.18.0.0/19',
          text: 'Not 240.0.0.0/24 of INV-2025-000009, but of AS65551. At 10:20:30, 192.0.2.1.',
        },
      })
    ).data!;
    const { [0]: holding, length } = (await corin(api.tickets.getTicketContext, { ticketId })).data!.links;
    expect(length).toBe(1);
    expect(holding).toMatchObject({
      kind: 'prefix',
      text: '198.18.0.0/19',
      link: '/resources/prefix?prefix=198.18.0.0/19',
      isManual: false,
    });
    // Bill sees billing tickets, and no number resources.
    expect((await bill(api.tickets.getTicketContext, { ticketId })).data!.links).toEqual([]);
    const added = (await bill(api.tickets.linkTicket, { ticketId, body: { about: 'inv-2025-000001' } })).data!;
    expect(added.links).toEqual([expect.objectContaining({ kind: 'invoice', text: 'INV-2025-000001', isManual: true })]);
    expect(await bill(api.tickets.linkTicket, { ticketId, body: { about: 'INV-2025-000001' } })).toMatchObject({
      errors: [{ code: 'NOTHING_TO_DO' }],
    });
    expect(await bill(api.tickets.linkTicket, { ticketId, body: { about: 'our router' } })).toMatchObject({ status: 400 });
    const { messages } = (await corin(api.tickets.getTicket, { ticketId })).data!;
    expect(messages.map(({ text }) => text)).toContain('Linked to INV-2025-000001');
    const removed = await bill(api.tickets.linkTicket, { ticketId, body: { about: 'INV-2025-000001', linked: false } });
    expect(removed.data!.links).toEqual([]);
    for (const name of ['olive', 'nadia', 'tess']) {
      const other = await portal.as(name);
      expect((await other(api.tickets.getTicketContext, { ticketId })).status).toBe(404);
      expect((await other(api.tickets.linkTicket, { ticketId, body: { about: 'AS64500' } })).status).toBe(404);
      expect((await other(api.tickets.copyTicket, { ticketId, body: { email: 'tess@example-au.example' } })).status).toBe(404);
    }
  });

  test('comments of registry staff link a ticket to nothing that a member sees', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { ticketId } = (await corin(api.tickets.openTicket, { body: given })).data!;
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'See 198.18.0.0/19', comment: true } });
    expect((await corin(api.tickets.getTicketContext, { ticketId })).data!.links).toEqual([]);
  });

  test('the turns of a ticket follow its states, and the registry says what it needs while the member has the next move', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { ticketId } = (await corin(api.tickets.openTicket, { body: given })).data!;
    const who = async () => (await corin(api.tickets.getTicketContext, { ticketId })).data!.moves.map(each => each.who);
    const asks = async () => (await corin(api.tickets.getTicket, { ticketId })).data!.asks;
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Which?', comment: false, asks: 'the bank reference' } });
    expect(await who()).toEqual(['us', 'you']);
    expect(await asks()).toBe('the bank reference');
    await corin(api.tickets.answerTicket, { ticketId, body: { text: '5521-0098' } });
    expect(await who()).toEqual(['us', 'you', 'us']);
    expect(await asks()).toBeNull();
    const solved = (await corin(api.tickets.answerTicket, { ticketId, body: { text: 'Found it.', solved: true } })).data!;
    expect(solved.state).toBe('resolved');
    expect(solved.messages.map(({ text }) => text)).toContain('Marked as solved');
    expect(await who()).toEqual(['us', 'you', 'us', 'none']);
  });

  test('a contact of the account is copied in, and gets the answers; an address of anyone else is refused', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { ticketId } = (await corin(api.tickets.openTicket, { body: given })).data!;
    const before = (await corin(api.tickets.getTicketContext, { ticketId })).data!;
    expect(before.colleagues.map(({ email }) => email)).toContain('tess@example-au.example');
    const copied = await corin(api.tickets.copyTicket, { ticketId, body: { email: 'Tess@example-au.example' } });
    expect(copied.data!.cc.map(({ email }) => email)).toEqual(['tess@example-au.example']);
    expect((await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject.includes(ticketId))).toHaveLength(1);
    expect((await corin(api.tickets.getTicketContext, { ticketId })).data!.readers).toBe(before.readers! + 1);
    expect(await corin(api.tickets.copyTicket, { ticketId, body: { email: 'tess@example-au.example' } })).toMatchObject({
      errors: [{ code: 'NOTHING_TO_DO' }],
    });
    expect(await corin(api.tickets.copyTicket, { ticketId, body: { email: 'x@elsewhere.example' } })).toMatchObject({
      errors: [{ code: 'TICKET_COPY' }],
    });
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'It is one debit.', comment: false } });
    expect((await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject.includes(ticketId))).toHaveLength(2);
    expect((await (await portal.as('tess'))(api.tickets.getTicket, { ticketId })).status).toBe(200);
  });

  test('first answers are counted by the hour, and those of other queues as a median', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const open = async (queue: 'billing' | 'helpdesk', minutes: number) => {
      const { ticketId } = (await corin(api.tickets.openTicket, { body: { ...given, queue } })).data!;
      await portal.db.change({ action: 'demo.answer', summary: 'Answered', traceId: '0'.repeat(32) }, change =>
        change.rows(
          sql`update ticket set first_answer_at = created_at + ${minutes} * interval '1 minute' where ticket_id = ${Number(ticketId)}`,
        ),
      );
      return ticketId;
    };
    await open('helpdesk', 30);
    await open('billing', 20);
    await open('billing', 90);
    const ticketId = await open('billing', 60 * 40);
    const { answers, otherMedians } = (await corin(api.tickets.getTicketContext, { ticketId })).data!;
    expect(answers).toMatchObject({ queue: 'billing', count: 3, medianMinutes: 90 });
    expect(answers.byHour).toEqual([1, 1, ...Array.from({ length: 10 }, () => 0), 1]);
    expect(otherMedians).toEqual([{ queue: 'helpdesk', medianMinutes: 30 }]);
  });
});
