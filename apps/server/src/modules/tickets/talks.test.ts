import { api } from '@portal/contract/api';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { mailUnreadTalks } from './talks.ts';

describe.each(kindsForRules)('talk to us on %s', kind => {
  test('is one ticket, which both sides see live, and ends like any ticket', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const account = 'EXAMPLE-AU';
    expect((await corin(api.talks.getTalk, { query: { account } })).data).toMatchObject({ ticket: null, writesFor: account });
    const heard: unknown[] = [];
    const stop = await portal.db.listen('live', payload => heard.push(JSON.parse(payload)));
    const text = 'My ROA is not there.\n  Which one is right?';
    const both = await Promise.all([
      corin(api.talks.sendTalk, { body: { account, text } }),
      corin(api.talks.sendTalk, { body: { account, text: 'Are you there?' } }),
    ]);
    expect(new Set(both.map(({ data }) => data!.ticket!.ticketId)).size).toBe(1);
    const { ticketId } = both[0].data!.ticket!;
    const stella = await portal.as('stella');
    expect((await stella(api.tickets.listStaffTickets, { query: {} })).data!.rows[0]).toMatchObject({
      ticketId,
      isTalk: true,
      queue: 'helpdesk',
    });
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Between us', comment: true } });
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'The second one.', comment: false } });
    const talk = (await corin(api.talks.getTalk, { query: { account } })).data!;
    expect(talk.ticket).toMatchObject({ unread: true, state: 'stalled' });
    expect(talk.ticket!.messages.map(({ by }) => by)).toEqual(['member', 'member', 'staff']);
    // Only the people of the ticket are named, and of a comment no one: registry staff hear of it by their permission.
    await expect.poll(() => heard.length).toBe(4);
    const [login] = await portal.db.read.rows<{ loginId: string }>(sql`select login_id from login where username = 'corin'`);
    const corins = [login!.loginId];
    expect(heard).toEqual([corins, corins, [], corins].map(logins => ({ what: 'ticket', id: ticketId, logins })));
    await stop();
    await corin(api.tickets.closeTicket, { ticketId });
    const next = (await corin(api.talks.sendTalk, { body: { account, text: 'One more thing' } })).data!;
    expect(next.ticket!.ticketId).not.toBe(ticketId);
  });

  test('an answer that stays unread is mailed once, and one that was read is not', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const say = async (): Promise<string> =>
      (await corin(api.talks.sendTalk, { body: { account: 'EXAMPLE-AU', text: 'Hello' } })).data!.ticket!.ticketId;
    const ticketId = await say();
    const mails = async () => (await portal.mailsTo('corin@example-au.example')).filter(({ subject }) => subject.includes(`#${ticketId}]`));
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'First answer', comment: false } });
    await corin(api.tickets.readTicket, { ticketId });
    const later = new Date(Date.now() + 4 * MINUTE_MS);
    await mailUnreadTalks(portal.db, later);
    expect(await mails()).toEqual([]);
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Second answer', comment: false } });
    await mailUnreadTalks(portal.db, new Date());
    expect(await mails()).toEqual([]);
    await Promise.all([mailUnreadTalks(portal.db, later), mailUnreadTalks(portal.db, later)]);
    const sent = await mails();
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).toContain('Second answer');
    expect(JSON.stringify(sent)).not.toContain('First answer');
  });

  test('belongs to the selected account, or to the person if they may not write for it', async () => {
    await using portal = await testPortal(kind);
    const [tess, olive] = [await portal.as('tess'), await portal.as('olive')];
    // A technical contact has no permission for general tickets.
    const own = (await tess(api.talks.sendTalk, { body: { account: 'EXAMPLE-AU', text: 'Hello' } })).data!;
    expect(own).toMatchObject({ writesFor: null, ticket: { accountName: null } });
    expect((await (await portal.as('corin'))(api.talks.getTalk, { query: { account: 'EXAMPLE-AU' } })).data!.ticket).toBeNull();
    expect(await olive(api.talks.getTalk, { query: { account: 'EXAMPLE-AU' } })).toMatchObject({ status: 404 });
    expect(await olive(api.talks.sendTalk, { body: { account: 'EXAMPLE-AU', text: 'Hello' } })).toMatchObject({ status: 404 });
    const [{ count }] = (await portal.db.read.rows<{ count: number }>(
      sql`select count(*)::int as count from ticket where requestor = (select login_id from login where username = 'olive') and is_talk`,
    )) as [{ count: number }];
    expect(count).toBe(0);
  });
});
