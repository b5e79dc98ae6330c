import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { daysAfter, HOUR_MS, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { today } from '../../../../test/billing-portal.ts';
import { announceExample } from '../../../../test/example-fees.ts';
import { migratedDatabase } from '../../../../test/database/migrated-database.ts';
import { simulateDays, type Payment, paymentsOf } from '../../../../test/membership-days.ts';
import { kinds } from '../../../../test/portal.ts';
import type { Database } from '../../../platform/database/index.ts';
import { readProfile } from '../../../profile.ts';
import { openFileStore } from '../../documents/index.ts';
import { importStatistics } from '../../resources/index.ts';
import { beginBilling } from './beginning.ts';
import { runBillingSchedule } from '../renewals/clock.ts';

/**
 * The holders of a statistics file (delegated-extended, plain or gzip) are members whose terms end over a year: `RENEWAL_FILE=… RENEWAL_REGISTRY=… RENEWAL_ACCOUNTS=all`, or that
 * many of them. Without it a few holders, whose terms end over two months, and two kills instead of ten.
 */
const file = process.env['RENEWAL_FILE'];
const registry = process.env['RENEWAL_REGISTRY'] ?? 'example';
const wanted = process.env['RENEWAL_ACCOUNTS'] ?? '40';
const most = wanted === 'all' ? Infinity : Number(wanted);
const kills = Number(process.env['RENEWAL_KILLS'] ?? (file ? 10 : 2));
/** Days over which terms end. */
const spread = file ? 365 : 60;
const profile = readProfile('');
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const program = path.join(import.meta.dirname, '../../../../test/membership-days.ts');

/** A file of a few holders: every size of both families, holders without addresses, many AS numbers, economies with tax and with a reduction. */
function smallFile(): string {
  const records: string[] = [];
  const economies = ['AU', 'NZ', 'KH', 'JP', 'TV', 'IN'];
  for (let holder = 0; holder < 40; holder++) {
    const economy = economies[holder % economies.length]!;
    const id = `H${String(holder).padStart(3, '0')}`;
    const add = (kind: string, start: string, size: number, status = 'allocated') =>
      records.push(`example|${economy}|${kind}|${start}|${size}|20200101|${status}|${id}`);
    if (holder % 5 > 0) add('ipv4', `10.${holder}.0.0`, 256 * [1, 3, 4, 37, 256][holder % 5]!);
    if (holder % 3 === 0) add('ipv6', `2001:${(0x1000 + holder * 16).toString(16)}::`, [32, 29, 34][(holder / 3) % 3]!);
    if (holder % 4 === 0) add('ipv6', `2001:${(0x3000 + holder).toString(16)}:1::`, 48, 'assigned');
    if (holder % 2 === 0) add('asn', String(64512 + holder * 10), 1 + (holder % 7));
  }
  const summary = (['asn', 'ipv4', 'ipv6'] as const).map(
    kind => `example|*|${kind}|*|${records.filter(record => record.includes(`|${kind}|`)).length}|summary`,
  );
  return [`2.3|example|20260101|${records.length}|20200101|20260101|+1000`, ...summary, ...records, ''].join('\n');
}

type Holder = { ipv4: number; ipv6: number; asns: number; free48: boolean };

/** Reads the file a second time, without the registry's code: numbers of addresses, /56 blocks and AS numbers by holder. */
function holdersOf(text: string): Map<string, Holder> {
  const holders = new Map<string, Holder>();
  for (const record of text.split('\n')) {
    const [, , kind, , value, , status, id] = record.trim().split('|');
    if (!id || (status !== 'allocated' && status !== 'assigned')) continue;
    const holder = holders.get(id) ?? { ipv4: 0, ipv6: 0, asns: 0, free48: false };
    if (kind === 'ipv4') holder.ipv4 += Number(value);
    if (kind === 'ipv6') holder.ipv6 += 2 ** (56 - Number(value));
    if (kind === 'asn') holder.asns += Number(value);
    if (kind === 'ipv6' && status === 'assigned' && value === '48') holder.free48 = true;
    holders.set(id, holder);
  }
  return holders;
}

/** The announced fees and the UN's list, as they were published. */
const fees: Record<string, { base: number; factor: number }> = {
  2026: { base: 1295, factor: 1.32 },
  2027: { base: 1356, factor: 1.325 },
};
const leastDeveloped: Record<string, string> = {
  AF: '9',
  BD: '2026-11-24',
  KH: '9',
  KI: '9',
  LA: '2026-11-24',
  MM: '9',
  NP: '2026-11-24',
  SB: '2027-12-13',
  TL: '9',
  TV: '9',
};
/** Half-up to a whole cent. */
const rounded = (amount: number): number => Math.floor(amount * 100 + 0.5 + 1e-7);

/** The published formula in floating point: total in cents of the term that begins on a day. */
function feeOf({ ipv4, ipv6, asns, free48 }: Holder, economy: string, begins: string): { subtotal: number; tax: number } {
  const { base, factor } = fees[begins.slice(0, 4)] ?? fees[2027]!;
  // Blocks longer than a /56 make up whole ones together.
  const blocks = Math.ceil(ipv6) - (free48 ? 256 : 0);
  const part = (count: number, offset: number): number =>
    count === 0 ? 0 : rounded(base * factor ** Math.max(0, Math.log2(count) - offset));
  let fee = ipv4 === 0 && blocks === 0 ? 50_000 : Math.max(part(ipv4, 8), part(blocks, 22));
  if (begins < (leastDeveloped[economy] ?? '')) fee = Math.floor(fee * 0.5 + 0.5);
  const subtotal = fee + 10_000 * Math.max(0, asns - 2);
  return { subtotal, tax: economy === 'AU' ? Math.floor(subtotal * 0.1 + 0.5) : 0 };
}

/** A registry of all holders, with a payer each; `endOf` says on which day the term of the nth of them ends. */
async function registryOf(endOf: (place: number, of: number) => string) {
  const made = await migratedDatabase('postgres');
  const { database: db } = made;
  const text = file ? await textOf(file) : smallFile();
  await importStatistics(db, { ownRegistry: registry, from: file ?? chunks(text) });
  const holders = holdersOf(text);
  const accounts = (
    await db.read.rows<{ accountName: string; economy: string; id: string }>(sql`
    select account_name, economy, split_part(statistics_id, ':', 2) as id from account where account_type = 'regular' order by account_name`)
  ).filter((_, place) => place < most);
  await db.change(
    line,
    async change => {
      await change.rows(sql`update account a set expiry_date = e.day from unnest(${accounts.map(each => each.accountName)}::text[],
        ${accounts.map((_, place) => endOf(place, accounts.length))}::date[]) as e (account_name, day) where a.account_name = e.account_name`);
      await change.rows(sql`insert into contact (account_name, full_name, email, contact_types, permissions)
        select account_name, 'Payer', 'payer@' || lower(account_name) || '.example', '{corporate}', '{}' from account where expiry_date is not null`);
      await change.rows(sql`insert into login (username, email, full_name, display_name, nickname, staff, created_at)
        values ('cashier', 'cashier@registry.example', 'Cashier', 'Cashier', 'Cashier', true, now())`);
      await beginBilling(change, '2000-01-01');
    },
    { timeout: 0 },
  );
  await announceExample(db);
  // Autovacuum would do this soon after such an import.
  await db.unrecorded.executeQuery(sql`analyze`.compile(db.unrecorded));
  const files = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-year-'));
  return {
    db,
    url: made.url,
    files,
    accounts: accounts.map(account => ({ ...account, holder: holders.get(account.id)! })),
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      await fs.rm(files, { recursive: true, force: true });
    },
  };
}

const textOf = async (name: string): Promise<string> => {
  const bytes = await fs.readFile(name);
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
};
async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** All rows of billing, without timestamps. */
const stateOf = async (db: Database) => ({
  accounts: await db.read.rows(sql`select account_name, account_status, expiry_date from account order by account_name`),
  invoices:
    await db.read.rows(sql`select number, account_name, issued_on, due_on, period_from, period_to, subtotal, tax, total, state, paid, paid_on, sha256
    from invoice order by number`),
  payments: await db.read.rows(sql`select i.number, method, amount, received_on, reference from payment join invoice i using (invoice_id)
    order by reference, number`),
  credits: await db.read.rows(
    sql`select account_name, sum(amount) as credit, count(*) from account_credit group by account_name order by account_name`,
  ),
  steps: await db.read.rows(sql`select account_name, term_end, step, day from billing_step order by account_name, day, step`),
  mails: await db.read.rows(sql`select recipient, subject, count(*) from mail group by recipient, subject order by recipient, subject`),
});

/** Compares whole registries without printing a diff of thousands of rows. */
function expectEqual(one: Awaited<ReturnType<typeof stateOf>>, other: Awaited<ReturnType<typeof stateOf>>): void {
  for (const part of Object.keys(one) as (keyof typeof one)[]) {
    const [ones, others] = [one[part], other[part]];
    const differs = ones.findIndex((row, place) => JSON.stringify(row) !== JSON.stringify(others[place]));
    expect(differs < 0 ? null : { part, one: ones[differs], other: others[differs] }).toBe(null);
    expect(others.length, part).toBe(ones.length);
  }
}

const sumOf = (payments: readonly Payment[]): string => payments.map(({ amount }) => amount).join();

test.runIf(kinds.includes('postgres'))(
  'in a year of members who pay, pay late, in part or never, every invoice is the formula, sums balance, and killed again and again it ends the same',
  async () => {
    const first = daysAfter(today, 1);
    // The first term ends in a month, so that each gets its reminder; the last one is followed to its closure.
    const last = daysAfter(first, 31 + spread + 61);
    const endOf = (place: number, of: number): string => daysAfter(first, 31 + Math.floor((place * spread) / of));
    await using plain = await registryOf(endOf);
    const { db, accounts } = plain;
    await simulateDays(plain.url, { files: plain.files, first, last, lived: () => {} });
    const state = await stateOf(db);

    // Each invoice matches the formula applied to the file, independently of the ledger and the clock.
    const byName = new Map(accounts.map((account, place) => [account.accountName, { ...account, ends: endOf(place, accounts.length) }]));
    const invoices = state.invoices as {
      number: string;
      accountName: string;
      issuedOn: string;
      periodFrom: string;
      subtotal: string;
      tax: string;
      total: string;
      paid: string;
      state: string;
    }[];
    const wrong = invoices.filter(({ accountName, periodFrom, subtotal, tax, total }) => {
      const { holder, economy } = byName.get(accountName)!;
      const fee = feeOf(holder, economy, periodFrom);
      return (
        Number(subtotal).toFixed(2) !== (fee.subtotal / 100).toFixed(2) ||
        Number(tax).toFixed(2) !== (fee.tax / 100).toFixed(2) ||
        Math.round(Number(total) * 100) !== fee.subtotal + fee.tax
      );
    });
    expect(wrong).toEqual([]);
    // One invoice for each term that ended, the first of them all.
    expect(new Set(invoices.map(({ accountName, periodFrom }) => `${accountName} ${periodFrom}`)).size).toBe(invoices.length);
    const firsts = new Set(invoices.map(({ accountName, periodFrom }) => `${accountName} ${periodFrom}`));
    expect(
      accounts.filter((account, place) => !firsts.has(`${account.accountName} ${daysAfter(endOf(place, accounts.length), 1)}`)),
    ).toEqual([]);

    // No number is missing or double, and they follow the days.
    for (const year of new Set(invoices.map(({ number }) => number.slice(4, 8)))) {
      const ofYear = invoices.filter(({ number }) => number.slice(4, 8) === year);
      expect(ofYear.map(({ number }) => Number(number.slice(9)))).toEqual(ofYear.map((_, place) => place + 1));
      expect(ofYear.map(({ issuedOn }) => issuedOn)).toEqual(ofYear.map(({ issuedOn }) => issuedOn).toSorted());
      expect(ofYear.every(({ issuedOn }) => issuedOn.startsWith(year))).toBe(true);
    }

    // Sums, to the cent: what came in is on invoices or credit, and lines make their invoice.
    const [sums] = await db.read.rows<Record<string, string | number>>(sql`select
      (select coalesce(sum(amount), 0) from payment where method = 'bank transfer')
        - (select sum(paid) from invoice) - (select coalesce(sum(amount), 0) from account_credit) as unexplained,
      (select count(*) from invoice i where subtotal <> (select sum(amount) from invoice_line l where l.invoice_id = i.invoice_id)) as unequal,
      (select count(*) from invoice i where paid <> (select coalesce(sum(case when p.method = 'credit' then p.amount else
        least(p.amount, p.amount - coalesce((select sum(c.amount) from account_credit c where c.payment_id = p.payment_id), 0)) end), 0)
        from payment p where p.invoice_id = i.invoice_id)) as unpaid`);
    expect(sums).toEqual({ unexplained: '0.00', unequal: 0, unpaid: 0 });

    // Accounts end where their payments put them: no one who paid is closed, everyone else is, on the day of the calendar.
    const ended = new Map(
      (state.accounts as { accountName: string; accountStatus: string; expiryDate: string }[]).map(each => [each.accountName, each]),
    );
    const steps = state.steps as { accountName: string; termEnd: string; step: string; day: string }[];
    for (const { accountName, ends } of byName.values()) {
      const payments = paymentsOf(accountName);
      const pays = payments.length > 0 && sumOf(payments) !== 'half';
      const { accountStatus, expiryDate } = ended.get(accountName)!;
      const stepsOfTerm = Object.fromEntries(
        steps.filter(each => each.accountName === accountName && each.termEnd === ends).map(({ step, day }) => [step, day]),
      );
      const paidAfter = pays ? payments.at(-1)!.after : 999;
      expect({ accountName, ...stepsOfTerm }).toEqual({
        accountName,
        reminder: daysAfter(ends, -30),
        holdings: ends,
        invoice: daysAfter(ends, 1),
        ...(paidAfter >= 30 && { suspension: daysAfter(ends, 30) }),
        ...(paidAfter >= 45 && { 'second-reminder': daysAfter(ends, 45) }),
        ...(paidAfter >= 50 && { 'closing-warning': daysAfter(ends, 50) }),
        ...(paidAfter >= 60 && { closing: daysAfter(ends, 60) }),
      });
      expect([accountName, accountStatus === 'closed', expiryDate >= yearsAfter(ends, 1)]).toEqual([accountName, !pays, pays]);
    }

    // The same year, killed again and again.
    await using killed = await registryOf(endOf);
    const journal = path.join(killed.files, 'days');
    await fs.writeFile(journal, '');
    const dir = path.join(killed.files, 'store');
    const start = (): ChildProcess =>
      spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, killed.url, dir, first, last, journal], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const stepsTaken = async (): Promise<number> =>
      (await killed.db.read.rows<{ taken: number }>(sql`select count(*)::int as taken from billing_step`))[0]!.taken;
    for (let kill = 1; kill <= kills; kill++) {
      const child = start();
      const until = Math.floor((steps.length * kill) / (kills + 1));
      await vi.waitFor(async () => expect(await stepsTaken()).toBeGreaterThanOrEqual(until), { timeout: 1_200_000, interval: 15 });
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    const [code] = await once(start(), 'exit');
    expect(code).toBe(0);
    expectEqual(state, await stateOf(killed.db));
  },
  2 * HOUR_MS,
);

test.runIf(kinds.includes('postgres'))(
  'a run that renews all memberships in one go gives each its invoice, in the order of names',
  async () => {
    const end = daysAfter(today, 1);
    await using made = await registryOf(() => end);
    const store = openFileStore(made.files);
    const strike = (day: string) => runBillingSchedule(made.db, { now: new Date(`${day}T12:00:00Z`), profile, store, fonts: [] });
    await strike(end);
    const [started, processor] = [performance.now(), process.cpuUsage()];
    await strike(daysAfter(end, 1));
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(processor);
    const busy = (user + system) / 1e6;
    const numbers = await made.db.read.rows<{ accountName: string; sequence: number }>(
      sql`select account_name, sequence from invoice order by account_name`,
    );
    expect(numbers).toEqual(made.accounts.map(({ accountName }, place) => ({ accountName, sequence: place + 1 })));
    if (file) {
      process.stderr.write(
        `${numbers.length} invoices in ${seconds.toFixed(1)} s, ${((seconds * 1000) / numbers.length).toFixed(1)} ms each, ${busy.toFixed(1)} s of processor time\n`,
      );
      // On two cores with nothing else on them.
      expect(seconds).toBeLessThan(300);
    }
  },
  HOUR_MS,
);
