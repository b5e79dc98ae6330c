import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('10,000 tickets in a queue on %s', kind => {
  test('are listed page by page on both sides, each once, and found by their content', async () => {
    await using portal = await testPortal(kind);
    await portal.db.change(line, change =>
      change.rows(sql`insert into ticket (queue, subject, state, account_name, requestor, requestor_name, requestor_email, created_at, updated_at, waiting_since)
        select 'helpdesk', 'Question ' || n, case when n % 10 = 0 then 'stalled' else 'open' end, 'EXAMPLE-AU', l.login_id, l.full_name, l.email,
          now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '1 minute'
        from generate_series(1, 10000) n, login l where l.username = 'corin'`),
    );
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const query = { account: 'EXAMPLE-AU', queue: 'helpdesk' as const, limit: 100 };
    const first = (await corin(api.tickets.listTickets, { query })).data!;
    expect(first.total).toBeGreaterThanOrEqual(10_000);
    expect(first.rows).toHaveLength(100);
    const last = (await corin(api.tickets.listTickets, { query: { ...query, offset: first.total - 50 } })).data!;
    expect(last.rows).toHaveLength(50);
    const ids = [...first.rows, ...last.rows].map(({ ticketId }) => ticketId);
    expect(new Set(ids).size).toBe(150);
    const found = (await corin(api.tickets.listTickets, { query: { ...query, q: 'Question 9999' } })).data!;
    expect(found.rows.map(({ subject }) => subject)).toEqual(['Question 9999']);
    const desk = (await stella(api.tickets.listStaffTickets, { query: { queue: 'helpdesk', limit: 100 } })).data!;
    // The longest wait is on top.
    expect(desk.rows[0]!.subject).toBe('Question 9999');
    expect(desk.queues.find(({ queue }) => queue === 'helpdesk')!.waiting).toBeGreaterThanOrEqual(9000);
  });
});
