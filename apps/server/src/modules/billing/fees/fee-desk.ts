import type { Download } from '@portal/contract';
import type { AnnouncedFees, FeeDesk, FeeDraft, FeeEffect, FeeRules, feeSchedules } from '@portal/contract/billing/fee-schedules';
import { lastDayOfYear } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse } from '../../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { tableFile } from '../../../platform/table-file.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { announce, refuseAnnounced, withdraw } from './announcing.ts';
import { billChanges, effectOf } from './fee-effect.ts';
import { allSchedules, announcedTimes, firstDayWithout, missingFees, type ScheduleOfDay, unbilledTerms } from './fee-schedules.ts';

/** Returns the rules of a row as the contract has them. */
const rulesOf = ({
  baseFee,
  bitFactor,
  ipv4Base,
  ipv6Base,
  associateFee,
  nirMultiplier,
  ldcShare,
  asnFee,
  freeAsns,
  signUpFee,
  countHistorical,
  firstPi48Free,
}: ScheduleOfDay): FeeRules => ({
  baseFee,
  bitFactor,
  ipv4Base,
  ipv6Base,
  associateFee,
  nirMultiplier,
  ldcShare,
  asnFee,
  freeAsns,
  signUpFee,
  countHistorical,
  firstPi48Free,
});

/** Returns announced fees, the latest first: kinds of accounts with the same days together. */
export async function announcedFees(read: Pick<Read, 'rows'>, today: string): Promise<AnnouncedFees[]> {
  const [rows, used] = await Promise.all([
    allSchedules(read),
    read.rows<{ feeScheduleId: string; invoices: number }>(
      sql`select fee_schedule_id, count(*)::int as invoices from invoice where fee_schedule_id is not null group by 1`,
    ),
  ]);
  const issued = new Map(used.map(({ feeScheduleId, invoices }) => [feeScheduleId, invoices]));
  const announced = new Map<string, AnnouncedFees>();
  for (const row of rows) {
    const { accountKind, feeScheduleId, validFrom, validUntil, announcedOn } = row;
    const key = `${validFrom} ${validUntil} ${announcedOn}`;
    const entry = announced.get(key) ?? { validFrom, validUntil, announcedOn, fees: {}, canWithdraw: validFrom > today, invoices: 0 };
    entry.fees[accountKind] = rulesOf(row);
    entry.invoices += issued.get(feeScheduleId) ?? 0;
    if (issued.has(feeScheduleId)) entry.canWithdraw = false;
    announced.set(key, entry);
  }
  return [...announced.values()];
}

/** The first days after the last announced fees, a year of them; the year that it is where none are announced. */
async function nextDays(read: Pick<Read, 'rows'>, today: string): Promise<FeeDesk['next']> {
  const { member } = await announcedTimes(read);
  const validFrom = member.length === 0 ? `${today.slice(0, 4)}-01-01` : firstDayWithout(member, member.at(-1)!.validFrom);
  return { validFrom, validUntil: lastDayOfYear(validFrom) };
}

const openDrafts = (read: Pick<Read, 'rows'>): Promise<FeeDraft[]> =>
  read.rows<FeeDraft>(sql`select d.fee_draft_id::text as draft_id, d.announcement, l.full_name as prepared_by, l.email as prepared_by_email, d.prepared_at
    from fee_draft d join login l on l.login_id = d.prepared_by where d.ended_at is null order by d.fee_draft_id desc`);

/** Returns fees that are prepared. @throws Failure NOT_FOUND */
async function draftOf(read: Pick<Read, 'rows'>, draftId: string): Promise<FeeDraft> {
  const draft = (await openDrafts(read)).find(each => each.draftId === draftId);
  if (!draft) throw refuse('NOT_FOUND', { what: 'The prepared fees' });
  return draft;
}

/** Fees as they were announced, those that are prepared, and whether some are missing. */
export async function getFees({
  read,
  registry: { today, profile },
}: {
  read: Pick<Read, 'rows'>;
  registry: Pick<Registry, 'today' | 'profile'>;
}): Promise<FeeDesk> {
  const [announced, drafts, missing, next, unbilled] = await Promise.all([
    announcedFees(read, today),
    openDrafts(read),
    missingFees(read, today),
    nextDays(read, today),
    unbilledTerms(read, today),
  ]);
  const { currency, timeZone, billingCalendar } = profile;
  return { today, timeZone, advanceDays: billingCalendar.advanceDays, currency, announced, drafts, missing, next, unbilled };
}

/** Keeps fees as prepared, to see what they do before they are announced. @throws Failure FEES_ANNOUNCED */
export async function prepareFees({ change, caller, body }: Act<typeof feeSchedules.prepareFees>): Promise<FeeDraft> {
  await refuseAnnounced(change, body);
  const { feeDraftId } = await change
    .insertInto('feeDraft')
    .values({ announcement: JSON.stringify(body), preparedBy: caller.loginId, preparedAt: change.now })
    .returning('feeDraftId')
    .executeTakeFirstOrThrow();
  await change.note({ validFrom: body.validFrom, validUntil: body.validUntil });
  return draftOf(change, String(feeDraftId));
}

/** Ends prepared fees that are not announced. @throws Failure NOT_FOUND */
export async function discardFees({ change, params: { draftId } }: Act<typeof feeSchedules.discardFees>): Promise<void> {
  const { announcement } = await draftOf(change, draftId);
  await endDraft(change, draftId);
  await change.note({ validFrom: announcement.validFrom, validUntil: announcement.validUntil });
}

const endDraft = (change: Change, draftId: string): Promise<unknown> =>
  change.updateTable('feeDraft').set({ endedAt: change.now }).where('feeDraftId', '=', Number(draftId)).execute();

/** Returns the effect of prepared fees on the bills of all accounts. @throws Failure NOT_FOUND */
export async function getFeeEffect({
  read,
  params: { draftId },
  query,
  registry: { profile },
}: Act<typeof feeSchedules.getFeeEffect>): Promise<FeeEffect> {
  return effectOf(read, (await draftOf(read, draftId)).announcement, profile, query);
}

const effectColumns = ['account', 'organisation', 'kind', 'before', 'after', 'difference'] as const;

/** The bill of every account by prepared fees and by those before; amounts are decimal numbers in the registry's currency. @throws Failure NOT_FOUND */
export async function exportFeeEffect({
  read,
  params: { draftId },
  query: { format },
  registry: { profile },
}: Act<typeof feeSchedules.exportFeeEffect>): Promise<Download> {
  const { announcement } = await draftOf(read, draftId);
  const rows = async function* () {
    for await (const changes of billChanges(read, announcement, profile))
      yield changes.map(({ accountName, orgName, kind, before, after }) => ({
        account: accountName,
        organisation: orgName,
        kind,
        before: before === null ? '' : printCents(before),
        after: printCents(after),
        difference: before === null ? '' : printCents(after - before),
      }));
  };
  return tableFile(`fees-from-${announcement.validFrom}`, format, effectColumns, rows());
}

/**
 * Announces prepared fees, once a second person has approved what they do to the bills.
 * @throws Failure NOT_FOUND, FEES_ANNOUNCED
 * @throws SecondPersonNeeded
 */
export async function announceFees({
  change,
  params: { draftId },
  hasSecondPerson,
  registry,
}: Act<typeof feeSchedules.announceFees>): Promise<FeeDesk> {
  const { announcement } = await draftOf(change, draftId);
  const { validFrom, validUntil, fees, reason, decision } = announcement;
  await announce(change, { ...announcement, announcedOn: registry.today });
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({ title: `Announce the fees from ${dayInFull(validFrom)}`, link: `/desk/fees?draft=${draftId}` });
  await endDraft(change, draftId);
  const { compared, first, after, currency, accounts, more, less } = await effectOf(change, announcement, registry.profile);
  await change.note({
    validFrom,
    validUntil,
    ...(reason && { reason }),
    ...(decision && { decision }),
    members: fees.member,
    ...(fees['non-member'] && { nonMembers: fees['non-member'] }),
    ...(compared !== null && {
      billsBefore: inCurrency(currency, cents(compared.before)),
      theSameBillsAfter: inCurrency(currency, cents(compared.after)),
    }),
    allBillsAfter: inCurrency(currency, cents(after)),
    ...(first > 0 && { withoutFeesUntilNow: `${first} of ${accounts} accounts` }),
    payMore: `${more.accounts} of ${accounts} accounts`,
    payLess: `${less.accounts} of ${accounts} accounts`,
  });
  return getFees({ read: change, registry });
}

/**
 * Withdraws fees that have not begun, once a second person has approved it.
 * @throws Failure NOT_FOUND, FEES_IN_USE
 * @throws SecondPersonNeeded
 */
export async function withdrawFees({
  change,
  params: { validFrom },
  hasSecondPerson,
  registry,
}: Act<typeof feeSchedules.withdrawFees>): Promise<FeeDesk> {
  await withdraw(change, validFrom, registry.today);
  if (!hasSecondPerson) throw new SecondPersonNeeded({ title: `Withdraw the fees from ${dayInFull(validFrom)}`, link: '/desk/fees' });
  await change.note({ validFrom });
  return getFees({ read: change, registry });
}
