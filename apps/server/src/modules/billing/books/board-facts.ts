import { sql } from 'kysely';
import type { BoardFactsOf } from '../../../platform/board-facts.ts';
import { allEntries } from '../invoices/ledger.ts';
import { deferredOf } from './book-reports.ts';

/** Income of a period, from the dated documents of the books. */
export const incomeFacts: BoardFactsOf = async (read, days) => {
  const [row] = await read.rows<Record<'charged' | 'tax' | 'received' | 'lost' | 'owed', string>>(sql`${allEntries}
    select coalesce(-sum(revenue) filter (where day >= ${days.from}::date), 0)::numeric(14, 2)::text as charged,
      coalesce(-sum(tax) filter (where day >= ${days.from}::date), 0)::numeric(14, 2)::text as tax,
      coalesce(sum(bank) filter (where day >= ${days.from}::date), 0)::numeric(14, 2)::text as received,
      coalesce(sum(bad_debt) filter (where day >= ${days.from}::date), 0)::numeric(14, 2)::text as lost,
      coalesce(sum(receivable), 0)::numeric(14, 2)::text as owed from entry where day <= ${days.to}::date`);
  const { earned } = await deferredOf(read, days);
  const money = (name: string, value: string) => ({ name, unit: 'money' as const, value });
  return [
    money('Fees charged, less credit notes', row!.charged),
    money('Membership fees earned', earned),
    money('Tax charged', row!.tax),
    money('Money received, less refunds', row!.received),
    money('Written off', row!.lost),
    money('Owed at the end', row!.owed),
  ];
};
