import { isPayable } from '../payable.ts';
import type { Download } from '@portal/contract';
import type { InvoiceState } from '@portal/contract/billing/billing';
import type { DueInvoice, JointBilling, jointBilling } from '@portal/contract/billing/joint-billing';
import { daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { tableFile } from '../../../platform/table-file.ts';
import { accountRows } from '../../accounts/index.ts';
import { refuseTime, statementColumns, type StatementLine, statementLines } from '../invoices/statement.ts';
import { cents, printCents } from '../money.ts';
import { checkoutProviderOf } from '../checkout-provider.ts';
import { jointAccountsOf } from './joint-accounts.ts';
import { openJointPayments } from './joint-payments.ts';

/** The most unpaid invoices that are listed. */
const MAX_DUE = 1000;

type DueRow = Omit<DueInvoice, 'state' | 'overdueDays'> & { state: 'issued' | 'partly-paid' };

const unpaidOf = (read: Read, accountNames: readonly string[]): Promise<DueRow[]> =>
  read.rows<DueRow>(sql`select number, account_name, kind, issued_on, due_on, currency, total::text,
      (total - paid - credited - written_off)::numeric(14, 2)::text as balance, state
    from invoice i where account_name = any(${[...accountNames]}::text[]) and ${isPayable}
    order by due_on, number limit ${MAX_DUE}`);

/** Returns the debts of a person's accounts whose billing that person may view. */
export async function getJointBilling({ read, caller, registry }: Act<typeof jointBilling.getJointBilling>): Promise<JointBilling> {
  const { today, profile } = registry;
  const { seen, leftOut } = await jointAccountsOf(read, caller, registry);
  const names = seen.map(({ accountName }) => accountName);
  const payable = new Set(seen.filter(({ mayPay }) => mayPay).map(({ accountName }) => accountName));
  const [rows, credits, unpaid, payments] = await Promise.all([
    accountRows(read, names),
    read.rows<{
      accountName: string;
      credit: string;
    }>(sql`select account_name, sum(amount)::numeric(14, 2)::text as credit from account_credit
      where account_name = any(${names}::text[]) group by account_name`),
    unpaidOf(read, names),
    openJointPayments(read, caller, payable),
  ]);
  const creditOf = new Map(credits.map(({ accountName, credit }) => [accountName, credit]));
  const due = unpaid.map(({ state, ...invoice }): DueInvoice => {
    const isLate = invoice.dueOn < today;
    const shown: InvoiceState = isLate ? 'overdue' : state === 'partly-paid' ? 'partly-paid' : 'unpaid';
    return { ...invoice, state: shown, overdueDays: isLate ? daysBetween(invoice.dueOn, today) : 0 };
  });
  return {
    today,
    accounts: seen.map(({ accountName, orgName, accountStatus, mayPay }) => ({
      accountName,
      orgName,
      accountStatus,
      mayPay,
      currency: profile.currency,
      owed: printCents(due.reduce((sum, each) => sum + (each.accountName === accountName ? cents(each.balance) : 0n), 0n)),
      credit: creditOf.get(accountName) ?? '0.00',
      expiryDate: rows.get(accountName)?.expiryDate ?? null,
    })),
    leftOut,
    due,
    payments,
    paymentInstructions: profile.paymentInstructions,
    payOnline: checkoutProviderOf(registry.config),
  };
}

const columns = ['account', ...statementColumns] as const;

/** The statements of all these accounts, one after the other. @throws Failure INVALID_REQUEST when the period ends before it begins */
export async function exportJointStatement({
  read,
  caller,
  query: { format, ...time },
  registry,
}: Act<typeof jointBilling.exportJointStatement>): Promise<Download> {
  refuseTime(time);
  const { seen } = await jointAccountsOf(read, caller, registry);
  const batches: (StatementLine & { account: string })[][] = [];
  for (const { accountName } of seen) {
    const lines = await statementLines(read, accountName, time, registry.profile.currency);
    batches.push(lines.map(line => ({ account: accountName, ...line })));
  }
  const each = async function* () {
    yield* batches;
  };
  return tableFile(`statements-${registry.today}`, format, columns, each());
}
