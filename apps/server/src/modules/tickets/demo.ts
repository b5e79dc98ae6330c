import { ticketLife } from '@portal/contract/tickets/life';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { DemoRegistry } from '../../platform/demo.ts';
import { answerStaffTicket } from './staff-tickets.ts';
import { moveCase } from '../../platform/http/cases.ts';
import { answerElsewhere, closeTicket, openTicket, ticketCases } from './tickets.ts';

type Given = Parameters<typeof openTicket>[0]['body'];
/** A message of a person or registry staff, so many hours ago. */
type Said = { ago: number; by: string; text: string; next?: 'open' | 'stalled' | 'resolved'; comment?: true; asks?: string };
type DemoTicket = Partial<Given> & Pick<Given, 'queue' | 'subject'> & { said: readonly [Said, ...Said[]]; solved?: true };

/** Tickets in every state: one waits for the member, one is with the registry, some are solved. */
const demoTickets: readonly DemoTicket[] = [
  {
    queue: 'resources',
    subject: 'Documents for our IPv6 plan',
    account: 'EXAMPLE-AU',
    about: '2001:db8::/32',
    said: [
      { ago: 334 * 24, by: 'tess', text: 'Do you need our addressing plan before we assign from the /32?' },
      { ago: 333 * 24, by: 'stan', text: 'No. Keep it up to date in Registrations; that is all we ask for.', next: 'resolved' },
    ],
  },
  {
    queue: 'helpdesk',
    subject: 'A new colleague for our whois objects',
    account: 'EXAMPLE-AU',
    said: [
      { ago: 247 * 24, by: 'corin', text: 'Tilda takes over part of the whois work. Does she need a maintainer of her own?' },
      { ago: 246 * 24, by: 'stella', text: 'No. Give her the permission in Account contacts; she then uses yours.', next: 'resolved' },
    ],
  },
  {
    queue: 'resources',
    subject: 'Route objects beside ROAs',
    account: 'EXAMPLE-AU',
    said: [
      { ago: 163 * 24, by: 'tess', text: 'Some peers still filter by route objects. May we keep both?' },
      { ago: 162 * 24, by: 'stan', text: 'Yes. Routes and RPKI keeps them in step, and tells you where they differ.', next: 'resolved' },
    ],
  },
  {
    queue: 'billing',
    subject: 'Change of our billing address',
    account: 'EXAMPLE-AU',
    said: [
      { ago: 82 * 24, by: 'bill', text: 'Our finance team moved. Where do we change the address on invoices?' },
      { ago: 81 * 24, by: 'stella', text: 'In Organisation details, under Billing. The next invoice shows it.', next: 'resolved' },
    ],
  },
  {
    queue: 'billing',
    subject: 'Renewal invoice: purchase order number',
    account: 'EXAMPLE-AU',
    said: [
      { ago: 420, by: 'bill', text: 'Can you put our purchase order number 4500-118 on the renewal invoice?' },
      { ago: 417, by: 'stella', text: 'Done. The number is on the invoice in Billing.', next: 'resolved' },
    ],
  },
  {
    queue: 'resources',
    subject: 'Which name servers answer for our reverse zones',
    account: 'EXAMPLE-AU',
    about: '198.18.0.0/19',
    said: [
      {
        ago: 190,
        by: 'tess',
        text: 'One of our secondaries refuses reverse zones of this prefix. AS64500 announces it. Do you see the same?',
      },
      { ago: 187, by: 'stan', text: 'Asked the technical team, see their notes.', comment: true },
      { ago: 186, by: 'stan', text: 'We see it too: it refuses queries over TCP. Please open port 53 for TCP as well.', next: 'stalled' },
      { ago: 170, by: 'tess', text: 'That was it, thank you. All zones answer.' },
    ],
    solved: true,
  },
  {
    queue: 'billing',
    subject: 'Transfer fee debited twice',
    account: 'EXAMPLE-AU',
    said: [
      {
        ago: 44,
        by: 'bill',
        text: 'We paid INV-2025-000001 in January. Our bank shows a second debit two days after the first, with the same invoice number.\n\nWhich one counts?',
      },
      { ago: 42, by: 'stella', text: 'We received one payment. Was the second one by card or by transfer?', next: 'stalled' },
      { ago: 39, by: 'bill', text: 'By transfer, from our second account.' },
      {
        ago: 16,
        by: 'stella',
        text: 'That explains it: transfers without a reference are held until we can match them. We need:\n\n- the bank reference of the second transfer, and\n- whether to credit it to the renewal or to return it.\n\nUntil then it stays on INV-2025-000001 as an overpayment.',
        next: 'stalled',
        asks: 'the bank reference of the second payment',
      },
    ],
  },
  {
    queue: 'helpdesk',
    subject: 'Two people for the routing security training',
    account: 'EXAMPLE-AU',
    said: [{ ago: 3, by: 'corin', text: 'We would like to send two engineers. Is there still room, and can they share one booking?' }],
  },
  {
    queue: 'helpdesk',
    subject: 'How do I join the account of my employer?',
    account: null,
    said: [
      { ago: 52, by: 'nadia', text: 'I signed up with my work address. My employer has an account already.' },
      {
        ago: 50,
        by: 'stan',
        text: 'Open Membership, then Link a membership, and enter the account name. A corporate contact of the account approves it.',
        next: 'stalled',
      },
    ],
  },
];

/** Adds tickets of the demo people, with the times at which they were written. */
export async function addDemoLife({ change: changeDemo, callerOf, today, profile }: DemoRegistry): Promise<void> {
  for (const { said, solved, queue, subject, account = null, about = '' } of demoTickets)
    await changeDemo(
      { action: 'demo.ticket', summary: 'Opened a ticket', happenedAt: instantBefore(today, said[0].ago * HOUR_MS) },
      async change => {
        const now = Date.parse(change.now);
        const [first, ...more] = said;
        const given = { queue, subject, account, about, cc: [], documentIds: [], text: first.text };
        const { ticketId } = await openTicket({ change, caller: callerOf(first.by), body: given });
        for (const { by, text, next = 'stalled', comment = false, asks = '' } of more) {
          const caller = callerOf(by);
          if (caller.staff)
            await moveCase(ticketCases, ticketLife.sort, answerStaffTicket, {
              change,
              caller,
              params: { ticketId },
              body: { text, next, comment, asks, documentIds: [] },
              registry: { profile, now: today },
            });
          else await answerElsewhere(change, caller, ticketId, { text, documentIds: [] });
        }
        const last = said.at(-1)!;
        if (solved)
          await moveCase(ticketCases, ticketLife.close, closeTicket, {
            change,
            caller: callerOf(first.by),
            params: { ticketId },
            body: undefined,
            registry: { profile, now: today },
          });
        const at = (hours: number): string => instantBefore(now, hours * HOUR_MS);
        const times = [...said.map(({ ago }) => at(ago)), ...(solved ? [at(last.ago)] : [])];
        const answered = said.find(({ by, comment }) => callerOf(by).staff && !comment);
        await change.rows(sql`with numbered as (select ticket_message_id, row_number() over (order by ticket_message_id) as place from ticket_message
          where ticket_id = ${Number(ticketId)})
        update ticket_message m set at = (${times}::timestamptz[])[n.place] from numbered n where n.ticket_message_id = m.ticket_message_id`);
        // The states it had, as the answers above moved it.
        const states = said.reduce<{ state: string; ago: number }[]>((moves, { by, ago, comment, next = 'stalled' }) => {
          const before = moves.at(-1)?.state ?? '';
          const state = comment ? before : before === '' ? 'new' : callerOf(by).staff ? next : before === 'new' ? 'new' : 'open';
          return state === before ? moves : [...moves, { state, ago }];
        }, []);
        const ends = solved ? [...states, { state: 'resolved', ago: last.ago }] : states;
        const secondsIn = (which: readonly string[]): number =>
          ends.reduce(
            (sum, { state, ago }, index) => sum + (which.includes(state) ? Math.round((ago - (ends[index + 1]?.ago ?? ago)) * 3600) : 0),
            0,
          );
        const moved = ends.map(({ ago }) => at(ago));
        await change.rows(sql`with numbered as (select ticket_move_id, row_number() over (order by ticket_move_id) as place from ticket_move
          where ticket_id = ${Number(ticketId)})
        update ticket_move m set at = (${moved}::timestamptz[])[n.place] from numbered n where n.ticket_move_id = m.ticket_move_id`);
        await change.rows(sql`update ticket set created_at = ${at(first.ago)}::timestamptz, updated_at = ${at(last.ago)}::timestamptz,
        waiting_since = ${at(last.ago)}::timestamptz, first_answer_at = ${answered ? at(answered.ago) : null}::timestamptz,
        seconds_us = ${secondsIn(['new', 'open'])}, seconds_member = ${secondsIn(['stalled'])},
        resolved_at = case when resolved_at is null then null else ${at(last.ago)}::timestamptz end where ticket_id = ${Number(ticketId)}`);
      },
    );
}

export { regionStages } from './demo-region.ts';
