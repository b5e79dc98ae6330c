import { type ProviderReport, providerReportKinds, type reversals } from '@portal/contract/billing/reversals';
import { pages } from '@portal/contract/pages';
import { sql } from 'kysely';
import type { ProviderNews } from '../../../adapters/stripe-checkout.ts';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { refuseOwnAccount } from '../../accounts/index.ts';
import { notifyRegistryBilling } from '../billing-notices.ts';
import { countAct } from '../limits/limited-acts.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { billingTexts } from '../mail-texts.ts';

const openReports = (read: Pick<Read, 'rows'>): Promise<ProviderReport[]> =>
  read.rows(sql<ProviderReport>`
    select r.provider_report_id::text as report_id, r.kind, r.payment, r.currency, r.amount::text, r.reported_at,
      case when i.number is null then null else json_build_object('number', i.number, 'accountName', i.account_name) end as invoice,
      case when v.number is null then 'REC-' || substr(i.number, 5) || '-' || (select count(*) from payment e where e.invoice_id = p.invoice_id and e.payment_id <= p.payment_id) end as receipt
    from provider_report r left join payment p using (payment_id) left join invoice i using (invoice_id) left join payment_reversal v using (payment_id)
    -- One that was refunded is done.
    where r.resolved_at is null and not (r.kind = 'ended-checkout' and v.number is not null) order by r.provider_report_id`);

/** Returns what the card provider reported and no one has dealt with. */
export const listProviderReports = async ({ read }: Act<typeof reversals.listProviderReports>): Promise<{ reports: ProviderReport[] }> => ({
  reports: await openReports(read),
});

/**
 * Keeps what the card provider reported as a task of the desk, once however often it is reported, and writes to the registry's billing address. The provider is never
 * answered that something was done that no one has done.
 */
export async function receiveProviderNews(db: Database, news: ProviderNews, profile: Pick<Profile, 'billingEmail'>): Promise<void> {
  const known = await paymentNamed(db.read, news.payment);
  const activity = ownActivity('billing.reversals.receiveProviderReport', 'Received a report of the card provider', known?.accountName);
  await db.change(activity, change => keepNews(change, news, known, profile));
}

type Paid = { payment: string; currency: string; amount: number };

/**
 * Keeps as a task of the desk that a card paid when nothing was due any more, in the change that records the money: it is credit of the account, and the payer may want it back.
 */
export async function keepPaidInVain(change: Change, paid: Paid, profile: Pick<Profile, 'billingEmail'>): Promise<void> {
  const news = { ...paid, kind: 'ended-checkout', eventId: `ended-checkout ${paid.payment}` } as const;
  await keepNews(change, news, await paymentNamed(change, paid.payment), profile);
}

type KnownPayment = { paymentId: number; accountName: string; number: string };

/** The payment that the provider names so. One of several invoices has parts, whose references begin with its name. */
async function paymentNamed(read: Pick<Read, 'rows'>, payment: string): Promise<KnownPayment | undefined> {
  const [known] = await read.rows<KnownPayment>(sql`
    select p.payment_id, p.account_name, i.number from payment p join invoice i using (invoice_id)
    where p.method = 'card' and (p.reference = ${payment} or p.reference like ${payment} || ' part %') order by p.payment_id limit 1`);
  return known;
}

async function keepNews(
  change: Change,
  { eventId, kind, payment, currency, amount }: ProviderNews,
  known: KnownPayment | undefined,
  profile: Pick<Profile, 'billingEmail'>,
): Promise<void> {
  const [added] = await change.rows(sql`insert into provider_report (event_id, kind, payment, payment_id, currency, amount, reported_at)
      values (${eventId}, ${kind}, ${payment}, ${known?.paymentId ?? null}, ${currency}, ${printCents(BigInt(amount))}, ${change.now})
      on conflict (event_id) do nothing returning 1`);
  if (!added) return;
  const sum = inCurrency(currency, BigInt(amount));
  await change.note({ report: providerReportKinds[kind], amount: sum, ...(known && { invoice: known.number }) });
  await notifyRegistryBilling(change, profile, {
    text: known
      ? billingTexts.written('providerReportOfPayment', {
          report: providerReportKinds[kind],
          sum,
          invoice: known.number,
          payment,
          nothingWasDue:
            known && kind === 'ended-checkout'
              ? `Nothing was due of ${known.number} of ${known.accountName} any more, so it is credit of the account. Refund it, unless the account wants to keep it as credit.`
              : known
                ? `It paid ${known.number} of ${known.accountName}, which stays paid until you reverse the payment.`
                : 'No payment of that name is recorded here.',
        })
      : billingTexts.written('providerReport', {
          report: providerReportKinds[kind],
          sum,
          payment,
          nothingWasDue: 'No payment of that name is recorded here.',
        }),
    path: pages.deskPayments.path,
    act: 'Deal with it',
  });
}

type Resolved = { kind: ProviderReport['kind']; accountName: string | null; amount: string; stands: boolean };

/** Kinds of reports of money that went back to the payer, and of money that came and is recorded nowhere. */
const wentBack: readonly ProviderReport['kind'][] = ['refunded', 'dispute-lost'];
const cameIn: readonly ProviderReport['kind'][] = ['wrong-currency', 'unknown-checkout'];

/**
 * Notes what was done about a report. Money that went back while its payment still stands is given to the member; money that came and is recorded nowhere is set aside: both count
 * under their limits, or a note would do what a reversal may not. @throws Failure NOT_FOUND for one that is unknown or was dealt with, OWN_REQUEST @throws SecondPersonNeeded
 */
export async function resolveProviderReport({
  change,
  caller,
  params: { reportId },
  body: { note },
  hasSecondPerson,
  registry,
}: Act<typeof reversals.resolveProviderReport>): Promise<{ reports: ProviderReport[] }> {
  const [done] = await change.rows<Resolved>(sql`
    update provider_report r set resolved_by = ${caller.loginId}, resolved_at = ${change.now}, note = ${note}
    where r.provider_report_id::text = ${reportId} and r.resolved_at is null
    returning r.kind, r.amount::text, (select p.account_name from payment p where p.payment_id = r.payment_id) as account_name,
      exists (select from payment p left join payment_reversal v using (payment_id) where p.method = 'card' and v.payment_id is null
        and (p.reference = r.payment or p.reference like r.payment || ' part %')) as stands`);
  if (!done) throw refuse('NOT_FOUND', { what: 'The report' });
  const { kind, accountName, amount, stands } = done;
  if (accountName !== null) {
    await refuseOwnAccount(change, accountName, caller);
    await change.concerns(accountName);
  }
  const act = { caller, hasSecondPerson, registry };
  const given = stands && wentBack.includes(kind) ? cents(amount) : 0n;
  await countAct(change, { ...act, limit: 'given', accountName, amount: given });
  await countAct(change, { ...act, limit: 'received', accountName: null, amount: cameIn.includes(kind) ? cents(amount) : 0n });
  await change.note({ report: providerReportKinds[kind], amount, note });
  return { reports: await openReports(change) };
}
