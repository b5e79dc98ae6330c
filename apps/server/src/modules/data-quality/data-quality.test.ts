import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { type FindingKey, findingKeys, personalFindings } from '@portal/contract/data-quality/findings';
import { DAY_MS, instantAfter, instantBefore, utcDay } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { mailboxCounts } from '../whois/index.ts';
import { measureCampaigns, sendCampaigns } from './campaign-sending.ts';
import { keepFindings } from './kept-findings.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const write = (portal: TestPortal, ...statements: RawBuilder<unknown>[]) =>
  portal.db.change(line, async change => {
    for (const statement of statements) await change.rows(statement);
  });
const keep = (portal: TestPortal, at = new Date()) => keepFindings({ ...portal.context, clock: () => at });
const query = { limit: 100 };
const isPersonal = (finding: FindingKey) => (personalFindings as readonly string[]).includes(finding);
const rowsOf = async (as: Client, finding: FindingKey, more: object = {}) => {
  const answer = isPersonal(finding)
    ? await as(api.dataQuality.listPersonalFinding, { body: { finding: finding as 'refused-mail', ...query, ...more } })
    : await as(api.dataQuality.listFinding, { finding, query: { ...query, ...more } });
  expect(answer.errors).toBeUndefined();
  return answer.data!;
};
const cardOf = async (as: Client, finding: FindingKey) =>
  (await as(api.dataQuality.getDataQuality, {})).data!.findings.find(card => card.finding === finding)!;

/** Three permanent refusals of an address. */
const refuse = (address: string, at = new Date().toISOString()) =>
  sql`insert into mail_refusal (address, refusals, refusal, refused_at, unreachable_since) values (${address}, 3, '550 No such user', ${at}::timestamptz, ${at}::timestamptz)`;
/** An open invoice without an address. */
const invoice = (
  sequence: number,
  account: string,
) => sql`insert into invoice (number, year, sequence, account_name, kind, issued_on, due_on, period_from, period_to, currency, org_name, billing_address, attention,
  tax_number, po_number, fee_schedule_id, ipv4, ipv6, asns, subtotal, tax, total, state, sha256)
  select 'INV-2001-00000' || ${sequence}::int, 2001, ${sequence}::int, ${account}, 'transfer', '2001-01-01', '2001-02-01', '2001-01-01', '2001-01-01', 'AUD', 'x', '{}', '', '', '', null, 0, 0, 0, 100, 0, 100, 'issued', sha256
  from stored_file limit 1`;
const file = sql`insert into stored_file (sha256, bytes, kind, stored_at, checked) values (repeat('a', 64), 1, 'pdf', now(), 'not-checked') on conflict do nothing`;

describe.each(kindsForRules)('data quality on %s', kind => {
  describe('findings', () => {
    let portal: TestPortal;
    let stella: Client;
    beforeAll(async () => {
      portal = await testPortal(kind);
      stella = await portal.as('stella');
    });
    afterAll(() => portal[Symbol.asyncDispose]());

    test('count on their cards as in their lists, and lame servers as on the desk’s home', async () => {
      await write(
        portal,
        sql`insert into rdns_lame_server (zone, server, since, failed_at) values ('2.18.198.in-addr.arpa', 'ns1.example.net', now() - interval '3 days', now()), ('77.0.192.in-addr.arpa', 'ns.example.org', now(), now())`,
      );
      expect((await cardOf(stella, 'whois-ledger')).rows).toBeNull();
      await keep(portal);
      for (const finding of findingKeys) {
        const list = await rowsOf(stella, finding);
        const card = await cardOf(stella, finding);
        // A kept finding counts once the work’s success is noted.
        if (card.rows !== null)
          expect([finding, card.rows, card.accounts]).toEqual([
            finding,
            list.total,
            new Set(list.rows.flatMap(({ accountName }) => accountName ?? [])).size,
          ]);
        expect([finding, list.rows.length]).toEqual([finding, list.total]);
      }
      const lame = await rowsOf(stella, 'lame-servers');
      const audra = await portal.as('audra');
      expect(lame.total).toBe((await audra(api.deskHome.getDeskHome, {})).data!.reports.lameServers);
      expect(lame.total).toBe((await audra(api.lameServers.listLameServers, { query: {} })).data!.total);
      expect(lame.rows).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ accountName: 'EXAMPLE-AU', subject: '2.18.198.in-addr.arpa ns1.example.net', detail: 'Seen' }),
          expect.objectContaining({ accountName: null, subject: '77.0.192.in-addr.arpa ns.example.org' }),
        ]),
      );
      expect((await rowsOf(stella, 'lame-servers', { q: '77.0.192' })).total).toBe(1);
      expect((await rowsOf(stella, 'lame-servers', { economy: 'AU' })).rows.map(({ accountName }) => accountName)).toEqual(['EXAMPLE-AU']);
      expect((await rowsOf(stella, 'lame-servers', { state: 'suspended' })).total).toBe(0);
      expect((await rowsOf(stella, 'lame-servers', { sort: '-subject' })).rows.map(({ subject }) => subject.slice(0, 2))).toEqual([
        '77',
        '2.',
      ]);
    });

    test('of bouncing mail are active contacts whose address is unreachable, not those that were refused once', async () => {
      await write(
        portal,
        refuse('corin@example-au.example'),
        sql`insert into mail_refusal (address, refusals, refusal, refused_at) values ('olive@other-sg.example', 1, '550 Full', now())`,
      );
      const { rows } = await rowsOf(stella, 'refused-mail');
      expect(rows.map(({ detail }) => detail)).toContain('corin@example-au.example: 550 No such user');
      expect(rows.filter(({ detail }) => detail.includes('olive@'))).toEqual([]);
      await write(portal, sql`delete from mail_refusal`);
      expect((await rowsOf(stella, 'refused-mail')).rows).toEqual([]);
    });

    test('of contacts with a password alone are those of the account sheets', async () => {
      const { rows } = await rowsOf(stella, 'password-alone');
      const sheet = (await stella(api.desk.getAccountSheet, { accountName: 'EXAMPLE-AU' })).data!;
      expect(rows.filter(({ accountName }) => accountName === 'EXAMPLE-AU').map(({ subject }) => subject)).toEqual(
        expect.arrayContaining(
          sheet.contacts.filter(({ passwordAlone, status }) => passwordAlone && status === 'active').map(({ fullName }) => fullName),
        ),
      );
      expect(rows.filter(({ accountName }) => accountName === 'EXAMPLE-AU')).toHaveLength(
        sheet.contacts.filter(({ passwordAlone, status }) => passwordAlone && status === 'active').length,
      );
    });

    test('of accounts without a corporate contact are those that have none active, while they are not closed', async () => {
      expect((await rowsOf(stella, 'no-corporate-contact')).rows.map(({ accountName }) => accountName)).not.toContain('OTHER-SG');
      await write(portal, sql`update contact set contact_types = '{technical}' where account_name = 'OTHER-SG'`);
      expect((await rowsOf(stella, 'no-corporate-contact')).rows).toContainEqual(
        expect.objectContaining({ accountName: 'OTHER-SG', economy: 'SG' }),
      );
      await write(portal, sql`update account set account_status = 'closed' where account_name = 'OTHER-SG'`);
      expect((await rowsOf(stella, 'no-corporate-contact')).rows.map(({ accountName }) => accountName)).not.toContain('OTHER-SG');
      await write(
        portal,
        sql`update account set account_status = 'open' where account_name = 'OTHER-SG'`,
        sql`update contact set contact_types = '{corporate}' where account_name = 'OTHER-SG'`,
      );
    });

    test('of abuse mailboxes are those that did not answer in time, as the account sheet counts them', async () => {
      const [irt] = await portal.db.read.rows<{ key: string; keptFor: string }>(
        sql`select key, kept_for from whois_object where class = 'irt' and kept_for is not null order by key limit 1`,
      );
      await write(
        portal,
        sql`delete from irt_contact where irt = ${irt!.key}`,
        sql`insert into irt_contact (irt, mailbox, attribute, state, asked_at) values (${irt!.key}, 'silent@example.net', 'e-mail', 'invalid', now() - interval '20 days'),
          (${irt!.key}, 'silent@example.net', 'abuse-mailbox', 'restricted', now() - interval '40 days'), (${irt!.key}, 'asked@example.net', 'e-mail', 'pending', now()), (${irt!.key}, 'fine@example.net', 'e-mail', 'valid', null)`,
      );
      const { rows } = await rowsOf(stella, 'abuse-mailboxes', { q: 'example.net' });
      expect(rows.map(({ accountName, subject, detail }) => [accountName, subject, detail])).toEqual([
        [irt!.keptFor, 'silent@example.net', `${irt!.key.toUpperCase()}: restricted`],
      ]);
      const counts = await mailboxCounts(portal.db.read, irt!.keptFor);
      expect((await rowsOf(stella, 'abuse-mailboxes', { q: irt!.keptFor })).total).toBeLessThanOrEqual(counts.invalid + counts.restricted);
    });

    test('of routes are invalid announcements that the account has not muted, not those without a ROA', async () => {
      await write(
        portal,
        sql`delete from route_alert where account_name = 'EXAMPLE-AU'`,
        sql`insert into route_alert (account_name, prefix, asn, validity, found_at, seen_at) values ('EXAMPLE-AU', '198.18.0.0/24', 64500, 'invalid-asn', now(), now()),
          ('EXAMPLE-AU', '198.18.1.0/24', 64500, 'invalid-length', now(), now()), ('EXAMPLE-AU', '198.18.2.0/24', 64500, 'not-found', now(), now())`,
        sql`insert into route_mute (account_name, prefix, asn, reason, muted_by, muted_at) values ('EXAMPLE-AU', '198.18.1.0/24', 64500, 'Known', 'Corin', now()) on conflict do nothing`,
      );
      expect((await rowsOf(stella, 'invalid-routes', { q: 'EXAMPLE-AU' })).rows.map(({ subject, detail }) => [subject, detail])).toEqual([
        ['198.18.0.0/24 AS64500', 'Invalid AS'],
      ]);
    });

    test('of whois are what the invariant of whois and ledger says, kept by the hour', async () => {
      await write(portal, sql`update whois_object set kept_for = 'OTHER-SG' where class = 'aut-num' and kept_for = 'EXAMPLE-AU'`);
      await keep(portal);
      const { rows } = await rowsOf(stella, 'whois-ledger', { q: 'OTHER-SG' });
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toContainEqual(expect.objectContaining({ detail: expect.stringContaining('its object is kept for OTHER-SG') }));
      await write(
        portal,
        sql`update whois_object set kept_for = 'EXAMPLE-AU' where class = 'aut-num' and kept_for = 'OTHER-SG' and exists (select from delegation d where d.account_name = 'EXAMPLE-AU' and d.kind = 'asn' and d.first_as <= first_as and d.last_as >= first_as)`,
      );
      await keep(portal);
      expect(
        (await rowsOf(stella, 'whois-ledger', { q: 'OTHER-SG' })).rows.filter(({ subject }) => rows.some(row => row.subject === subject)),
      ).toEqual([]);
    });

    test('of stale records count customers and entities that hold numbers and did not change for years, without their names', async () => {
      await write(
        portal,
        sql`update customer set updated_at = now() - interval '3 years'`,
        sql`update nir_entity set updated_at = now() - interval '3 years'`,
      );
      await keep(portal);
      const { rows } = await rowsOf(stella, 'stale-records');
      const customers = await portal.db.read.rows<{
        accountName: string;
        customers: number;
      }>(sql`select account_name, count(*)::int as customers from customer k
        where exists (select from assignment s where s.account_name = k.account_name and s.customer = k.customer) group by 1`);
      for (const { accountName, customers: count } of customers)
        expect(rows).toContainEqual(
          expect.objectContaining({ accountName, subject: expect.stringMatching(new RegExp(`^${count} customers?`)) }),
        );
      await write(portal, sql`update customer set updated_at = now()`, sql`update nir_entity set updated_at = now()`);
      await keep(portal);
      expect((await rowsOf(stella, 'stale-records')).rows).toEqual([]);
    });

    test('of invoices are open ones without an address whose organisation has none still', async () => {
      await write(
        portal,
        file,
        invoice(1, 'OTHER-SG'),
        sql`insert into organisation (account_name) values ('OTHER-SG') on conflict do nothing`,
        sql`update organisation set billing_address = '{}', postal_address = '{}', city = '', region = '', postcode = '' where account_name = 'OTHER-SG'`,
      );
      const { rows } = await rowsOf(stella, 'invoices-without-address');
      expect(rows).toContainEqual(
        expect.objectContaining({ accountName: 'OTHER-SG', subject: 'INV-2001-000001', detail: 'Due on 2001-02-01' }),
      );
      await write(portal, sql`update organisation set postal_address = '{"1 Street"}' where account_name = 'OTHER-SG'`);
      expect((await rowsOf(stella, 'invoices-without-address')).rows).toEqual([]);
    });

    test('compare with the number a week ago', async () => {
      const now = new Date();
      await keep(portal, new Date(instantBefore(now, 7 * DAY_MS)));
      const before = (await rowsOf(stella, 'lame-servers')).total;
      await write(
        portal,
        sql`insert into rdns_lame_server (zone, server, since, failed_at) values ('78.0.192.in-addr.arpa', 'ns.example.org', now(), now())`,
      );
      expect(await cardOf(stella, 'lame-servers')).toMatchObject({
        rows: before + 1,
        before: { rows: before, on: utcDay(instantBefore(now, 7 * DAY_MS)) },
      });
    });

    test('are exported with the same rows, and cells that a spreadsheet would execute are quoted', async () => {
      await write(portal, sql`update account set org_name = '=cmd()' where account_name = 'EXAMPLE-AU'`);
      const got = await stella(api.dataQuality.exportFinding, { finding: 'lame-servers', query: { q: 'EXAMPLE-AU' } });
      const text = await (got.data as { blob: Blob }).blob.text();
      expect(text.split('\r\n')[0]).toBe('account,organisation,economy,state,subject,detail,since');
      expect(text).toContain(`EXAMPLE-AU,'=cmd()`);
      const people = (await stella(api.dataQuality.exportPersonalFinding, { body: { finding: 'password-alone' } })).data!;
      expect(people.csv.trim().split('\r\n')).toHaveLength((await rowsOf(stella, 'password-alone')).total + 1);
    });

    test('about people are read by those who read private data, and each look is written down', async () => {
      await takeStaffRoles(portal.db, 'stan');
      await giveStaffRole(portal.db, 'stan', 'support');
      const stan = await portal.as('stan');
      expect((await stan(api.dataQuality.listPersonalFinding, { body: { finding: 'password-alone' } })).status).toBe(403);
      expect((await stan(api.dataQuality.exportPersonalFinding, { body: { finding: 'password-alone' } })).status).toBe(403);
      expect((await stan(api.dataQuality.listFinding, { finding: 'password-alone', query: {} })).status).toBe(404);
      expect((await stan(api.dataQuality.exportFinding, { finding: 'refused-mail', query: {} })).status).toBe(404);
      expect((await stan(api.dataQuality.listFinding, { finding: 'lame-servers', query: {} })).status).toBe(200);
      await rowsOf(stella, 'password-alone', { q: 'bill' });
      await rowsOf(await portal.as('audra'), 'password-alone');
      const lines = await portal.db.read.rows<{ details: { finding: string; sought?: string } }>(
        sql`select details from activity where action = 'dataQuality.listPersonalFinding' and refusal is null order by activity_id desc limit 2`,
      );
      expect(lines.map(({ details }) => [details.finding, details.sought])).toEqual([
        ['Contacts without a second factor', undefined],
        ['Contacts without a second factor', 'bill'],
      ]);
      await takeStaffRoles(portal.db, 'stan');
      for (const who of ['stan', 'corin']) {
        const other = await portal.as(who);
        expect((await other(api.dataQuality.getDataQuality, {})).status).toBe(404);
        expect((await other(api.dataQuality.listFinding, { finding: 'lame-servers', query: {} })).status).toBe(404);
        expect((await other(api.campaigns.listCampaigns, { query: { finding: 'lame-servers' } })).status).toBe(404);
      }
    });
  });

  describe('campaigns', () => {
    const draftOf = async (as: Client, finding: FindingKey, more: object = {}) => {
      const answer = await as(api.campaigns.getCampaignDraft, { query: { finding, ...more } });
      expect(answer.errors).toBeUndefined();
      return answer.data!;
    };
    const send = async (as: Client, finding: FindingKey, more: object = {}) => {
      const { subject, body, people, after } = await draftOf(as, finding, more);
      return as(api.campaigns.sendCampaign, { body: { finding, subject, body, people: Math.max(1, people), after, ...more } });
    };
    const withoutCorporate = (portal: TestPortal, ...accounts: string[]) =>
      write(portal, sql`update contact set contact_types = '{technical}' where account_name = any (${accounts}::text[])`);
    const mails = async (portal: TestPortal) =>
      portal.db.read.rows<{ recipient: string; subject: string; body: string }>(
        sql`select recipient, subject, body from mail where subject like 'No corporate contact for %' order by mail_id`,
      );

    test('reach the people they say, once, with the words filled in, and their effect is counted by the clock', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      await withoutCorporate(portal, 'EXAMPLE-AU', 'OTHER-SG');
      const draft = await draftOf(stella, 'no-corporate-contact');
      expect(draft).toMatchObject({ people: expect.any(Number), leftOut: 0, example: { accounts: 'EXAMPLE-AU', count: '1 account' } });
      const sent = await send(stella, 'no-corporate-contact');
      expect(sent.data).toMatchObject({ state: 'sending', people: draft.people, sent: 0, cured: null, startedBy: 'Stella Kowalski' });
      expect(await sendCampaigns(portal.context)).toBe(draft.people);
      expect(await sendCampaigns(portal.context)).toBe(0);
      const got = await mails(portal);
      expect(new Set(got.map(({ recipient }) => recipient)).size).toBe(got.length);
      expect(got).toContainEqual(
        expect.objectContaining({ recipient: 'olive@other-sg.example', subject: 'No corporate contact for OTHER-SG' }),
      );
      expect(got.every(({ body }) => !/[{}]/.test(body))).toBe(true);
      const listed = async () => (await stella(api.campaigns.listCampaigns, { query: { finding: 'no-corporate-contact' } })).data!.rows[0]!;
      expect(await listed()).toMatchObject({ state: 'sent', sent: draft.people, failed: 0, curedBefore: 0 });
      // Again within the quiet days: no one is left to write to.
      expect(await draftOf(stella, 'no-corporate-contact')).toMatchObject({ people: 0, leftOut: draft.people, example: null });
      expect((await send(stella, 'no-corporate-contact')).errors![0]!.code).toBe('NOTHING_TO_DO');

      await write(portal, sql`update contact set contact_types = '{corporate}' where account_name = 'OTHER-SG'`);
      const [others] = await portal.db.read.rows<{
        people: number;
      }>(sql`select count(distinct address)::int as people from quality_recipient
        where account_name = 'OTHER-SG' and address not in (select address from quality_recipient where account_name <> 'OTHER-SG')`);
      await measureCampaigns({ ...portal.context, clock: () => new Date(instantAfter(Date.now(), DAY_MS)) });
      expect((await listed()).cured).toBe(others!.people);
      await withoutCorporate(portal, 'OTHER-SG');
      await measureCampaigns({ ...portal.context, clock: () => new Date(instantAfter(Date.now(), 8 * DAY_MS)) });
      expect(await listed()).toMatchObject({ cured: 0 });
      // The last count stays.
      await write(portal, sql`update contact set contact_types = '{corporate}' where account_name in ('OTHER-SG', 'EXAMPLE-AU')`);
      await measureCampaigns({ ...portal.context, clock: () => new Date(instantAfter(Date.now(), 9 * DAY_MS)) });
      expect(await listed()).toMatchObject({ cured: 0 });
      await measureCampaigns({ ...portal.context, clock: () => new Date(instantAfter(Date.now(), 400 * DAY_MS)) });
      expect(await portal.db.read.rows(sql`select 1 from quality_recipient`)).toEqual([]);
      expect(await listed()).toMatchObject({ sent: draft.people, failed: 0, cured: 0 });
    });

    test('keep no one waiting who asks for something meanwhile, and let people switch off words that aren’t the usual ones', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      await withoutCorporate(portal, 'EXAMPLE-AU', 'OTHER-SG');
      const { body, people, after } = await draftOf(stella, 'no-corporate-contact');
      const values = { finding: 'no-corporate-contact' as const, people, after };
      for (const subject of ['No corporate contact: {list}', 'No corporate contact {constructor}'])
        expect((await stella(api.campaigns.sendCampaign, { body: { ...values, subject, body } })).status).toBe(400);
      expect((await stella(api.campaigns.sendCampaign, { body: { ...values, subject: 'No corporate contact for us', body } })).status).toBe(
        200,
      );
      expect(await sendCampaigns(portal.context)).toBeGreaterThan(3);
      const [queued] = await portal.db.read.rows<{ topics: string[]; first: number; last: number }>(sql`
        select array_agg(distinct m.topic) as topics, min(j.priority)::int as first, max(j.priority)::int as last from mail m join task t on t.name = 'mail.deliver' and (t.input ->> 'mailId')::bigint = m.mail_id
          join graphile_worker.jobs j on j.task_identifier = 'mail.deliver' and j.created_at is not null
        where m.subject = 'No corporate contact for us'`);
      expect(queued).toMatchObject({ topics: ['announcements.news'], first: 0, last: expect.any(Number) });
      expect(queued!.last).toBeGreaterThan(1);
    });

    test('of a preview show values of no one where a finding is about people', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      const { example } = await draftOf(stella, 'password-alone');
      expect(example).toMatchObject({ name: 'Full Name', accounts: 'EXAMPLE-ACCOUNT' });
      await withoutCorporate(portal, 'EXAMPLE-AU');
      expect((await draftOf(stella, 'no-corporate-contact')).example).toMatchObject({ name: 'Full Name', accounts: 'EXAMPLE-AU' });
    });

    test('reach no one whose login is disabled, and a password alone is none of theirs', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      const { people } = await draftOf(stella, 'password-alone');
      const { total } = await rowsOf(stella, 'password-alone');
      await write(portal, sql`update login set disabled_at = now() where username = 'bill'`);
      expect((await draftOf(stella, 'password-alone')).people).toBe(people - 1);
      expect((await rowsOf(stella, 'password-alone')).total).toBeLessThan(total);
    });

    test('that are killed half-way go on with the next run and write to no one twice; who has put it right meanwhile gets none', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      await withoutCorporate(portal, 'EXAMPLE-AU', 'OTHER-SG');
      await write(
        portal,
        sql`insert into contact (account_name, full_name, email, contact_types, permissions) select 'OTHER-SG', 'Person ' || n, 'person' || n || '@other-sg.example', '{technical}', '{}' from generate_series(1, 240) n`,
      );
      const { people } = (await send(stella, 'no-corporate-contact')).data!;
      // The second change dies after it has written to some of its people.
      let changes = 0;
      const dying = {
        ...portal.context,
        db: Object.assign(Object.create(portal.db) as typeof portal.db, {
          change: ((activity, act) =>
            portal.db.change(activity, async change => {
              const answer = await act(change);
              changes += 1;
              if (changes === 2) throw new Error('killed');
              return answer;
            })) as typeof portal.db.change,
        }),
      };
      await expect(sendCampaigns(dying)).rejects.toThrow('killed');
      const done = async () => (await portal.db.read.rows(sql`select 1 from quality_recipient where done_at is not null`)).length;
      expect([(await done()) > 0, (await done()) < people]).toEqual([true, true]);
      expect((await stella(api.campaigns.listCampaigns, { query: { finding: 'no-corporate-contact' } })).data!.rows[0]).toMatchObject({
        state: 'sending',
        sent: 100,
      });
      await write(portal, sql`update contact set contact_types = '{corporate}' where email = 'person240@other-sg.example'`);
      await sendCampaigns(portal.context);
      const got = await mails(portal);
      expect(new Set(got.map(({ recipient }) => recipient)).size).toBe(got.length);
      const row = (await stella(api.campaigns.listCampaigns, { query: { finding: 'no-corporate-contact' } })).data!.rows[0]!;
      expect([row.state, row.sent + row.curedBefore, row.curedBefore > 0]).toEqual(['sent', people, true]);
      expect(got).toHaveLength(row.sent);
    });

    test('sent by two people at the same time are sent once', async () => {
      await using portal = await testPortal(kind);
      await withoutCorporate(portal, 'EXAMPLE-AU');
      const stella = await portal.as('stella');
      const { subject, body, people, after } = await draftOf(stella, 'no-corporate-contact');
      const input = { body: { finding: 'no-corporate-contact' as const, subject, body, people, after } };
      const answers = await Promise.all([
        stella(api.campaigns.sendCampaign, input),
        stella(api.campaigns.sendCampaign, { body: { ...input.body, subject: `${subject}.` } }),
      ]);
      expect(answers.map(({ errors }) => errors?.[0]?.code ?? 'sent').toSorted()).toEqual([
        expect.stringMatching(/^(NOTHING_TO_DO|STALE)$/),
        'sent',
      ]);
      expect(await portal.db.read.rows(sql`select 1 from quality_campaign`)).toHaveLength(1);
      expect((await stella(api.campaigns.sendCampaign, input)).errors![0]!.code).toBe('STALE');
      const { after: latest } = await draftOf(stella, 'no-corporate-contact');
      expect((await stella(api.campaigns.sendCampaign, { body: { ...input.body, after: latest } })).errors![0]!.code).toBe('NOTHING_TO_DO');
      // A campaign of another finding is not in its way.
      expect((await send(stella, 'password-alone')).errors).toBeUndefined();
    });

    test('are refused with unknown words, to more people than were seen, and to no one', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      await withoutCorporate(portal, 'EXAMPLE-AU', 'OTHER-SG');
      const { subject, body, people, after } = await draftOf(stella, 'no-corporate-contact');
      const given = { finding: 'no-corporate-contact' as const, subject, body, people, after };
      expect((await stella(api.campaigns.sendCampaign, { body: { ...given, body: `${body} {password}` } })).errors).toMatchObject([
        { field: 'body' },
      ]);
      expect((await stella(api.campaigns.sendCampaign, { body: { ...given, people: people - 1 } })).errors![0]!.code).toBe('STALE');
      expect((await stella(api.campaigns.sendCampaign, { body: { ...given, economy: 'ZZ' } })).errors![0]!.code).toBe('NOTHING_TO_DO');
      expect(await portal.db.read.rows(sql`select 1 from quality_campaign`)).toEqual([]);
    });

    test('leave out people whose own mail is refused or whose login is disabled, and reach one person of several accounts once', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      await withoutCorporate(portal, 'EXAMPLE-AU', 'OTHER-SG');
      const before = await draftOf(stella, 'no-corporate-contact');
      await write(portal, refuse('olive@other-sg.example'), sql`update login set disabled_at = now() where username = 'bill'`);
      const after = await draftOf(stella, 'no-corporate-contact');
      expect(before.people - after.people).toBeGreaterThanOrEqual(2);
      await write(
        portal,
        sql`insert into contact (account_name, full_name, email, contact_types, permissions) values ('OTHER-SG', 'Pat Both', 'pat@both.example', '{technical}', '{}'), ('EXAMPLE-AU', 'Pat Both', 'Pat@both.example', '{technical}', '{}')`,
      );
      expect((await draftOf(stella, 'no-corporate-contact')).people).toBe(after.people + 1);
      await send(stella, 'no-corporate-contact');
      await sendCampaigns(portal.context);
      const got = (await mails(portal)).filter(({ recipient }) => recipient.toLowerCase() === 'pat@both.example');
      expect(got).toMatchObject([{ subject: 'No corporate contact for EXAMPLE-AU and OTHER-SG' }]);
    });

    test('are stopped between two batches; what was sent stays, and a finished one can’t be stopped', async () => {
      await using portal = await testPortal(kind);
      const stella = await portal.as('stella');
      await withoutCorporate(portal, 'EXAMPLE-AU');
      const { campaignId } = (await send(stella, 'no-corporate-contact')).data!;
      expect((await stella(api.campaigns.stopCampaign, { campaignId, body: {} })).data).toMatchObject({ state: 'stopped', sent: 0 });
      expect(await sendCampaigns(portal.context)).toBe(0);
      expect((await stella(api.campaigns.stopCampaign, { campaignId, body: {} })).errors![0]!.code).toBe('NOTHING_TO_DO');
      expect((await stella(api.campaigns.stopCampaign, { campaignId: '999', body: {} })).status).toBe(404);
      // No one got it, so it can be sent anew.
      expect((await draftOf(stella, 'no-corporate-contact')).leftOut).toBe(0);
    });

    test('are written by those with announcements who can read accounts; auditors read', async () => {
      await using portal = await testPortal(kind);
      await withoutCorporate(portal, 'EXAMPLE-AU');
      await write(portal, refuse('corin@example-au.example'));
      const stella = await portal.as('stella');
      const { subject, body, people, after } = await draftOf(stella, 'no-corporate-contact');
      const input = { body: { finding: 'no-corporate-contact' as const, subject, body, people, after } };
      for (const [role, statuses] of [
        ['routing', [200, 403, 403]],
        ['finance', [200, 403, 403]],
        ['elections', [403, 403, 403]],
        ['support', [200, 200, 200]],
      ] as const) {
        await takeStaffRoles(portal.db, 'stan');
        await giveStaffRole(portal.db, 'stan', role);
        const stan = await portal.as('stan');
        const answers = [
          await stan(api.campaigns.listCampaigns, { query: { finding: 'no-corporate-contact' } }),
          await stan(api.campaigns.getCampaignDraft, { query: { finding: 'refused-mail' } }),
          await stan(api.campaigns.sendCampaign, input),
        ];
        expect([role, ...answers.map(({ status }) => status)]).toEqual([role, ...statuses]);
      }
      const audra = await portal.as('audra');
      expect((await draftOf(audra, 'no-corporate-contact')).subject).toBe(subject);
      expect((await audra(api.campaigns.sendCampaign, input)).status).toBe(403);
    });
  });
});
