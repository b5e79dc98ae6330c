import { type AnnouncedInFile, type FeeAnnouncement, type ScheduleKind, scheduleKindNames } from '@portal/contract/billing/fee-schedules';
import { sql } from 'kysely';
import { type Change, lockByName } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { billedTypes, kindInWords } from './fee-schedules.ts';

/** `member-2027` where they begin with the year, `member-2027-07-01` where they don’t. */
const idOf = (kind: ScheduleKind, validFrom: string): string => `${kind}-${validFrom.replace(/-01-01$/, '')}`;

const lockFees = (change: Change): Promise<void> => lockByName(change, 'billing.fees');

/** Refuses fees for days for which the same kind of account has some. @throws Failure FEES_ANNOUNCED */
export async function refuseAnnounced(change: Pick<Change, 'rows'>, { validFrom, validUntil, fees }: FeeAnnouncement): Promise<void> {
  const [earlier] = await change.rows<{ kind: ScheduleKind; validFrom: string; validUntil: string }>(sql`
    select account_kind as kind, valid_from, valid_until from fee_schedule where account_kind = any(${scheduleKindNames.filter(kind => fees[kind])}::text[])
      and daterange(valid_from, valid_until, '[]') && daterange(${validFrom}::date, ${validUntil}::date, '[]') order by valid_from limit 1`);
  if (earlier)
    throw refuse('FEES_ANNOUNCED', { kind: kindInWords(earlier.kind), from: earlier.validFrom, until: earlier.validUntil }).at('validFrom');
}

/**
 * Announces fees for the terms that begin from one day to another: a row for each kind of account, which is never changed.
 * @param announcedOn the day it is for the registry, or an earlier one in which they were announced elsewhere
 * @throws Failure FEES_ANNOUNCED
 */
export async function announce(
  change: Change,
  { validFrom, validUntil, fees, announcedOn }: AnnouncedInFile & { announcedOn: string },
): Promise<void> {
  await lockFees(change);
  await refuseAnnounced(change, { validFrom, validUntil, fees });
  for (const accountKind of scheduleKindNames) {
    const rules = fees[accountKind];
    if (!rules) continue;
    await change
      .insertInto('feeSchedule')
      .values({ feeScheduleId: idOf(accountKind, validFrom), accountKind, validFrom, validUntil, announcedOn, ...rules })
      .execute();
  }
}

/** Keeps fees from being withdrawn until this change ends. Returns false where they just were. */
export const keepAnnounced = async (change: Change, { feeScheduleId }: { feeScheduleId: string }): Promise<boolean> =>
  (await change.rows(sql`select 1 from fee_schedule where fee_schedule_id = ${feeScheduleId} for key share`)).length > 0;

/**
 * Withdraws the fees that begin on a day, of all kinds of accounts. They stay in the history. On the last day before, holdings may be counted by them
 * already: those are counted anew, by the rules of the fees that come instead.
 * @throws Failure NOT_FOUND, FEES_IN_USE where they have begun or an invoice was issued by them
 */
export async function withdraw(change: Change, validFrom: string, today: string): Promise<void> {
  await lockFees(change);
  const rows = await change.rows<{ feeScheduleId: string; invoice: string | null }>(sql`
    select fee_schedule_id, (select min(i.number) from invoice i where i.fee_schedule_id = s.fee_schedule_id) as invoice
    from fee_schedule s where valid_from::text = ${validFrom} for update`);
  if (rows.length === 0) throw refuse('NOT_FOUND', { what: 'The fees' });
  if (validFrom <= today) throw refuse('FEES_IN_USE', { from: validFrom, why: 'they have begun' });
  const invoice = rows.find(row => row.invoice !== null)?.invoice;
  if (invoice) throw refuse('FEES_IN_USE', { from: validFrom, why: `${invoice} was issued by them` });
  await change.rows(sql`delete from billing_step c using account a, fee_schedule s
    where c.step = 'holdings' and a.account_name = c.account_name and s.valid_from::text = ${validFrom}
      and s.account_kind = ${JSON.stringify(billedTypes)}::jsonb ->> a.account_type and c.term_end + 1 between s.valid_from and s.valid_until
      and not exists (select from billing_step i where i.account_name = c.account_name and i.term_end = c.term_end and i.step = 'invoice')`);
  await change
    .deleteFrom('feeSchedule')
    .where(
      'feeScheduleId',
      'in',
      rows.map(({ feeScheduleId }) => feeScheduleId),
    )
    .execute();
}
