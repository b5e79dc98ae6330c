import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { testPortal } from '../../test/portal.ts';
import { homePart, resourcesPart, ticketPart, ticketsPart } from './plain-content.ts';

const base = '/plain/EXAMPLE-AU';
const account = 'EXAMPLE-AU';

test('home and resources are written as plain HTML, with what the person may see and no more', async () => {
  await using portal = await testPortal();
  for (const name of ['corin', 'bill', 'tess']) {
    const as = await portal.as(name);
    const home = (await as(api.home.getHome, { account })).data!;
    // Something to do whose day is not known.
    home.attention!.push({
      attentionId: 'ticket-1',
      urgency: 'soon',
      due: '',
      title: 'A ticket waits',
      detail: '',
      action: null,
      forWhom: 'me',
    });
    expect(homePart(base, home).markup.includes('Recent activity')).toBe(home.recent !== null);
  }
  const corin = await portal.as('corin');
  const delegations = (await corin(api.resources.listDelegations, { account, query: { kind: 'ipv4' } })).data!;
  expect(resourcesPart(base, 'ipv4', 0, delegations).markup).toContain(delegations.rows[0]!.resource);
});

test('what a person wrote in a ticket is text, whatever it looks like', async () => {
  await using portal = await testPortal();
  const corin = await portal.as('corin');
  const hostile = '<script>alert(1)</script>"\'&';
  const ticket = (
    await corin(api.tickets.openTicket, { body: { queue: 'helpdesk', account, subject: hostile, text: `${hostile}\n\n${hostile}` } })
  ).data!;
  const tickets = (await corin(api.tickets.listTickets, { query: { account, state: 'all' } })).data!;
  for (const { markup } of [ticketPart(ticket), ticketsPart(base, 0, tickets)]) {
    expect(markup).not.toContain('<script>');
    expect(markup).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  }
});
