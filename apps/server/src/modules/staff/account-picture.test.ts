import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { daysAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../test/billing-portal.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { becameCorporate } from './account-picture.ts';

const accountName = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const parts = ['holdings', 'invoices', 'cases', 'tickets', 'contacts', 'routes', 'zones', 'mailboxes', 'resources'] as const;

describe.each(kindsForRules)('the picture of an account on %s', kind => {
  let portal: TestPortal;
  let stella: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    stella = await portal.as('stella');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const pictureOf = async (as: Client, of = accountName) => {
    const { data, errors } = await as(api.accountPictures.getAccountPicture, { accountName: of });
    expect([errors, data?.failed]).toEqual([undefined, []]);
    return data!;
  };
  const partsOf = async (name: string) => {
    const picture = await pictureOf(await portal.as(name));
    return parts.filter(part => picture[part] !== null);
  };

  test('has the parts whose lists the person’s roles open, and no other', async () => {
    expect(await partsOf('audra')).toEqual([...parts]);
    expect(await partsOf('fiona')).toEqual(['holdings', 'invoices', 'tickets', 'contacts', 'routes', 'zones', 'mailboxes', 'resources']);
    expect(await partsOf('ola')).toEqual(['holdings', 'contacts', 'routes', 'zones', 'mailboxes', 'resources']);
    await takeStaffRoles(portal.db, 'stan');
    await giveStaffRole(portal.db, 'stan', 'elections');
    const stan = await portal.as('stan');
    expect(await stan(api.accountPictures.getAccountPicture, { accountName })).toMatchObject({
      status: 403,
      errors: [{ code: 'NO_STAFF_PERMISSION' }],
    });
    expect((await (await portal.as('corin'))(api.accountPictures.getAccountPicture, { accountName })).status).toBe(404);
    expect(await stella(api.accountPictures.getAccountPicture, { accountName: 'NOWHERE' })).toMatchObject({ status: 404 });
  });

  test('beside a case has only how the account does now', async () => {
    const { data } = await stella(api.accountPictures.getAccountPicture, { accountName, query: { part: 'health' } });
    const whole = await pictureOf(stella);
    expect(parts.filter(part => data![part] !== null)).toEqual(['contacts', 'routes', 'zones', 'mailboxes']);
    expect([data!.money, data!.votes, data!.failed]).toEqual([null, null, []]);
    for (const part of ['contacts', 'routes', 'zones', 'mailboxes', 'memberSince'] as const) expect(data![part]).toEqual(whole[part]);
  });

  test('lists each delegation with its use, its routes and its zones, which add up to the sums', async () => {
    const { resources, routes, zones } = await pictureOf(stella);
    expect(routes!.worst).toHaveLength(Math.min(5, routes!.invalid));
    const { rows, delegations } = resources!;
    expect(rows).toHaveLength(delegations);
    expect(rows.find(({ resource }) => resource === '198.18.0.0/19')).toMatchObject({ kind: 'ipv4', size: '8192' });
    const addresses = rows.filter(row => row.kind !== 'asn');
    const seen = addresses.map(row => row.routes.valid + row.routes.invalid + row.routes.notFound);
    expect(seen.reduce((sum, count) => sum + count, 0)).toBe(routes!.valid + routes!.invalid + routes!.notFound);
    expect(addresses.reduce((sum, row) => sum + (row.zones?.lame ?? 0), 0)).toBe(zones!.lame);
    expect(addresses.reduce((sum, row) => sum + (row.zones?.needed ?? 0), 0)).toBe(zones!.needed);
    expect(rows.filter(({ kind: of }) => of === 'asn').every(row => row.zones === null)).toBe(true);
  });

  test('shows a support person nothing private: no documents, and no person of the account by name', async () => {
    await using own = await testPortal(kind);
    await takeStaffRoles(own.db, 'stan');
    await giveStaffRole(own.db, 'stan', 'support');
    const stan = await own.as('stan');
    const picture = (await stan(api.accountPictures.getAccountPicture, { accountName })).data!;
    expect(parts.filter(part => picture[part] === null)).toEqual(['invoices', 'cases']);
    const people = await own.db.read.rows<{ fullName: string; email: string }>(
      sql`select full_name, email from contact where account_name = ${accountName}`,
    );
    expect(people.length).toBeGreaterThan(1);
    const read = JSON.stringify({ ...picture, tickets: [] });
    expect(people.filter(({ fullName, email }) => read.includes(fullName) || read.includes(email))).toEqual([]);
    expect(await stan(api.documents.listStaffDocuments, { accountName })).toMatchObject({
      status: 403,
      errors: [{ code: 'NO_STAFF_PERMISSION' }],
    });
  });

  test('keeps what is open however old it is', async () => {
    await using own = await testPortal(kind);
    await own.db.change(line, change =>
      change.rows(sql`insert into ticket (queue, subject, state, account_name, requestor_name, requestor_email, created_at, updated_at, waiting_since, resolved_at)
        values ('helpdesk', 'An old question', 'open', ${accountName}, 'Ann', 'ann@example.net', now() - interval '12 years', now() - interval '11 years', now(), null),
          ('helpdesk', 'An old answer', 'resolved', ${accountName}, 'Ann', 'ann@example.net', now() - interval '12 years', now() - interval '11 years', now(), now() - interval '11 years')
        returning ticket_id::text as id`),
    );
    const subjects = (await (await own.as('stella'))(api.accountPictures.getAccountPicture, { accountName })).data!.tickets!.map(
      ({ subject }) => subject,
    );
    expect(subjects).toContain('An old question');
    expect(subjects).not.toContain('An old answer');
  });

  test('ends with what the account holds, and says what it held before a block came, left or ended', async () => {
    const sheet = async (of = accountName) =>
      Object.fromEntries(
        (await stella(api.desk.getAccountSheet, { accountName: of })).data!.resources.map(({ kind: of_, size }) => [of_, size]),
      );
    const latest = async (of = accountName) => (await pictureOf(stella, of)).holdings!.at(-1)!;
    const before = await sheet();
    expect(await latest()).toMatchObject({ ipv4: before['ipv4'], ipv6: before['ipv6'], asns: before['asn'] });
    const days = (await pictureOf(stella)).holdings!.map(({ day }) => day);
    expect(days).toEqual(days.toSorted());
    const other = await sheet('OTHER-SG');
    const move = (to: string) =>
      portal.db.change(line, change =>
        change.rows<{ size: string }>(sql`update delegation set account_name = ${to} where kind = 'ipv4' and resource = '203.0.113.0/24'
          and account_name in (${accountName}, 'OTHER-SG') returning size::text as size`),
      );
    const [{ size } = { size: '0' }] = await move('OTHER-SG');
    expect(size).not.toBe('0');
    const day = utcDay(new Date());
    expect(await latest()).toMatchObject({ day, ipv4: String(BigInt(before['ipv4']!) - BigInt(size)) });
    expect(await latest('OTHER-SG')).toMatchObject({ day, ipv4: String(BigInt(other['ipv4']!) + BigInt(size)) });
    await portal.db.change(line, change =>
      change.rows(
        sql`update delegation set status = 'closed' where resource = '203.0.113.0/24' and account_name = 'OTHER-SG' returning 1 as closed`,
      ),
    );
    expect((await latest('OTHER-SG')).ipv4).toBe(other['ipv4']);
  });

  test('counts what is owed as the books do, and cases and tickets as their lists do', async () => {
    const picture = await pictureOf(stella);
    const open = picture.cases!.filter(({ resolvedAt }) => resolvedAt === null).map(({ kind: of, requestId }) => `${of} ${requestId}`);
    const listed = (await stella(api.desk.getAccountSheet, { accountName })).data!.requests.map(
      ({ kind: of, requestId }) => `${of} ${requestId}`,
    );
    expect(open.toSorted()).toEqual(listed.toSorted());
    expect(picture.contacts!.filter(({ until }) => until === null).length).toBe(
      (await stella(api.desk.getAccountSheet, { accountName })).data!.contactCount,
    );
    const fiona = await portal.as('fiona');
    const { invoices } = (await fiona(api.billing.getStaffBilling, { accountName })).data!;
    expect((await pictureOf(fiona)).invoices!.map(({ number }) => number).toSorted()).toEqual(
      invoices.map(({ number }) => number).toSorted(),
    );
    const owed = (rows: readonly { number: string; owed: string }[]) =>
      rows.filter(({ owed: sum }) => Number(sum) > 0).map(({ number }) => number);
    expect(owed((await pictureOf(fiona)).invoices!).toSorted()).toEqual(
      invoices
        .filter(({ state }) => state === 'unpaid' || state === 'partly-paid' || state === 'overdue')
        .map(({ number }) => number)
        .toSorted(),
    );
  });

  test('tells a payment from a cancelled invoice', async () => {
    const ended = daysAfter(today, -10);
    await using own = await billingPortal(kind, { [accountName]: ended, 'OTHER-SG': ended });
    await own.on(today);
    const fiona = await own.as('fiona');
    const invoicesOf = async (name: string) => (await fiona(api.accountPictures.getAccountPicture, { accountName: name })).data!.invoices!;
    const { number, total } = (await own.billingOf('OTHER-SG')).invoices[0]!;
    const body = { amount: total, receivedOn: today, reference: 'PAID-1' };
    await (await own.as('stella'))(api.billing.recordPayment, { invoiceNumber: number, body });
    await own.db.change(line, change =>
      change.rows(
        sql`update invoice set state = 'cancelled', cancelled_at = now(), cancel_reason = 'A mistake' where account_name = ${accountName} returning 1 as set`,
      ),
    );
    expect(await invoicesOf('OTHER-SG')).toMatchObject([{ number, paidOn: today, settledOn: today }]);
    const [cancelled] = await invoicesOf(accountName);
    expect([cancelled!.paidOn, cancelled!.settledOn === null]).toEqual([null, false]);
  });

  test('says since when a contact is a corporate one, and who gets in with a password alone', async () => {
    await using own = await testPortal(kind);
    const fiona = await own.as('fiona');
    const [tess] = await own.db.change(line, change =>
      change.rows<{ loginId: string }>(sql`update contact set contact_types = '{corporate}', created_at = now() - interval '3 years'
        where account_name = ${accountName} and full_name = 'Tess Lindqvist' returning login_id`),
    );
    // She signs in at an identity provider.
    await own.db.change(line, change => change.rows(sql`delete from login_password where login_id = ${tess!.loginId} returning 1 as gone`));
    const picture = (await fiona(api.accountPictures.getAccountPicture, { accountName })).data!;
    const promoted = picture.contacts!.find(({ corporateSince, from }) => corporateSince !== null && corporateSince > from)!;
    expect(promoted).toMatchObject({ corporate: true, passwordAlone: false });
    expect(Date.parse(promoted.corporateSince!)).toBeGreaterThan(Date.now() - 600_000);
    expect(picture.contacts!.filter(({ corporate }) => !corporate).every(({ corporateSince }) => corporateSince === null)).toBe(true);
    const { contacts } = (await fiona(api.desk.getAccountSheet, { accountName })).data!;
    const alone = (name: string) => contacts.find(({ fullName }) => fullName.startsWith(name))!.passwordAlone;
    expect([alone('Tess'), alone('Bill'), alone('Corin')]).toEqual([false, true, false]);
    const plan = await own.db.change(line, async change => {
      await change.rows(sql`select set_config('enable_seqscan', 'off', true)`);
      return change.rows(
        sql`explain select r.activity_id from row_change r where r.table_name = 'contact' and r.after ->> 'contact_id' = 'x' and ${becameCorporate}`,
      );
    });
    expect(JSON.stringify(plan)).toMatch(/row_change_corporate/);
  });

  test('finds what left an account by an index', async () => {
    const plan = await portal.db.read.rows<{ 'QUERY PLAN': string }>(sql`explain select before ->> 'delegation_id' from row_change
      where table_name = 'delegation' and before ->> 'account_name' = 'EXAMPLE-AU' and before ->> 'account_name' <> after ->> 'account_name'`);
    expect(JSON.stringify(plan)).toMatch(/row_change_delegation_left/);
  });
});
