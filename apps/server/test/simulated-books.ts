import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import type { StaffInvoice } from '@portal/contract/billing/billing';
import type { ReversalKind } from '@portal/contract/billing/reversals';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import exampleFees from '../src/example-fees.json' with { type: 'json' };
import { beginBilling } from '../src/modules/billing/membership/beginning.ts';
import { issueTransferFees } from '../src/modules/billing/issuing/transfer-fees.ts';
import { receiveCheckoutEvent } from '../src/modules/billing/payments/checkouts.ts';
import { runBillingSchedule } from '../src/modules/billing/renewals/clock.ts';
import { completeReactivations } from '../src/modules/billing/renewals/reactivation.ts';
import { issueRenewalsAgain } from '../src/modules/billing/renewals/renewals-again.ts';
import { openFileStore } from '../src/modules/documents/index.ts';
import { delegate } from '../src/modules/resources/index.ts';
import { anyNumbers } from './any-numbers.ts';
import { today } from './billing-portal.ts';
import { announceUntil } from './example-fees.ts';
import { testPortal, type TestPortal } from './portal.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** Draws numbers, the same ones for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Holder = { account: string; economy: string; ends: string; ipv4: number; ipv6: number; asns: number };
const economies = ['AU', 'NZ', 'KH', 'JP', 'SG'];
const payer = 'bill';

/** An account with a holding of any size of both families; its term ends within so many days. */
function holderOf(place: number, { first, spread, of }: { first: string; spread: number; of: number }): Holder {
  return {
    account: `BOOK${String(place).padStart(3, '0')}-${economies[place % economies.length]!}`,
    economy: economies[place % economies.length]!,
    ends: daysAfter(first, 1 + Math.floor((place * spread) / of)),
    ipv4: place % 5 === 0 ? 0 : 2 ** (8 + (place % 7)),
    ipv6: place % 3 === 0 ? 2 ** (56 - 32 + (place % 4)) : 0,
    asns: place % 6,
  };
}

/** Opens the accounts, whose one contact is a person of the demo registry. */
async function addHolders(portal: TestPortal, holders: readonly Holder[]): Promise<void> {
  await portal.db.change(line, async change => {
    await change.updateTable('account').set({ expiryDate: null }).execute();
    for (const [place, { account, economy, ends, ipv4, ipv6, asns }] of holders.entries()) {
      await change.rows(sql`insert into account (account_name, account_status, account_type, nir, org_name, economy, expiry_date)
        values (${account}, 'open', 'regular', false, ${`Holder ${place}`}, ${economy}, ${ends}::date)`);
      await change.rows(sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions)
        select ${account}, login_id, full_name, ${`payer@${account.toLowerCase()}.example`}, '{corporate,billing}', '{member-billing-view,member-billing-update}' from login
        where username = ${payer}`);
      const give = (resource: string) =>
        delegate(change, { accountName: account, resource, type: 'allocated', delegatedOn: '2020-01-01' }, anyNumbers);
      if (ipv4 > 0) await give(`${100 + Math.floor(place / 256)}.${place % 256}.0.0/${32 - Math.log2(ipv4)}`);
      if (ipv6 > 0) await give(`2a0${Math.floor(place / 256)}:${(place % 256).toString(16)}00::/${56 - Math.log2(ipv6)}`);
      for (let asn = 0; asn < asns; asn++) await give(`AS${4_200_000_000 + place * 10 + asn}`);
    }
    await beginBilling(change, '2000-01-01');
  });
}

type People = Record<'stella' | 'stan' | 'dora' | 'ravi' | 'bill', Client>;
type Settings = { folder: string; accounts: number; days: number; spread: number; seed?: number };

/** A registry that lives days of memberships, payments and corrections, and writes what it is asked for into a folder, for a program that knows nothing of it. */
class SimulatedBooks {
  readonly portal: TestPortal;
  readonly settings: Settings;
  readonly draw: (below: number) => number;
  day = '';
  refused = 0;
  private people!: People;
  private readonly plans = new Map<string, (() => Promise<void>)[]>();
  private seen = 0;
  private firstOpen = '';
  private references = 0;
  private acts: string[] = [];

  constructor(portal: TestPortal, settings: Settings, draw: (below: number) => number) {
    this.portal = portal;
    this.settings = settings;
    this.draw = draw;
  }

  /** A day on which the people sign in anew. */
  async begin(day: string): Promise<void> {
    this.day = day;
    const names = ['stella', 'stan', 'dora', 'ravi', payer] as const;
    const clients = await Promise.all(names.map(name => this.portal.as(name)));
    this.people = Object.fromEntries(names.map((name, place) => [name, clients[place]!])) as People;
  }

  private note(act: string, about: Record<string, unknown>): void {
    this.acts.push(JSON.stringify({ act, day: this.day, ...about }));
  }

  private later(days: number, act: () => Promise<void>): void {
    const day = daysAfter(this.day, days);
    this.plans.set(day, [...(this.plans.get(day) ?? []), act]);
  }

  /** Carries out what was planned for the day. */
  async live(): Promise<void> {
    for (const act of this.plans.get(this.day) ?? []) await act();
    this.plans.delete(this.day);
  }

  /** The work of the registry's own clocks. New invoices are noted, and what becomes of each is drawn. */
  async clocks(): Promise<void> {
    const { db, context, config } = this.portal;
    const { profile, modules } = context;
    const schedule = { now: context.clock(), profile, store: openFileStore(config.filesDir), fonts: [], modules };
    await runBillingSchedule(db, schedule);
    for (let twice = 0; twice < 2; twice++) {
      await issueTransferFees(db, schedule);
      await issueRenewalsAgain(db, schedule);
      await this.noteInvoices();
      await completeReactivations(db, schedule);
    }
  }

  private async noteInvoices(): Promise<void> {
    const issued = await this.portal.db.read.rows<{ invoiceId: number; number: string; account: string; kind: string; total: string }>(sql`
      select invoice_id, number, account_name as account, kind, issued_on::text, period_from::text, subtotal::text, tax::text, total::text from invoice
      where invoice_id > ${this.seen} order by invoice_id`);
    for (const { invoiceId, ...invoice } of issued) {
      this.seen = invoiceId;
      this.note('invoice', invoice);
      if (invoice.kind === 'renewal') habits[this.draw(habits.length)]!(this, invoice.number, invoice.account);
    }
  }

  private readonly reference = (): string => `BOOKS-${(this.references += 1)}`;

  async billing(accountName: string) {
    return (await this.people.stella(api.billing.getStaffBilling, { accountName })).data!;
  }

  async invoice(number: string, account: string): Promise<StaffInvoice> {
    return (await this.billing(account)).invoices.find(each => each.number === number)!;
  }

  /** Carries out an act, with a second person where one is needed. False where it was refused. */
  private async done(
    answer: Promise<{ status: number; errors?: { code: string; message: string }[] | null }>,
    second: keyof People,
  ): Promise<boolean> {
    const { status, errors } = await answer;
    if (status === 200) return true;
    const code = errors?.[0]?.code;
    if (code !== 'SECOND_PERSON') {
      if (!expectedRefusals.has(code ?? '')) throw new Error(`${this.day}: ${JSON.stringify(errors)}`);
      this.refused++;
      return false;
    }
    const { waiting } = (await this.people[second](api.proposals.listStaffProposals, {})).data!;
    const { proposalId, fingerprint } = waiting.at(-1)!;
    const approved = await this.people[second](api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
    if (approved.status !== 200) throw new Error(`${this.day}: not approved: ${JSON.stringify(approved.errors)}`);
    return true;
  }

  /** A day so many days ago, of a month that is open. */
  private ago(days: number): string {
    const day = daysAfter(this.day, -days);
    return day < this.firstOpen ? this.firstOpen : day;
  }

  /** Records a transfer by hand; `share` in hundredths of what is due, and so many days after it came. */
  async pay(number: string, account: string, { share = 100, late = 0 } = {}): Promise<string | null> {
    const { balance, issuedOn } = await this.invoice(number, account);
    const amount = ((Math.round(Number(balance) * 100) * share) / 10_000).toFixed(2);
    if (Number(amount) <= 0) return null;
    const receivedOn = [this.ago(late), issuedOn].toSorted()[1]!;
    const body = { amount, receivedOn, reference: this.reference() };
    const { stella } = this.people;
    return (await this.done(stella(api.billing.recordPayment, { invoiceNumber: number, body }), 'stan'))
      ? this.notePayment(number, account, { amount, receivedOn })
      : null;
  }

  private async notePayment(invoice: string, account: string, about: { amount: string; receivedOn: string }): Promise<string> {
    const { receipt } = (await this.invoice(invoice, account)).payments.at(-1)!;
    this.note('payment', { invoice, account, receipt, ...about });
    return receipt;
  }

  /** A card pays all that is due. */
  async payByCard(number: string, account: string): Promise<string | null> {
    const { balance, currency } = await this.invoice(number, account);
    if (Number(balance) <= 0) return null;
    const payment = this.reference();
    const reference = await this.portal.db.change(line, async change => {
      const [row] = await change.rows<{ id: string }>(sql`
        insert into checkout (account_name, invoice_id, currency, amount, state, provider, provider_id, started_by, started_at)
        select account_name, invoice_id, currency, ${balance}::numeric, 'open', 'Stripe', ${payment}, (select login_id from login where username = ${payer}), ${change.now}
        from invoice where number = ${number} returning checkout_id::text as id`);
      return row!.id;
    });
    const amount = Math.round(Number(balance) * 100);
    await receiveCheckoutEvent(
      this.portal.db,
      { reference, providerId: payment, happened: { kind: 'paid', payment, currency, amount } },
      { today: this.day, profile: this.portal.context.profile },
    );
    return this.notePayment(number, account, { amount: balance, receivedOn: this.day });
  }

  /** A transfer of a bank statement for several invoices, each with its part; returns the line. */
  async payFromStatement(parts: readonly { number: string; account: string }[]): Promise<string | null> {
    const due = await Promise.all(parts.map(async part => ({ ...part, amount: (await this.invoice(part.number, part.account)).balance })));
    const shares = due.filter(({ amount }) => Number(amount) > 0);
    if (shares.length === 0) return null;
    const reference = this.reference();
    const sum = (shares.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
    const content = `Date,Amount,Description,Bank reference\n${this.day},${sum},${shares.map(({ number }) => number).join(' ')},${reference}\n`;
    const { stella } = this.people;
    const file = { fileName: `${reference}.csv`, content };
    if (!(await this.done(stella(api.bankStatements.importBankStatement, { body: file }), 'stan'))) return null;
    const { bankLineId } = (await stella(api.bankStatements.listBankLines, { query: { q: reference } })).data!.rows[0]!;
    return (await this.match(bankLineId, shares, this.day)) ? bankLineId : null;
  }

  async match(
    bankLineId: string,
    shares: readonly { number: string; account: string; amount: string }[],
    bookedOn: string,
  ): Promise<boolean> {
    const body = { parts: shares.map(({ number: invoiceNumber, amount }) => ({ invoiceNumber, amount })), isAnother: true };
    const recorded = this.people.stella(api.bankStatements.recordBankLine, { bankLineId, body });
    if (!(await this.done(recorded, 'stan'))) {
      // Nothing may be left of a month that is closed.
      await this.done(this.people.stella(api.bankStatements.setAsideBankLine, { bankLineId, body: { reason: 'Sent back' } }), 'stan');
      return false;
    }
    for (const { number, account, amount } of shares.toSorted((a, b) => (a.number < b.number ? -1 : 1)))
      await this.notePayment(number, account, { amount, receivedOn: bookedOn < this.firstOpen ? this.firstOpen : bookedOn });
    return true;
  }

  /** Undoes a match and records the transfer again. */
  async matchAgain(bankLineId: string, number: string, account: string): Promise<void> {
    const before = await this.invoice(number, account);
    const undone = this.people.stella(api.bankStatements.undoBankLine, { bankLineId, body: { reason: 'The wrong invoice' } });
    if (!(await this.done(undone, 'stan'))) return;
    const { payments, balance } = await this.invoice(number, account);
    for (const [place, { receipt, reversed }] of payments.entries())
      if (reversed && !before.payments[place]!.reversed) this.note('reversal', { number: reversed.number, receipt });
    const { amount, receivedOn } = payments.at(-1)!;
    await this.match(bankLineId, [{ number, account, amount: Number(amount) > 0 ? amount : balance }], receivedOn);
  }

  async reverse(receiptNumber: string, account: string, kind: ReversalKind, to?: { number: string; account: string }): Promise<boolean> {
    const body = { kind, reason: 'The bank says so', ...(to && { moveTo: to.number }) };
    if (!(await this.done(this.people.stella(api.reversals.reversePayment, { receiptNumber, body }), 'stan'))) return false;
    const number = `INV-${receiptNumber.slice(4, 15)}`;
    const { reversed } = (await this.invoice(number, account)).payments.find(({ receipt }) => receipt === receiptNumber)!;
    const newReceipt = to && (await this.invoice(to.number, to.account)).payments.at(-1)!.receipt;
    this.note('reversal', { number: reversed!.number, receipt: receiptNumber, ...(to && { movedTo: to.number, newReceipt }) });
    return true;
  }

  /** Takes so many hundredths off an invoice. */
  async credit(number: string, account: string, share: number): Promise<void> {
    const { total, creditNotes } = await this.invoice(number, account);
    const amount = ((Math.round(Number(total) * 100) * share) / 10_000).toFixed(2);
    const body = { amount, reason: 'A mistake' };
    if (await this.done(this.people.stella(api.corrections.issueCreditNote, { invoiceNumber: number, body }), 'stan'))
      await this.noteCredit(number, account, creditNotes.length);
  }

  private async noteCredit(invoice: string, account: string, before: number): Promise<void> {
    for (const { number, total } of (await this.invoice(invoice, account)).creditNotes.slice(before))
      this.note('credit-note', { number, invoice, amount: total });
  }

  /** Cancels an invoice of which nothing was paid, and lets its term be billed again. */
  async cancel(number: string, account: string, again: boolean): Promise<void> {
    const { stella } = this.people;
    const body = { reason: 'Billed too early' };
    if (!(await this.done(stella(api.billing.cancelInvoice, { invoiceNumber: number, body }), 'stan'))) return;
    await this.noteCredit(number, account, 0);
    if (again) await this.done(stella(api.renewals.billAgain, { accountName: account, body }), 'stan');
  }

  /** Pays credit back, dated some days ago. */
  async refund(accountName: string, late: number): Promise<void> {
    const { credit: amount } = await this.billing(accountName);
    if (Number(amount) <= 0) return;
    const refundedOn = this.ago(late);
    const body = { amount, refundedOn, reference: this.reference(), reason: 'They asked' };
    if (await this.done(this.people.dora(api.corrections.recordRefund, { accountName, body }), 'ravi'))
      this.note('refund', { account: accountName, amount, refundedOn });
  }

  async writeOff(number: string): Promise<void> {
    const body = { reason: 'Nothing is left there' };
    if (await this.done(this.people.dora(api.corrections.writeOffInvoice, { invoiceNumber: number, body }), 'ravi'))
      this.note('write-off', { invoice: number });
  }

  /** Opens a closed account again: by its own contact, or by staff without a fee; then everything is paid, or nothing and it ends. */
  async reactivate(accountName: string, how: 'member' | 'waived', end: 'paid' | 'staff' | 'time'): Promise<void> {
    const { reactivation: now } = await this.billing(accountName);
    const price = { fee: now?.fee ?? '0.00', owed: now?.owed ?? '0.00' };
    const started =
      how === 'member'
        ? this.people[payer](api.reactivations.reactivateAccount, { account: accountName, body: price })
        : this.people.stella(api.reactivations.startReactivation, { accountName, body: { reason: 'They asked', waiveFee: true } });
    if (!(await this.done(started, 'stan'))) return;
    const { reactivation } = await this.billing(accountName);
    this.note('reactivation', { account: accountName, payBy: reactivation!.until, waived: how === 'waived' });
    if (end === 'paid')
      this.later(2, async () => {
        for (const { number, balance } of (await this.billing(accountName)).invoices)
          if (Number(balance) > 0) await this.pay(number, accountName);
      });
    if (end === 'staff')
      this.later(5, async () => {
        const body = { reason: 'They changed their mind' };
        if (await this.done(this.people.stella(api.reactivations.endReactivation, { accountName, body }), 'stan'))
          this.note('reactivation-ended', { account: accountName });
      });
  }

  /** Closes the books of the month before, on the fifth day of each, and keeps what an auditor is given. */
  async close(): Promise<void> {
    if (!this.day.endsWith('-05')) return;
    const month = monthsAfter(this.day, -1).slice(0, 7);
    if (!(await this.done(this.people.stella(api.books.closeMonths, { body: { until: month } }), 'stan'))) return;
    const lastDay = daysAfter(`${this.day.slice(0, 7)}-01`, -1);
    this.firstOpen = daysAfter(lastDay, 1);
    this.note('close', { lastDay });
    await this.write(`closed/${month}.csv`, this.people.stella(api.books.exportJournal, { month }));
    await this.write(`posted/${month}.csv`, this.people.stella(api.books.exportPostings, { month, query: {} }));
    await this.statements('kept', lastDay);
  }

  /** Plans an act for a later day, for habits. */
  readonly plan = (days: number, act: () => Promise<unknown>): void => this.later(days, async () => void (await act()));

  private async write(file: string, download: Promise<{ data?: { blob: Blob } | null; errors?: unknown }>): Promise<void> {
    const { data, errors } = await download;
    if (!data) throw new Error(`${file}: ${JSON.stringify(errors)}`);
    const name = path.join(this.settings.folder, file);
    await mkdir(path.dirname(name), { recursive: true });
    await writeFile(name, new Uint8Array(await data.blob.arrayBuffer()));
  }

  /** Statements of a few accounts until a day. */
  private async statements(part: string, to: string): Promise<void> {
    for (let place = 0; place < this.settings.accounts; place += 7) {
      const { account } = this.holders[place]!;
      await this.write(
        `${part}/${account}-${to}.csv`,
        this.people[payer](api.billing.exportStatement, { account, query: { to, format: 'csv' } }),
      );
    }
    if (part === 'kept') this.keptUntil.push(to);
  }

  private readonly keptUntil: string[] = [];
  holders: readonly Holder[] = [];

  private notesSeen = 0;

  /** Credit notes of the registry's own clocks, for fees that ended. */
  private async noteEndedFees(): Promise<void> {
    const notes = await this.portal.db.read.rows<{ creditNoteId: number; number: string; invoice: string; amount: string }>(sql`
      select n.credit_note_id, n.number, i.number as invoice, n.total::text as amount from credit_note n join invoice i using (invoice_id)
      where n.credit_note_id > ${this.notesSeen} and n.issued_by is null order by n.credit_note_id`);
    for (const { creditNoteId, ...about } of notes) {
      this.notesSeen = creditNoteId;
      this.note('ended-fee', about);
    }
  }

  /** Writes what the registry says in the evening of a day. */
  async evening(): Promise<void> {
    await this.noteEndedFees();
    const rows = await this.portal.db.read.rows<{ account: string; owed: string; credit: string }>(sql`
      select a.account_name as account, (select coalesce(sum(total - paid - credited - written_off), 0) from invoice i
          where i.account_name = a.account_name and i.state in ('issued', 'partly-paid'))::text as owed,
        (select coalesce(sum(amount), 0) from account_credit c where c.account_name = a.account_name)::text as credit
      from account a where a.account_name like 'BOOK%'`);
    const said = rows.filter(({ owed, credit }) => Number(owed) !== 0 || Number(credit) !== 0);
    const { folder } = this.settings;
    await appendFile(
      path.join(folder, 'days.csv'),
      [`${this.day},,0,0`, ...said.map(({ account, owed, credit }) => `${this.day},${account},${owed},${credit}`), ''].join('\n'),
    );
    await appendFile(path.join(folder, 'acts.jsonl'), this.acts.map(each => `${each}\n`).join(''));
    this.acts = [];
  }

  /** Everything that the interfaces give out at the end. */
  async export(first: string): Promise<void> {
    const { stella, bill } = this.people;
    for (let month = first.slice(0, 7); month <= this.day.slice(0, 7); month = monthsAfter(`${month}-01`, 1).slice(0, 7)) {
      await this.write(`journals/${month}.csv`, stella(api.books.exportJournal, { month }));
      await this.write(`postings/${month}.csv`, stella(api.books.exportPostings, { month, query: {} }));
    }
    for (const { account } of this.holders)
      await this.write(`statements/${account}.csv`, bill(api.billing.exportStatement, { account, query: { format: 'csv' } }));
    for (const to of this.keptUntil) await this.statements('again', to);
  }
}

/** Refusals that belong to what is drawn at random: the money is used, the invoice is settled, the account is closed or was opened again. */
const expectedRefusals = new Set([
  'PAYMENT_NOT_REVERSIBLE',
  'INVOICE_NOT_PAYABLE',
  'INVOICE_SETTLED',
  'REACTIVATION_REFUSED',
  'RENEWAL_NOT_OPEN',
  'INVALID_REQUEST',
  'BANK_LINE_RESOLVED',
]);

type Habit = (books: SimulatedBooks, number: string, account: string) => void;
/** An open invoice of another account, for what is sent to the wrong one. */
async function anotherOpen(books: SimulatedBooks, account: string): Promise<{ number: string; account: string } | null> {
  const rows = await books.portal.db.read.rows<{ number: string; account: string }>(sql`
    select i.number, i.account_name as account from invoice i join account a using (account_name) where i.state in ('issued', 'partly-paid') and i.account_name <> ${account}
      and i.account_name like 'BOOK%' and a.account_status <> 'closed' order by i.number`);
  return rows.length === 0 ? null : rows[books.draw(rows.length)]!;
}

/** Habits of payers and of the desk, by which something becomes of an invoice. */
const habits: readonly Habit[] = [
  (books, number, account) => books.plan(books.draw(28), () => books.pay(number, account)),
  (books, number, account) => books.plan(3 + books.draw(50), () => books.pay(number, account, { late: 3 })),
  (books, number, account) => {
    books.plan(5, () => books.pay(number, account, { share: 37 }));
    books.plan(6 + books.draw(30), () => books.pay(number, account));
  },
  // Too much, which the next invoice uses, or which is paid back.
  (books, number, account) => {
    books.plan(9, () => books.pay(number, account, { share: 120 }));
    if (books.draw(2) === 0) books.plan(9 + books.draw(40), () => books.refund(account, 2));
  },
  (books, number, account) => books.plan(4, () => books.payFromStatement([{ number, account }])),
  // One transfer for two members.
  (books, number, account) =>
    books.plan(8, async () => {
      const other = await anotherOpen(books, account);
      await books.payFromStatement([{ number, account }, ...(other ? [other] : [])]);
    }),
  (books, number, account) =>
    books.plan(6, async () => {
      const bankLine = await books.payFromStatement([{ number, account }]);
      if (bankLine !== null) books.plan(1 + books.draw(35), () => books.matchAgain(bankLine, number, account));
    }),
  // It bounces, and is paid again, or not.
  (books, number, account) =>
    books.plan(7, async () => {
      const receipt = await books.pay(number, account, { share: 100 + 10 * books.draw(3) });
      if (receipt === null) return;
      books.plan(2 + books.draw(40), () => books.reverse(receipt, account, books.draw(2) === 0 ? 'bounced' : 'recalled'));
      if (books.draw(3) > 0) books.plan(50, () => books.pay(number, account));
    }),
  // Recorded for another's invoice, and found weeks later.
  (books, number, account) =>
    books.plan(10, async () => {
      const other = await anotherOpen(books, account);
      const receipt = other && (await books.pay(other.number, other.account, { share: 60 }));
      if (other && receipt)
        books.plan(1 + books.draw(40), () => books.reverse(receipt, other.account, 'wrong-invoice', { number, account }));
      books.plan(45, () => books.pay(number, account));
    }),
  (books, number, account) =>
    books.plan(5, async () => {
      const receipt = await books.payByCard(number, account);
      if (receipt !== null && books.draw(2) === 0)
        books.plan(10 + books.draw(40), () => books.reverse(receipt, account, books.draw(2) === 0 ? 'chargeback' : 'card-refund'));
    }),
  (books, number, account) => {
    books.plan(3, () => books.credit(number, account, 20));
    books.plan(20, () => books.pay(number, account));
  },
  (books, number, account) => {
    books.plan(2, () => books.pay(number, account));
    books.plan(4 + books.draw(60), () => books.credit(number, account, 30));
    if (books.draw(2) === 0) books.plan(70, () => books.refund(account, 9));
  },
  (books, number, account) => books.plan(3 + books.draw(20), () => books.cancel(number, account, books.draw(3) > 0)),
  // Never paid: suspended, closed, and then.
  ...(['paid', 'staff', 'time'] as const).map(
    (end): Habit =>
      (books, _number, account) =>
        books.plan(66 + books.draw(20), () => books.reactivate(account, books.draw(2) === 0 ? 'member' : 'waived', end)),
  ),
  (books, number) => books.plan(70, () => books.writeOff(number)),
  (books, number, account) => books.plan(12, () => books.pay(number, account, { share: 50 })),
];

/** Lives the days of a registry and writes its books into a folder; returns how many acts were refused. */
export async function simulateBooks(settings: Settings): Promise<{ refused: number }> {
  const { folder, accounts, days, spread, seed = 38 } = settings;
  const first = daysAfter(today, 1);
  const last = daysAfter(first, days - 1);
  let now = new Date();
  await using portal = await testPortal('postgres', {}, () => now);
  const holders = Array.from({ length: accounts }, (_, place) => holderOf(place, { first, spread, of: accounts }));
  await addHolders(portal, holders);
  await announceUntil(portal.db, Number(last.slice(0, 4)) + 1);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'fees.json'), JSON.stringify(exampleFees));
  const facts = holders.map(({ economy, ...holder }) => ({ ...holder, leastDeveloped: economy === 'KH', tax: economy === 'AU' ? 0.1 : 0 }));
  await writeFile(path.join(folder, 'holders.json'), JSON.stringify(facts));
  await writeFile(path.join(folder, 'days.csv'), 'day,account,owed,credit\n');
  const books = new SimulatedBooks(portal, settings, drawing(seed));
  books.holders = holders;
  for (let day = first; day <= last; day = daysAfter(day, 1)) {
    // Noon in UTC is the evening of the same day at the registry.
    now = new Date(`${day}T12:00:00Z`);
    await books.begin(day);
    await books.clocks();
    await books.live();
    await books.clocks();
    await books.close();
    await books.evening();
  }
  await books.export(first);
  return { refused: books.refused };
}
