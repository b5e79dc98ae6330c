import { DAY_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { Random, RegionPart, RegionStage } from '../../platform/demo.ts';

const AT_ONCE = 5_000;
/** Days in which the tickets were written. */
const DAYS = 5 * 365;

const questions = [
  ['billing', 'Purchase order number on our renewal invoice', 'Please put our purchase order number on the next invoice.'],
  ['billing', 'Receipt for our last payment', 'Our auditors ask for a receipt of the last payment.'],
  ['helpdesk', 'A colleague can’t sign in', 'A colleague has a new telephone, and the codes of the old one are refused.'],
  ['helpdesk', 'Objects of a customer who left', 'How do we delete the objects of a customer who left?'],
  ['membership', 'Our company has a new name', 'The name of our company changed. Which papers do you need?'],
  ['resources', 'More IPv4 for a new site', 'We open a site next year. What can we apply for?'],
  ['resources', 'Reverse zones are not answered', 'One of our reverse zones is not answered since yesterday.'],
  ['resources', 'ROA for a prefix of a customer', 'May we make a ROA with the AS number of a customer?'],
] as const;
const answers = [
  'Done. Please tell us if anything is missing.',
  'We have answered this in the documentation, at the page we sent you.',
  'Please send us the paper, and we go on.',
];

type Writer = { accountName: string; loginId: string; fullName: string; email: string };

/** Tickets with what was said, most of them solved. */
async function writeTickets(
  change: Change,
  {
    writers,
    staff,
    count,
    random,
    today,
  }: { writers: readonly Writer[]; staff: { loginId: string; fullName: string }; count: number; random: Random; today: string },
): Promise<number> {
  const ids = await change.rows<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('ticket', 'ticket_id'))::text as id from generate_series(1, ${count}::integer)`,
  );
  const end = new Date(`${today}T00:00:00Z`);
  const tickets = ids.map(({ id }) => {
    const writer = writers[random(writers.length)]!;
    const [queue, subject, text] = questions[random(questions.length)]!;
    const age = random(DAYS * 24) + 1;
    // Old ones are solved; of the last weeks some wait for either side.
    const state =
      age > 60 * 24 || random(3) > 0 ? (random(30) === 0 ? 'rejected' : 'resolved') : (['new', 'open', 'stalled'] as const)[random(3)]!;
    const at = instantBefore(end, age * (DAY_MS / 24));
    const answered = state === 'new' ? null : instantBefore(end, Math.max(0, age - 1 - random(40)) * (DAY_MS / 24));
    return { id, queue, subject, text, state, ...writer, at, answered, answer: answers[random(answers.length)]! };
  });
  const rows = JSON.stringify(tickets);
  const columns = sql`(id bigint, queue text, subject text, text text, state text, "accountName" text, "loginId" text, "fullName" text, email text, at timestamptz,
    answered timestamptz, answer text)`;
  await change.rows(sql`insert into ticket (ticket_id, queue, subject, state, account_name, requestor, requestor_name, requestor_email, created_at, updated_at, waiting_since) overriding system value
    select id, queue, subject, 'new', "accountName", "loginId", "fullName", email, at, at, at from jsonb_to_recordset(${rows}::jsonb) as w ${columns}`);
  await change.rows(sql`insert into ticket_message (ticket_id, kind, by, login_id, author, content, at)
    select id, 'message', 'member', "loginId", "fullName", text, at from jsonb_to_recordset(${rows}::jsonb) as w ${columns}
    union all select id, 'message', 'staff', ${staff.loginId}, ${staff.fullName}, answer, answered from jsonb_to_recordset(${rows}::jsonb) as w ${columns} where answered is not null
    order by id, at`);
  await change.rows(sql`update ticket t set state = w.state, owner = ${staff.loginId}, updated_at = w.answered, waiting_since = w.answered, first_answer_at = w.answered,
      seconds_us = extract(epoch from w.answered - w.at)::bigint, resolved_at = case when w.state in ('resolved', 'rejected') then w.answered end
    from jsonb_to_recordset(${rows}::jsonb) as w ${columns} where t.ticket_id = w.id and w.answered is not null`);
  return tickets.length * 3;
}

const tickets: RegionStage = {
  name: 'tickets',
  title: 'Tickets',
  parts: async ({ db, plan, random }) => {
    const writers =
      await db.read.rows<Writer>(sql`select c.account_name, c.login_id, c.full_name, c.email from contact c join account a using (account_name)
      where a.statistics_id is not null and c.status = 'active' and c.login_id is not null order by c.account_name, c.email`);
    const [staff] = await db.read.rows<{ loginId: string; fullName: string }>(
      sql`select login_id, full_name from login where username = 'stella'`,
    );
    return Array.from(
      { length: Math.ceil(plan.tickets / AT_ONCE) },
      (_, part): RegionPart =>
        change => {
          const count = Math.min(AT_ONCE, plan.tickets - part * AT_ONCE);
          return writeTickets(change, { writers, staff: staff!, count, random: random(`tickets ${part}`), today: plan.today });
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [tickets];
