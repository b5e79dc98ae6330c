import { api } from '@portal/contract/api';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { workWithTracker } from '../../apps/server/src/modules/tickets/tracker-sync.ts';
import { type TestPortal, testPortal } from '../../apps/server/test/portal.ts';
import { samplePdf } from '../../apps/server/test/sample-files.ts';
import { type RequestTracker, requestTrackerIsInstalled, startRequestTracker } from './request-tracker.ts';

type Row = { id: string; Type: string };
const skipped = requestTrackerIsInstalled ? '' : ' (skipped: install request-tracker5, rt5-db-sqlite and rt5-standalone)';

/** The tickets of the portal with a Request Tracker 5 that Debian packages, over REST 2. */
describe.skipIf(!requestTrackerIsInstalled)(`Request Tracker${skipped}`, { timeout: 400_000 }, () => {
  let tracker: RequestTracker;
  beforeAll(async () => {
    tracker = await startRequestTracker(['billing', 'resources']);
  }, 240_000);
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => tracker.close());

  let portals = 0;
  /** A portal with ticket numbers of its own, because all of them write to one Request Tracker. */
  const portalWith = async (): Promise<TestPortal> => {
    const portal = await testPortal(undefined, { RT_URL: tracker.url, RT_QUEUES: 'helpdesk=General' });
    await sql`alter table ticket alter column ticket_id restart with ${sql.lit(30_000 + 1000 * portals++)}`.execute(portal.db.unrecorded);
    return portal;
  };
  /** One run of the periodic work. */
  const work = (portal: TestPortal) => workWithTracker(portal.context, null);
  const open = async (portal: TestPortal, who: string, body: object = {}) =>
    (
      await (
        await portal.as(who)
      )(api.tickets.openTicket, {
        body: { queue: 'billing', account: 'EXAMPLE-AU', subject: 'Two debits', text: 'We see <b>two</b>.', ...body },
      })
    ).data!.ticketId;
  const seen = async (portal: TestPortal, who: string, ticketId: string) =>
    (await (await portal.as(who))(api.tickets.getTicket, { ticketId })).data!;
  const numberOf = async (portal: TestPortal, ticketId: string) =>
    (
      await portal.db.read.rows<{ trackerId: number }>(
        sql`select tracker_id::int as tracker_id from ticket_tracking where ticket_id = ${Number(ticketId)}`,
      )
    )[0]!.trackerId;
  const ticketIn = (id: number) =>
    tracker.ask('GET', `ticket/${id}`) as Promise<{ Subject: string; Status: string; Requestor: { id: string }[]; Cc: { id: string }[] }>;
  const historyOf = async (id: number, type: string): Promise<string[]> => {
    const { items } = (await tracker.ask('GET', `ticket/${id}/history?fields=Type&per_page=100`)) as { items: Row[] };
    const contents = items
      .filter(({ Type }) => Type === type)
      .map(async row => {
        const parts = (await tracker.ask('GET', `transaction/${row.id}/attachments?fields=Content,Filename,ContentType`)) as {
          items: { Content: string | null; Filename: string | null }[];
        };
        return parts.items.map(({ Content, Filename }) => `${Filename ? `${Filename}: ` : ''}${Content ?? ''}`).join('\n');
      });
    return Promise.all(contents);
  };

  test('a ticket of the portal is seen in Request Tracker, and its answer in the portal; comments never are', async () => {
    await using portal = await portalWith();
    const file = new Blob([new Uint8Array(samplePdf('debits'))]);
    const { documentId } = (await (await portal.as('bill'))(api.files.uploadFile, { query: { fileName: 'debits.pdf' }, body: file })).data!;
    const ticketId = await open(portal, 'bill', { cc: ['tilda@example-au.example'], documentIds: [documentId] });
    await work(portal);
    const number = await numberOf(portal, ticketId);
    expect(await ticketIn(number)).toMatchObject({
      Subject: 'Two debits',
      Status: 'new',
      Requestor: [{ id: 'bill@example-au.example' }],
      Cc: [{ id: 'tilda@example-au.example' }],
    });
    const [created] = await historyOf(number, 'Create');
    expect(created).toContain('We see <b>two</b>.');
    expect(created).toContain('debits.pdf: ');
    expect(created).toContain('EXAMPLE-AU');
    // Another run passes nothing on twice.
    await work(portal);
    expect(await historyOf(number, 'Create')).toHaveLength(1);
    expect(await historyOf(number, 'Correspond')).toHaveLength(0);

    await tracker.ask('POST', `ticket/${number}/comment`, { Content: 'Looks like fraud', ContentType: 'text/plain' });
    await tracker.ask('POST', `ticket/${number}/correspond`, {
      Content: '<p>It is <b>one</b> debit.</p><img src="https://spy.example/x.gif"><script>alert(1)</script>',
      ContentType: 'text/html',
    });
    await tracker.ask('PUT', `ticket/${number}`, { Status: 'stalled' });
    await work(portal);
    const ticket = await seen(portal, 'bill', ticketId);
    expect(ticket).toMatchObject({ state: 'stalled', unread: true });
    expect(ticket.messages.map(({ by, text, author }) => [by, author, text]).at(-1)).toEqual([
      'staff',
      'Registry staff',
      'It is one debit.',
    ]);
    const kept = await portal.db.read.rows(sql`select content from ticket_message`);
    expect(JSON.stringify(kept)).not.toContain('fraud');
    expect((await portal.mailsTo('bill@example-au.example')).at(-1)!.body).toContain('It is one debit.');

    // The member answers and closes; an answer afterwards opens it again.
    const bill = await portal.as('bill');
    await bill(api.tickets.answerTicket, { ticketId, body: { text: 'Thank you.' } });
    await bill(api.tickets.closeTicket, { ticketId });
    await work(portal);
    expect(await ticketIn(number)).toMatchObject({ Status: 'resolved' });
    expect((await historyOf(number, 'Correspond')).join()).toContain('Thank you.');
    await bill(api.tickets.answerTicket, { ticketId, body: { text: 'No, two.' } });
    await work(portal);
    expect(await ticketIn(number)).toMatchObject({ Status: 'open' });
    // What the registry's people write in the desk is there too, each as what it is.
    const stella = await portal.as('stella');
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: 'Asked the bank', comment: true } });
    await work(portal);
    expect((await historyOf(number, 'Comment')).join()).toContain('Asked the bank');
    // The permissions of the queue are the portal's: billing or tickets; a technical contact sees nothing.
    expect((await (await portal.as('tess'))(api.tickets.getTicket, { ticketId })).status).toBe(404);
  });

  test('a ticket that begins in Request Tracker reaches the person whose address it has, and no one else', async () => {
    await using portal = await portalWith();
    const create = (from: string) =>
      tracker.ask('POST', 'ticket', {
        Queue: 'General',
        Subject: 'By phone',
        Requestor: from,
        Content: 'Wants to know the fee',
        ContentType: 'text/plain',
      });
    await create('nadia@newcomer.example');
    await create('stranger@elsewhere.example');
    await work(portal);
    const { rows } = (await (await portal.as('nadia'))(api.tickets.listTickets, { query: {} })).data!;
    expect(rows).toMatchObject([{ subject: 'By phone', queue: 'helpdesk', accountName: null }]);
    expect(await portal.db.read.rows(sql`select 1 from ticket where requestor_email like 'stranger%'`)).toEqual([]);
  });

  test('while Request Tracker is down, tickets are kept and said to be delayed; when it is back they are passed on once', async () => {
    await using portal = await portalWith();
    await tracker.stop();
    const ticketId = await open(portal, 'bill', { subject: 'While down' });
    await expect(work(portal)).rejects.toThrow();
    expect((await seen(portal, 'bill', ticketId)).messages.map(({ delayed }) => delayed)).toEqual([false]);
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update ticket_message set passing_since = passing_since - interval '4 minutes' where passing_since is not null`),
    );
    expect((await seen(portal, 'bill', ticketId)).messages.map(({ delayed }) => delayed)).toEqual([true]);
    const bill = await portal.as('bill');
    expect((await bill(api.tickets.answerTicket, { ticketId, body: { text: 'And one more thing.' } })).status).toBe(200);
    await tracker.start();
    // Silent a moment ago, it is asked again after a minute.
    await expect(work(portal)).rejects.toThrow();
    const elapsed = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + MINUTE_MS);
    await work(portal);
    const number = await numberOf(portal, ticketId);
    expect(await historyOf(number, 'Create')).toHaveLength(1);
    expect((await historyOf(number, 'Correspond')).join()).toContain('And one more thing.');
    expect((await seen(portal, 'bill', ticketId)).messages.map(({ delayed }) => delayed)).toEqual([false, false]);
    // The portal ended after Request Tracker had both, and before it noted so: neither is written twice.
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`update ticket_message set passed_on_at = null where ticket_id = ${Number(ticketId)}`);
      await change.rows(sql`delete from ticket_tracking where ticket_id = ${Number(ticketId)}`);
    });
    await work(portal);
    expect(await numberOf(portal, ticketId)).toBe(number);
    expect(await historyOf(number, 'Create')).toHaveLength(1);
    expect(await historyOf(number, 'Correspond')).toHaveLength(1);
  });
});
