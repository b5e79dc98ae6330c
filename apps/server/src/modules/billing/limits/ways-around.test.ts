import { api } from '@portal/contract/api';
import type { ReversalKind } from '@portal/contract/billing/reversals';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { lastFees } from '../../../../test/example-fees.ts';
import type { LimitsAlone } from '../../../profile.ts';
import { openHold } from '../membership/open-hold.ts';
import { receiveProviderNews } from '../payments/provider-reports.ts';
import { holdIfNeeded } from '../renewals/holds.ts';
import { limitInvariants } from './limit-invariants.ts';

/**
 * Ways that a dishonest clerk may try, alone or with a second login: the limits of two accounts are used up, one that owes and one that has credit, and then those of a person and of
 * everyone. Each way around them ends with a second person, or with a refusal.
 */
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const owing = 'EXAMPLE-AU';
const rich = 'OTHER-SG';
const [other, third, late] = ['CAMPUS-JP', 'KELP-WS', 'BEACON-BD'] as const;
let references = 0;
const reference = (): string => `WAY-${(references += 1)}`;
const names = ['stella', 'stan', 'dora', 'ravi', 'fiona', 'corin', 'olive', 'ola'] as const;

const tight = ({ limitsAlone: limits }: { limitsAlone: LimitsAlone }): LimitsAlone => ({
  ...limits,
  received: { account: '100.00', person: '100000.00', everyone: '200000.00' },
  given: { account: '100.00', person: '150.00', everyone: '270.00' },
  time: { account: 20, person: 30, everyone: 40 },
  endings: { person: 0, everyone: 0 },
  holidays: { person: 5, everyone: 8 },
});

/** A registry of five accounts with an invoice each; three have paid it, and have credit. */
async function registryAtItsLimits() {
  const ends = Object.fromEntries([owing, rich, other, third].map(name => [name, daysAfter(today, -10)]));
  const portal = await billingPortal(undefined, { ...ends, [late]: daysAfter(today, -31) });
  // It is suspended on the next day, unless that is held.
  await portal.on(daysAfter(today, -2));
  const clients = await Promise.all(names.map(name => portal.as(name)));
  const people = Object.fromEntries(names.map((name, place) => [name, clients[place]!])) as Record<
    (typeof names)[number],
    (typeof clients)[number]
  >;
  const { stella, dora } = people;
  const latest = async (account: string) => (await portal.billingOf(account)).invoices[0]!;
  const numberOf = async (account: string) => (await latest(account)).number;
  const acts = {
    pay: async (
      account: string,
      amount: string,
      more: { receivedOn?: string; isEarly?: boolean; isAnother?: boolean; reference?: string } = {},
      who = stella,
    ) =>
      who(api.billing.recordPayment, {
        invoiceNumber: await numberOf(account),
        body: { amount, receivedOn: today, reference: reference(), ...more },
      }),
    refund: (account: string, amount: string, more: { refundedOn?: string } = {}, who = dora) =>
      who(api.corrections.recordRefund, {
        accountName: account,
        body: { amount, refundedOn: today, reference: reference(), reason: 'Asked for', ...more },
      }),
    credit: async (account: string, amount: string, who = stella) =>
      who(api.corrections.issueCreditNote, { invoiceNumber: await numberOf(account), body: { amount, reason: 'A mistake' } }),
    reverse: async (account: string, kind: ReversalKind, moveTo?: string) => {
      const { receipt } = (await latest(account)).payments.findLast(
        ({ reversed, method }) => reversed === null && method === 'bank transfer',
      )!;
      return stella(api.reversals.reversePayment, {
        receiptNumber: receipt,
        body: { kind, reason: 'The bank', ...(moveTo && { moveTo }) },
      });
    },
    extend: async (account: string, days: number, who = stella) =>
      who(api.billing.extendInvoice, {
        invoiceNumber: await numberOf(account),
        body: { until: daysAfter(today, days), reason: 'They asked' },
      }),
    /** Lists a transfer of a file that a clerk wrote. */
    transfer: async (amount: string, description: string, columns = ''): Promise<string> => {
      const name = reference();
      const [head, cell] = columns === '' ? ['', ''] : [`,Currency`, `,${columns}`];
      const content = `Date,Amount,Description,Bank reference${head}\n${today},${amount},${description},${name}${cell}\n`;
      await stella(api.bankStatements.importBankStatement, { body: { fileName: `${name}.csv`, content } });
      return (await stella(api.bankStatements.listBankLines, { query: { q: name } })).data!.rows[0]!.bankLineId;
    },
    match: (bankLineId: string, parts: { invoiceNumber: string; amount: string }[], more = {}) =>
      stella(api.bankStatements.recordBankLine, { bankLineId, body: { parts, ...more } }),
    setAside: (bankLineId: string) => stella(api.bankStatements.setAsideBankLine, { bankLineId, body: { reason: 'Sent back' } }),
    holidays: (from: number, until: number, who = stella) =>
      who(api.memberships.addHolidays, { body: { from: daysAfter(today, from), to: daysAfter(today, until), name: 'A day off' } }),
    report: async (kind: 'refunded' | 'dispute-lost', payment: string, amount: number) => {
      await receiveProviderNews(portal.db, { eventId: reference(), kind, payment, currency: 'AUD', amount }, portal.context.profile);
      const { reportId } = (await stella(api.reversals.listProviderReports, {})).data!.reports.at(-1)!;
      return stella(api.reversals.resolveProviderReport, { reportId, body: { note: 'Dealt with it' } });
    },
    /** A person becomes a contact of an account, or has left it just now. */
    contact: (account: string, username: string, status: 'active' | 'removed') =>
      portal.db.change(line, change =>
        sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions, status, removed_at)
          select ${account}, login_id, full_name, 'second@' || lower(${account}::text) || '.example', '{billing}', '{}', ${status}::text,
            case ${status}::text when 'removed' then ${change.now}::timestamptz end from login where username = ${username}`.execute(
          change,
        ),
      ),
    noContact: (username: string) =>
      portal.db.change(line, change =>
        sql`update contact set status = 'removed', permissions = '{}', removed_at = '2020-01-01' where email like 'second@%'
          and login_id = (select login_id from login where username = ${username})`.execute(change),
      ),
  };
  for (const account of [rich, other, third]) {
    const { balance } = await latest(account);
    expect((await acts.pay(account, String(Number(balance) + 500))).status).toBe(200);
  }
  const matched = await acts.transfer('50.00', await numberOf(owing));
  expect((await acts.match(matched, [{ invoiceNumber: await numberOf(owing), amount: '50.00' }])).status).toBe(200);
  await portal.db.change(line, async change =>
    sql`insert into payment (account_name, invoice_id, method, amount, received_on, reference, recorded_at)
      select account_name, invoice_id, 'card', 300, ${today}::date, 'pi_way', now() from invoice where number = ${await numberOf(owing)}`.execute(
      change,
    ),
  );
  const { profile } = portal.context;
  const { limitsAlone } = profile;
  profile.limitsAlone = tight(profile);
  // The limits of both accounts are used up.
  expect((await acts.pay(owing, '50.00')).status).toBe(200);
  expect((await acts.credit(owing, '100.00')).status).toBe(200);
  expect((await acts.refund(rich, '100.00')).status).toBe(200);
  expect((await acts.extend(owing, 20)).status).toBe(200);
  return Object.assign(portal, { people, latest, numberOf, matched, limitsAlone, ...acts });
}
type Desk = Awaited<ReturnType<typeof registryAtItsLimits>>;
type Answer = { status: number; errors?: readonly { code: string }[] | null };
type Way = readonly [string, (desk: Desk) => Promise<Answer>, (string | number)?];

/** A way, and the refusal with which it ends: a second person without another one. */
const ways: Readonly<Record<string, readonly Way[]>> = {
  'money given': [
    ['a cent more', ({ refund }) => refund(rich, '0.01')],
    ['dated yesterday', ({ refund }) => refund(rich, '0.01', { refundedOn: daysAfter(today, -1) })],
    ['dated before the days that count', ({ refund }) => refund(rich, '0.01', { refundedOn: daysAfter(today, -40) })],
    ['dated a year ago', ({ refund }) => refund(rich, '0.01', { refundedOn: daysAfter(today, -366) })],
    ['dated in the future', ({ refund }) => refund(rich, '0.01', { refundedOn: daysAfter(today, 1) }), 'INVALID_REQUEST'],
    ['by another login', ({ refund, people }) => refund(rich, '0.01', {}, people.ravi)],
    ['by a credit note in place of a refund', ({ credit }) => credit(rich, '0.01')],
    ['by the credit note of another login', ({ credit, people }) => credit(owing, '0.01', people.fiona)],
    [
      'by cancelling the invoice',
      async ({ people, numberOf }) =>
        people.stan(api.billing.cancelInvoice, { invoiceNumber: await numberOf(owing), body: { reason: 'A mistake' } }),
      'INVOICE_SETTLED',
    ],
    [
      'by writing off an open account',
      async ({ people, numberOf }) =>
        people.dora(api.corrections.writeOffInvoice, { invoiceNumber: await numberOf(owing), body: { reason: 'A mistake' } }),
      'INVOICE_SETTLED',
    ],
    [
      'by waiving the fee of a reactivation',
      ({ people }) =>
        people.stella(api.reactivations.startReactivation, { accountName: owing, body: { reason: 'They asked', waiveFee: true } }),
      'REACTIVATION_REFUSED',
    ],
    ['by a payment that bounced', ({ reverse }) => reverse(other, 'bounced')],
    ['by a payment that the bank recalled', ({ reverse }) => reverse(owing, 'recalled')],
    ['by a refund at the card provider', ({ reverse }) => reverse(owing, 'card-refund')],
    [
      'by moving its payment to another member',
      async ({ reverse, numberOf }) => reverse(rich, 'wrong-invoice', await numberOf(owing)),
      'PAYMENT_NOT_REVERSIBLE',
    ],
    ['by moving another member’s payment to it', async ({ reverse, numberOf }) => reverse(other, 'wrong-invoice', await numberOf(owing))],
    [
      'by undoing a match',
      ({ people, matched }) => people.stella(api.bankStatements.undoBankLine, { bankLineId: matched, body: { reason: 'Another one' } }),
    ],
    ['by noting a chargeback as dealt with', ({ report }) => report('dispute-lost', 'pi_way', 1)],
    ['by noting a refund at the provider as dealt with', ({ report }) => report('refunded', 'pi_way', 30_000)],
    ['with an amount below zero', ({ credit }) => credit(other, '-5.00'), 'INVALID_REQUEST'],
    ['with an exponent', ({ credit }) => credit(other, '1e2'), 'INVALID_REQUEST'],
    ['with a third decimal', ({ credit }) => credit(other, '0.001'), 'INVALID_REQUEST'],
    ['with a comma', ({ credit }) => credit(other, '1,00'), 'INVALID_REQUEST'],
    ['by a role that may not', ({ refund, people }) => refund(other, '1.00', {}, people.fiona), 403],
    ['by a member', ({ refund, people }) => refund(other, '1.00', {}, people.corin), 404],
  ],
  'money received': [
    ['by hand', ({ pay }) => pay(owing, '0.01')],
    ['dated before the days that count', ({ pay }) => pay(owing, '0.01', { receivedOn: daysAfter(today, -60), isEarly: true })],
    ['dated in the future', ({ pay }) => pay(owing, '0.01', { receivedOn: daysAfter(today, 1) }), 'INVALID_REQUEST'],
    ['by another login', ({ pay, people }) => pay(owing, '0.01', {}, people.fiona)],
    [
      'by a statement that a clerk wrote',
      async ({ transfer, match, numberOf }) =>
        match(await transfer('0.01', 'x'), [{ invoiceNumber: await numberOf(owing), amount: '0.01' }]),
    ],
    [
      'by a transfer in parts, of which one is for another member',
      async ({ transfer, match, numberOf }) =>
        match(await transfer('0.02', 'x'), [
          { invoiceNumber: await numberOf(other), amount: '0.01' },
          { invoiceNumber: await numberOf(owing), amount: '0.01' },
        ]),
    ],
    [
      'by parts that come to more than the transfer',
      async ({ transfer, match, numberOf }) =>
        match(await transfer('1.00', 'x'), [{ invoiceNumber: await numberOf(owing), amount: '100.00' }]),
      'INVALID_REQUEST',
    ],
    [
      'by a transfer in a currency of less worth',
      async ({ transfer, match, numberOf }) =>
        match(await transfer('900.00', 'x', 'IDR'), [{ invoiceNumber: await numberOf(other), amount: '900.00' }]),
      'INVALID_REQUEST',
    ],
    ['by the transfer of before, typed in another way', ({ pay }) => pay(owing, '1.00', { reference: 'way 1', isAnother: true })],
    ['by setting a large transfer aside', async ({ transfer, setAside }) => setAside(await transfer('100000.00', 'x'))],
    [
      'by setting one aside again and again',
      async ({ transfer, setAside, people }) => {
        const bankLineId = await transfer('60000.00', 'x');
        expect((await setAside(bankLineId)).status).toBe(200);
        expect((await people.stella(api.bankStatements.reopenBankLine, { bankLineId })).status).toBe(200);
        return setAside(bankLineId);
      },
    ],
  ],
  'more time': [
    ['a day more', ({ extend }) => extend(owing, 21)],
    ['by another login', ({ extend, people }) => extend(owing, 21, people.fiona)],
    [
      'taken back, and given again',
      async ({ extend }) => {
        expect((await extend(owing, 1)).status).toBe(200);
        return extend(owing, 20);
      },
    ],
    ['by a cent that is paid and taken back', async ({ reverse }) => reverse(owing, 'bounced')],
    [
      'by a hold that is released with more days',
      async ({ db, context, people }) => {
        const soon = new Date(`${daysAfter(today, 30)}T12:00:00Z`);
        await holdIfNeeded(db, { now: soon, profile: context.profile, lastRun: null });
        const hold = await openHold(db.read);
        return people.stella(api.memberships.releaseHold, {
          holdId: String(hold!.billingHoldId),
          body: { extendUntil: daysAfter(today, 200) },
        });
      },
    ],
    ['for longer than a year', ({ extend }) => extend(owing, 400), 'INVALID_REQUEST'],
    ['by many holidays', ({ holidays }) => holidays(200, 205)],
    [
      'by holidays that are removed and added again',
      async ({ holidays, people }) => {
        expect((await holidays(200, 204)).status).toBe(200);
        expect((await people.stella(api.memberships.removeHoliday, { day: daysAfter(today, 200) })).status).toBe(200);
        return holidays(200, 200);
      },
    ],
  ],
  'the second person': [
    [
      'who is the first one',
      async ({ refund, people }) => {
        expect((await refund(rich, '1.00')).status).toBe(409);
        const { proposalId, fingerprint } = (await people.dora(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
        return people.dora(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
      },
      'OWN_REQUEST',
    ],
    [
      'who was shown something else',
      async ({ people }) => {
        const { proposalId } = (await people.ravi(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
        return people.ravi(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint: 'f'.repeat(64) } });
      },
      'STALE',
    ],
    [
      'without the permission of the act',
      async ({ people }) => {
        const { proposalId, fingerprint } = (await people.ravi(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
        return people.fiona(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
      },
      'NO_STAFF_PERMISSION',
    ],
    [
      'who is a contact of the member',
      async ({ contact, noContact, people }) => {
        const { proposalId, fingerprint } = (await people.ravi(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
        await contact(rich, 'ravi', 'active');
        // It isn’t in the list any more, and can’t be approved by its number either.
        expect((await people.ravi(api.proposals.listStaffProposals, {})).data!.waiting.map(each => each.proposalId)).not.toContain(
          proposalId,
        );
        const answer = await people.ravi(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
        await noContact('ravi');
        return answer;
      },
      'OWN_REQUEST',
    ],
    [
      'who is a contact of the member that gets the money',
      async ({ contact, noContact, reverse, numberOf, people }) => {
        expect((await reverse(other, 'wrong-invoice', await numberOf(owing))).status).toBe(409);
        await contact(owing, 'stan', 'active');
        const { waiting } = (await people.stan(api.proposals.listStaffProposals, {})).data!;
        const target = await numberOf(owing);
        const { proposalId, fingerprint } = waiting.find(
          ({ accountName, shown }) => accountName === other && shown.some(({ value }) => value.includes(target)),
        )!;
        const answer = await people.stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
        await noContact('stan');
        return answer;
      },
      'OWN_REQUEST',
    ],
    [
      'who has left the member an hour ago',
      async ({ contact, noContact, credit, people }) => {
        await contact(third, 'fiona', 'removed');
        const answer = await credit(third, '1.00', people.fiona);
        await noContact('fiona');
        return answer;
      },
      'OWN_REQUEST',
    ],
    [
      'of an account of one’s own',
      async ({ contact, noContact, credit, people }) => {
        await contact(third, 'fiona', 'active');
        const answer = await credit(third, '1.00', people.fiona);
        await noContact('fiona');
        return answer;
      },
      'OWN_REQUEST',
    ],
  ],
  'what always takes two': [
    [
      'announcing fees alone',
      async ({ people }) => {
        const { next } = (await people.stella(api.feeSchedules.getFees, {})).data!;
        const { draftId } = (await people.stella(api.feeSchedules.prepareFees, { body: { ...next, fees: lastFees } })).data!;
        return people.stella(api.feeSchedules.announceFees, { draftId });
      },
    ],
    [
      'another economy, which is billed half',
      async ({ db, people }) => {
        const { version } = await db.read
          .selectFrom('organisation')
          .select('version')
          .where('accountName', '=', other)
          .executeTakeFirstOrThrow();
        return people.stella(api.organisations.setEconomy, { accountName: other, body: { version, economy: 'KH', reason: 'They moved' } });
      },
    ],
  ],
};

let desk: Desk;
beforeAll(async () => {
  desk = await registryAtItsLimits();
});
afterAll(async () => {
  // Other tests read the same profile.
  if (desk) desk.context.profile.limitsAlone = desk.limitsAlone;
  await desk?.[Symbol.asyncDispose]();
});

describe.each(Object.entries(ways))('no way around four eyes: %s', (_name, some) => {
  for (const [words, act, refusal = 'SECOND_PERSON'] of some)
    test(words, async () => {
      const { status, errors } = await act(desk);
      expect(typeof refusal === 'number' ? status : (errors?.[0]?.code ?? status)).toBe(refusal);
    });
});

test('no way around four eyes: the limits of a person and of everyone, over all accounts, hold too, and nothing was done beyond one', async () => {
  const { refund, people, db, context } = desk;
  expect((await refund(third, '50.00')).status).toBe(200);
  // Dora gave 150.00.
  expect((await refund(other, '0.01')).errors?.[0]?.code).toBe('SECOND_PERSON');
  expect((await refund(other, '20.00', {}, people.ravi)).status).toBe(200);
  // Everyone gave 270.00 among them, and a second login is no more than a second name.
  expect((await refund(other, '0.01', {}, people.ravi)).errors?.[0]?.code).toBe('SECOND_PERSON');
  for (const { check } of limitInvariants)
    expect(
      await check({
        read: db.read,
        accounts: null,
        profile: context.profile,
        modules: context.modules,
        secrets: context.config,
        now: new Date(),
      }),
    ).toEqual([]);
  expect(Object.values(ways).flat().length + 2).toBeGreaterThanOrEqual(50);
});
