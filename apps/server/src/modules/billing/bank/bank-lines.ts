import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import type { BankLine, bankStatements } from '@portal/contract/billing/bank-statements';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { CasesOf } from '../../../platform/http/cases.ts';
import type { Act, CaseAct } from '../../../platform/http/endpoints.ts';
import { containsPattern } from '../../../platform/search-text.ts';
import { readApart, type ReadOf, senderOf } from '../../../platform/reading-apart.ts';
import type { read as readBankFile } from './bank-file-thread.ts';
import { jointFor, suggestionsFor } from './bank-matching.ts';
import { refuseOwnAccount } from '../../accounts/index.ts';
import { type InvoiceRow, invoiceByNumber, lockInvoice } from '../invoices/invoices.ts';
import { countMoney } from '../limits/limited-acts.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { openDay } from '../periods/open-days.ts';
import { APART_DAYS } from '../payments/earlier-transfers.ts';
import { payInvoice } from '../payments/payments.ts';
import { reverseMatch } from '../payments/reversals.ts';

type Row = Omit<BankLine, 'suggestions' | 'joint'>;
type Importing = Act<typeof bankStatements.importBankStatement>;

const PAGE = 50;

const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select b.bank_line_id::text, b.booked_on::text, b.currency, b.amount::text, b.payer, b.remittance, b.reference, b.state, l.full_name as resolved_by, b.note,
    coalesce((select json_agg(json_build_object('invoiceNumber', i.number, 'accountName', i.account_name, 'amount', p.amount::text, 'reversed', r.number) order by p.payment_id)
      from payment p join invoice i using (invoice_id) left join payment_reversal r using (payment_id)
      where p.bank_line_id = b.bank_line_id and coalesce(r.kind, '') not in ('unmatched', 'wrong-invoice')), '[]') as payments,
    case when b.state = 'open' then coalesce(
      (select i.number from payment p join invoice i using (invoice_id) where b.reference <> '' and p.method = 'bank transfer'
        and transfer_skeleton(p.reference) = transfer_skeleton(b.reference) and transfer_key(p.reference) = transfer_key(b.reference)
        and not exists (select from payment_reversal r where r.payment_id = p.payment_id) limit 1),
      -- Without a name of the bank: the same amount in the same days, with the same words or for an invoice that they name.
      (select i.number from payment p join invoice i using (invoice_id) left join bank_line o using (bank_line_id)
        where p.method = 'bank transfer' and p.amount = b.amount and (b.reference = '' or o.reference = '')
          and p.received_on between b.booked_on - ${APART_DAYS}::integer and b.booked_on + ${APART_DAYS}::integer
          and o.bank_statement_id is distinct from b.bank_statement_id
          and (transfer_key(coalesce(o.remittance, p.reference)) = transfer_key(b.remittance) or strpos(transfer_key(b.remittance), transfer_key(i.number)) > 0)
          and not exists (select from payment_reversal r where r.payment_id = p.payment_id) limit 1)) end as recorded_for
  from bank_line b left join login l on l.login_id = b.resolved_by where ${where}`;

async function withSuggestions(read: Pick<Read, 'rows'>, rows: readonly Row[]): Promise<BankLine[]> {
  const open = rows.filter(({ state }) => state === 'open');
  const [suggestions, joint] = await Promise.all([suggestionsFor(read, open), jointFor(read, open)]);
  return rows.map(row => ({ ...row, suggestions: suggestions.get(row.bankLineId) ?? [], joint: joint.get(row.bankLineId) ?? null }));
}

type Asked = { q: string; from?: string | null | undefined; to?: string | null | undefined };

/** Returns an amount of a search as a decimal number, whatever signs are between its thousands; null for other words. */
function amountIn(q: string): string | null {
  const plain = q.replace(/^[A-Z]{3}\s*/i, '').replace(/(?<=\d)[,\s'](?=\d{3}(?!\d))/g, '');
  return /^\d{1,12}(\.\d{1,2})?$/.test(plain) ? plain : null;
}

/** SQL: the transfers that a search and days leave. Words are looked for in all that is known of the payer, and in what was recorded; an amount is the transfer's. */
function matching({ q, from = null, to = null }: Asked): RawBuilder<boolean> {
  const pattern = containsPattern(q);
  return sql<boolean>`((${from}::date is null or b.booked_on >= ${from}::date) and (${to}::date is null or b.booked_on <= ${to}::date)
    and (${q}::text = '' or (b.payer || ' ' || b.remittance || ' ' || b.reference || ' ' || b.note) ilike ${pattern} or b.amount = ${amountIn(q)}::numeric
      or exists (select from payment p join invoice i using (invoice_id)
        where p.bank_line_id = b.bank_line_id and (i.number ilike ${pattern} or i.account_name ilike ${pattern}))))`;
}

/** Returns a page of incoming transfers, the newest first. */
export async function listBankLines({
  read,
  query: { state, after, ...asked },
}: Act<typeof bankStatements.listBankLines>): Promise<AnswerOf<typeof bankStatements.listBankLines>> {
  const found = matching(asked);
  const [day, id] = after?.split(' ') ?? [];
  const beyond = day === undefined ? sql`true` : sql`(b.booked_on, b.bank_line_id) < (${day}::date, ${id}::bigint)`;
  const [counted, rows] = await Promise.all([
    read.rows<{ state: BankLine['state']; count: number }>(
      sql`select state, count(*)::integer as count from bank_line b where ${found} group by state`,
    ),
    read.rows(
      rowsWhere(sql`b.state = ${state} and ${found} and ${beyond} order by b.booked_on desc, b.bank_line_id desc limit ${PAGE + 1}`),
    ),
  ]);
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    counts: { open: 0, recorded: 0, 'set-aside': 0, ...Object.fromEntries(counted.map(({ state: of, count }) => [of, count])) },
    rows: await withSuggestions(read, page),
    next: rows.length > PAGE && last ? `${last.bookedOn} ${last.bankLineId}` : null,
  };
}

async function lineOf(read: Pick<Read, 'rows'>, bankLineId: string): Promise<BankLine> {
  const [row] = isRowId(bankLineId) ? await read.rows(rowsWhere(sql`b.bank_line_id = ${bankLineId}::bigint`)) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The transfer' });
  return (await withSuggestions(read, [row]))[0]!;
}

/** Incoming transfers, moved by registry staff. */
export const bankLineCases: CasesOf<BankLine> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, params }) => {
    const bankLineId = params['bankLineId']!;
    await change.rows(sql`select 1 from bank_line where bank_line_id::text = ${bankLineId} for update`);
    return lineOf(change, bankLineId);
  },
  refusal: async ({ state, resolvedBy }) =>
    refuse('BANK_LINE_RESOLVED', {
      why: state === 'open' ? 'it’s open already' : `${resolvedBy} ${state === 'recorded' ? 'recorded it' : 'set it aside'}`,
    }),
};

/** Reads a bank statement in the thread for texts. */
export const bankFileApart = readApart<typeof readBankFile>(new URL('./bank-file-thread.ts', import.meta.url));

/** Reads the bank statement of a call, before the change that stores its transfers. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readBankStatement = ({
  caller,
  body: { content, decimal },
  registry: { profile, today },
}: Omit<Importing, 'change'>): Promise<ReadOf<typeof readBankFile>> =>
  bankFileApart(senderOf({ caller }), { content, currency: profile.currency, today, decimal }, 'content');

/** Stores the incoming transfers of a file that no earlier file contained, a portion at a time. */
export async function importBankStatement(
  { change, caller, body: { fileName } }: Importing,
  { portions, answer: { format, bankAccount, lines, leftOut } }: ReadOf<typeof readBankFile>,
): Promise<AnswerOf<typeof bankStatements.importBankStatement>> {
  let known = 0;
  for (const portion of portions) {
    const [row] = await change.rows<{ known: number }>(sql`select count(*)::int as known
      from json_to_recordset(${portion}::json) as l(fingerprint text) join bank_line using (fingerprint)`);
    known += row!.known;
  }
  const added = lines - known;
  await change.note({ file: fileName, format, added, known, leftOut });
  if (added > 0) {
    const { bankStatementId } = await change
      .insertInto('bankStatement')
      .values({ fileName, format, bankAccount, importedBy: caller.loginId, importedAt: change.now, added })
      .returning('bankStatementId')
      .executeTakeFirstOrThrow();
    for (const portion of portions)
      await change.rows(sql`insert into bank_line (bank_statement_id, fingerprint, booked_on, currency, amount, payer, remittance, reference)
        select ${bankStatementId}, l.fingerprint, l."bookedOn", l.currency, l.amount, l.payer, l.remittance, l.reference
        from json_to_recordset(${portion}::json)
          as l(fingerprint text, "bookedOn" date, currency text, amount numeric, payer text, remittance text, reference text)
        on conflict (fingerprint) do nothing`);
  }
  return { format, added, known, leftOut };
}

/**
 * Records a transfer for the invoices it pays; its parts add up to it. A part for an invoice that is already paid becomes credit of its account.
 * @throws Failure NOT_FOUND, OWN_REQUEST, INVOICE_NOT_PAYABLE, PAYMENT_ALIKE, PAYMENT_EARLY, INVALID_REQUEST
 * @throws SecondPersonNeeded
 */
export async function recordBankLine({
  change,
  caller,
  row: line,
  params: { bankLineId },
  body: { parts, isAnother = false, isEarly = false },
  hasSecondPerson,
  registry,
}: CaseAct<typeof bankStatements.recordBankLine, BankLine>): Promise<BankLine> {
  const { currency, amount, bookedOn } = line;
  const sum = parts.reduce((all, part) => all + cents(part.amount), 0n);
  if (sum !== cents(amount))
    throw refuseField('parts', `The parts are ${inCurrency(currency, sum)}; the transfer is ${inCurrency(currency, cents(amount))}`);
  if (new Set(parts.map(({ invoiceNumber }) => invoiceNumber)).size < parts.length) throw refuseField('parts', 'Choose each invoice once');
  // A transfer of a closed month that is matched later is of the open one.
  const receivedOn = await openDay(change, bookedOn);
  const name = line.reference === '' ? `${bookedOn} line ${bankLineId}` : line.reference;
  // In one order, so that two people who record parts of the same invoices wait for each other.
  const ordered = parts.toSorted((a, b) => (a.invoiceNumber < b.invoiceNumber ? -1 : 1));
  // All before the first is counted: what waits for a limit holds nothing that the one before it needs.
  const invoices: InvoiceRow[] = [];
  for (const { invoiceNumber } of ordered) invoices.push(await lockInvoice(change, invoiceNumber));
  // The line in the activity log belongs to the account if there is one only: several accounts must not learn of each other.
  const isOfOneAccount = new Set(invoices.map(({ accountName }) => accountName)).size === 1;
  for (const [place, { invoiceNumber, amount: part }] of ordered.entries()) {
    const invoice = invoices[place]!;
    if (invoice.currency !== currency)
      throw refuseField('parts', `${invoiceNumber} is in ${invoice.currency}, the transfer in ${currency}`);
    const body = {
      amount: printCents(cents(part)),
      receivedOn,
      reference: ordered.length === 1 ? name : `${name} part ${place + 1}`,
      isAnother,
      isEarly: isEarly || bookedOn >= invoice.issuedOn,
    };
    const bankLine = { bankLineId, reference: line.reference, bookedOn };
    await refuseOwnAccount(change, invoice.accountName, caller);
    if (isOfOneAccount) await change.concerns(invoice.accountName);
    // As the part before it left it.
    const row = await invoiceByNumber(change, invoiceNumber);
    await payInvoice({ change, caller, row, body, hasSecondPerson, registry, bankLine });
  }
  await change
    .updateTable('bankLine')
    .set({ state: 'recorded', resolvedBy: caller.loginId, resolvedAt: change.now })
    .where('bankLineId', '=', Number(bankLineId))
    .execute();
  await change.note({ bankLine: bankLineId });
  return lineOf(change, bankLineId);
}

/** Sets a transfer aside that pays no invoice. It counts as money received: what came in is then for no one. @throws SecondPersonNeeded */
export async function setAsideBankLine({
  change,
  caller,
  row: { bankLineId, amount, currency },
  body: { reason },
  hasSecondPerson,
  registry,
}: CaseAct<typeof bankStatements.setAsideBankLine, BankLine>): Promise<BankLine> {
  await countMoney(change, { limit: 'received', accountName: null, amount: cents(amount), caller, hasSecondPerson, registry });
  await change
    .updateTable('bankLine')
    .set({ state: 'set-aside', note: reason, resolvedBy: caller.loginId, resolvedAt: change.now })
    .where('bankLineId', '=', Number(bankLineId))
    .execute();
  await change.note({ bankLine: bankLineId, amount, currency, reason });
  return lineOf(change, bankLineId);
}

/**
 * Undoes the match of a transfer with the wrong invoices: its payments are reversed, and it is open again.
 * @throws Failure OWN_REQUEST, PAYMENT_NOT_REVERSIBLE @throws SecondPersonNeeded
 */
export async function undoBankLine({
  change,
  caller,
  row: { bankLineId },
  body: { reason },
  hasSecondPerson,
  registry,
}: CaseAct<typeof bankStatements.undoBankLine, BankLine>): Promise<BankLine> {
  await reverseMatch({ change, caller, hasSecondPerson, registry, bankLineId, reason });
  await openAgain(change, bankLineId);
  await change.note({ bankLine: bankLineId, reason });
  return lineOf(change, bankLineId);
}

const openAgain = (change: Change, bankLineId: string) =>
  change
    .updateTable('bankLine')
    .set({ state: 'open', note: '', resolvedBy: null, resolvedAt: null })
    .where('bankLineId', '=', Number(bankLineId))
    .execute();

/** Puts a transfer that was set aside among those to match. */
export async function reopenBankLine({
  change,
  row: { bankLineId, note },
}: CaseAct<typeof bankStatements.reopenBankLine, BankLine>): Promise<BankLine> {
  await openAgain(change, bankLineId);
  await change.note({ bankLine: bankLineId, setAsideBecause: note });
  return lineOf(change, bankLineId);
}
