import { policyValueWords } from '@portal/contract/policy/policy-values';
import type { PlannedEffect, ResourceRequestDetail, TransferPlan } from '@portal/contract/requests/requests';
import { printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed } from '../../accounts/index.ts';
import { feeInvoiceOf, transferFeeOn } from '../../billing/index.ts';
import { heldBlocks, type MovingSpace } from '../../resources/index.ts';
import { foundOfZones } from '../../reverse-dns/index.ts';
import { todayOf } from '../account-facts.ts';
import { addressesOf } from '../open-request.ts';
import { isOpen, type Row, referenceOf } from '../request-row.ts';
import { readableOf, readMove, stepsOf } from './move-steps.ts';
import { type Parties, partiesFor, type PlanReader } from './plan-parties.ts';
import { announcementsOf, nothingSeen } from './planned-announcements.ts';

/** Maximum number of objects listed individually. */
const LISTED = 1_000;

/**
 * The preview of a transfer, merger or return, for one of its parties: everything on the space and what happens to it. Null for other cases, and
 * after completion. Private registrations are named only to their holder.
 */
export async function planOf(
  read: Read,
  row: Row,
  reader: PlanReader,
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<TransferPlan | null> {
  if (!['transfer', 'acquisition', 'return'].includes(row.kind) || !isOpen(row)) return null;
  if (row.form.incoming) {
    const readable = readableOf(row.form.resources);
    return {
      moves: readable.map(printResource),
      keeps: [],
      effects: readable.map(resource => ({
        what: 'delegation',
        name: printResource(resource),
        today: `Held at ${row.form.otherRegistry || 'the other registry'}`,
        act: 'moves',
        on: `Delegated to ${row.accountName}. Whois, RDAP and RPKI follow within seconds; ${reader === 'staff' ? row.accountName : 'you'} then ${reader === 'staff' ? 'adds' : 'add'} ROAs and reverse DNS`,
        plan: null,
      })),
      more: 0,
      fee: await plannedFee(read, row, { profile, now }),
      announcements: nothingSeen,
      typicalDays: await typicalDaysOf(read, row.kind, now),
    };
  }
  const move = await readMove(read, row, profile);
  if (!move) return null;
  const parties = partiesFor(move, reader);
  const steps = await stepsOf(read, move);
  const listed = steps.slice(0, LISTED);
  const zones = await foundOfZones(
    read,
    listed.flatMap(({ what, name }) => (what === 'reverse' ? [name] : [])),
  );
  const effects: PlannedEffect[] = [
    ...move.spaces.map(space => delegationEffect(row, space, { parties, goesToAccount: move.goesToAccount })),
    ...listed.map(({ what, name, today, todayForOthers, act, on, plan, signs }) => ({
      what,
      name,
      today: reader === 'recipient' ? (todayForOthers ?? today) : today,
      act,
      on: on(parties),
      plan,
      ...(what === 'reverse' && zones.has(name) && { zone: zones.get(name)! }),
      ...(signs && { signs }),
    })),
  ];
  if (row.kind === 'acquisition' && row.form.closeAfter)
    effects.push({
      what: 'account',
      name: row.accountName,
      today: 'Open',
      act: 'ends',
      on: `${row.accountName} closes when the transfer completes`,
      plan: null,
    });
  return {
    moves: move.moved.map(printResource),
    keeps: move.rest.map(printResource),
    effects,
    more: Math.max(0, steps.length - LISTED),
    fee: await plannedFee(read, row, { profile, now }),
    announcements: await announcementsOf(read, move, { steps, reader }),
    typicalDays: await typicalDaysOf(read, row.kind, now),
  };
}

/** Cases from which a typical time is shown. */
const ENOUGH_CASES = 3;

/** Days from sending to completion of half of the cases of a kind that completed in the last year; null of few. */
export async function typicalDaysOf(read: Pick<Read, 'rows'>, kind: Row['kind'], now: Date | string): Promise<number | null> {
  const [row] = await read.rows<{ cases: number; days: number | null }>(sql`select count(*)::int as cases,
      percentile_cont(0.5) within group (order by extract(epoch from resolved_at - submitted_at) / 86400)::float8 as days
    from resource_request where kind = ${kind} and state = 'completed' and submitted_at is not null
      and resolved_at >= ${new Date(now).toISOString()}::timestamptz - interval '365 days'`);
  return row!.cases < ENOUGH_CASES || row!.days === null ? null : Math.max(1, Math.round(row!.days));
}

function delegationEffect(
  row: Row,
  { resource, from, whole, rest }: MovingSpace,
  { parties, goesToAccount }: { parties: Parties; goesToAccount: boolean },
): PlannedEffect {
  const goes = `Delegated to ${parties.reader === 'recipient' ? 'you' : parties.to}`;
  const elsewhere =
    row.kind === 'return'
      ? 'Back to the registry’s pool'
      : `Goes to ${row.otherRegistry ?? (row.form.otherRegistry || 'the other registry')}`;
  return {
    what: 'delegation',
    name: printResource(resource),
    today: whole ? (parties.reader === 'source' ? 'Your delegation' : `A delegation of ${parties.from}`) : `Part of ${from}`,
    act: goesToAccount ? 'moves' : 'ends',
    on: `${goesToAccount ? goes : elsewhere}${whole ? '' : `. ${parties.reader === 'source' ? 'You keep' : `${parties.from} keeps`} ${rest.map(printResource).join(', ')}`}`,
    plan: null,
  };
}

/**
 * The fee of a transfer: a share of what the moved IPv4 alone would cost. None for a return, an NIR, and the first addresses of a member. Of a merger: what the
 * profile sets. Null where none is due or the profile waives it; without an amount where no fees are announced.
 */
export async function plannedFee(
  read: Read,
  row: Row,
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<TransferPlan['fee']> {
  const { requestPolicy: policy, currency } = profile;
  const named = row.state === 'draft' ? row.form.recipient.trim().toUpperCase() || null : row.recipientName;
  if (row.kind === 'acquisition')
    return isWaived(policy.acquisitionFee) || (row.recipientName === null && row.state !== 'draft')
      ? null
      : { currency, amount: policy.acquisitionFee, payer: named, why: 'Fee of a merger or acquisition', unless: null };
  if (row.kind !== 'transfer' || isWaived(policy.transferFeeShare)) return null;
  // A draft doesn't ask about the account that it names: its answer would tell about any account.
  const isDraft = row.state === 'draft' && row.form.otherRegistry === '' && !row.form.incoming;
  const payer = isDraft ? named : await payerOf(read, row);
  if (payer === null && !isDraft) return null;
  const addresses = addressesOf(row.form.resources);
  if (addresses === 0n) return null;
  const amount = await transferFeeOn(read, addresses, policy.transferFeeShare, todayOf(profile, now));
  const share = `${policyValueWords('requestPolicy.transferFeeShare', policy.transferFeeShare, currency)} of the annual fee of the moved addresses`;
  const unless = isDraft ? noFeeIf : null;
  return { currency, amount, payer, why: share, unless };
}
/** When no fee is due for a transfer after all, which a draft doesn't ask about. */
export const noFeeIf = 'these are the recipient’s first addresses, or it is a national registry';

export const isWaived = (amount: string): boolean => Number(amount) === 0;

/** The account that pays the fee of a transfer that was sent; null if none is due. */
async function payerOf(read: Read, row: Row): Promise<string | null> {
  const recipientName = row.form.incoming ? row.accountName : row.recipientName;
  if (recipientName === null) return row.otherRegistry || row.form.otherRegistry ? row.accountName : null;
  const recipient = await accountNamed(read, recipientName);
  if (recipient.accountType === 'confed-nir') return null;
  const held = await heldBlocks(read, recipientName);
  return held.some(({ kind }) => kind !== 'asn') ? recipientName : null;
}

/** The account that pays the fee of a case. */
export const feePayerOf = (row: Row): string => row.recipientName ?? row.accountName;

/** The fee of an approved transfer, with its invoice for the payer and for registry staff. */
export async function feeDueOf(read: Read, row: Row, { currency }: Profile, seesInvoice: boolean): Promise<ResourceRequestDetail['due']> {
  if (row.fee === null) return null;
  const invoice = await feeInvoiceOf(read, referenceOf(row.id));
  return {
    currency,
    amount: row.fee,
    payer: feePayerOf(row),
    paidOn: row.feePaidOn ?? invoice?.paidOn ?? null,
    invoice: seesInvoice && invoice ? { number: invoice.number, total: invoice.total, dueOn: invoice.dueOn } : null,
  };
}

/** The fee to pay before completion, decided on approval, or null. @throws Failure FEES_NOT_ANNOUNCED */
export async function feeOnApproval(read: Read, row: Row, registry: { profile: Profile; now: Date | string }): Promise<string | null> {
  const fee = await plannedFee(read, row, registry);
  if (fee && fee.amount === null) throw refuse('FEES_NOT_ANNOUNCED', { kind: 'members', day: todayOf(registry.profile, registry.now) });
  return fee?.amount ?? null;
}
