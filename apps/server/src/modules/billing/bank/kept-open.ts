import type { AnswerOf } from '@portal/contract';
import type { bankStatements } from '@portal/contract/billing/bank-statements';
import type { Act } from '../../../platform/http/endpoints.ts';
import { endingsUntil } from '../renewals/plan.ts';
import { waitingTransfers } from '../renewals/waiting-transfers.ts';

/** Returns the accounts that would have been suspended or closed by today but for a transfer that isn't matched, those first that it keeps open for the fewest days. */
export async function listKeptOpen({
  read,
  registry: { today, now, profile },
}: Act<typeof bankStatements.listKeptOpen>): Promise<AnswerOf<typeof bankStatements.listKeptOpen>> {
  const endings = (await endingsUntil(read, { until: today, today, now, profile })).filter(({ waitsFor }) => waitsFor?.what === 'transfer');
  const transfers = await waitingTransfers(
    read,
    endings.flatMap(({ invoice }) => (invoice ? [invoice.number] : [])),
    { today, profile },
  );
  const rows = new Map(
    endings.flatMap(({ accountName, orgName, step, invoice }) => {
      const transfer = invoice && transfers.get(invoice.number);
      return transfer ? [[accountName, { accountName, orgName, step, invoiceNumber: invoice.number, ...transfer }] as const] : [];
    }),
  );
  return {
    rows: [...rows.values()].sort((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : a.accountName < b.accountName ? -1 : 1)),
  };
}
