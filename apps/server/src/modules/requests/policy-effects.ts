import { dayIn } from '@portal/contract/days';
import { deskKindPermissions } from '@portal/contract/staff/desk';
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import { leafOf } from '../../dated-profile.ts';
import type { EffectOf, AffectedRow } from '../policy/index.ts';
import { requestById } from './request-row.ts';
import { plannedFee } from './transfers/transfer-plan.ts';

const plural = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const accountLink = (accountName: string): string => `/desk/accounts/${encodeURIComponent(accountName)}`;

type OpenCase = { id: string; kind: string; accountName: string; orgName: string; expiresAt: string | null; asked: string };

/** Open cases, the oldest first, as the queue names them. */
const openCases = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<OpenCase[]> =>
  read.rows<OpenCase>(sql`
    select r.resource_request_id::text as id, r.kind, r.account_name, a.org_name, r.expires_at,
      case r.kind when 'ipv4' then 'IPv4 /' || (r.form ->> 'length') when 'ipv6' then 'IPv6 /' || (r.form ->> 'length') else r.kind end as asked
    from resource_request r join account a using (account_name) where r.resolved_at is null and ${where} order by r.resource_request_id`);

const caseLink = ({ id, kind }: OpenCase): string =>
  `/desk/requests/${['transfer', 'acquisition', 'return'].includes(kind) ? 'transfers' : 'resources'}-${id}`;

const rowOf = (each: OpenCase, before: string, after: string, numbers: AffectedRow['numbers'] = null): AffectedRow => ({
  what: `REQ-${each.id}`,
  detail: `${each.asked}, ${each.orgName}`,
  link: caseLink(each),
  before,
  after,
  numbers,
  needs: [deskKindPermissions[['transfer', 'acquisition', 'return'].includes(each.kind) ? 'transfers' : 'resources']],
});

/** Periods that run have their last day already: a change is for those that begin from its day on. */
const running =
  (where: RawBuilder<unknown>, { one, more }: { one: string; more: string }, isListed = true): EffectOf =>
  async (read, { before: { timeZone } }) => {
    const cases = await openCases(read, where);
    return {
      sentence: `${plural(cases.length, one, more)} ${cases.length === 1 ? 'keeps its' : 'keep their'} last day. What begins from that day on has the new one.`,
      of: 'case',
      all: cases.length,
      met: 0,
      // A draft is its member's alone: staff see it once it is sent.
      rows: (isListed ? cases : []).map(each => {
        const day = each.expiresAt === null ? 'None' : dayInFull(dayIn(timeZone, new Date(each.expiresAt)));
        return rowOf(each, day, day);
      }),
    };
  };

/** Requests that are judged by a figure when they are decided, whenever they were sent. */
const judged =
  (kinds: readonly string[], figure: (text: string) => string): EffectOf =>
  async (read, { name, before, after }) => {
    const cases = await openCases(read, sql`r.state not in ('draft', 'offered') and r.kind = any (${[...kinds]}::text[])`);
    const of = (profile: typeof before): string => {
      const value = leafOf(profile, name);
      return figure(String(value));
    };
    return {
      sentence: `${plural(cases.length, 'open request is', 'open requests are')} judged by the figure of the day of the decision, as far as it rests on this need.`,
      of: 'request',
      all: cases.length,
      met: cases.length,
      rows: cases.map(each => rowOf(each, of(before), of(after))),
    };
  };

/** Addresses of the last pool that accounts hold, against the most of one account. */
const ipv4Limit: EffectOf = async (read, { before, after }) => {
  const accounts = await read.rows<{ accountName: string; orgName: string; held: string }>(sql`
    select d.account_name, a.org_name, sum(d.size)::text as held from delegation d join account a using (account_name)
    where d.kind = 'ipv4' and d.source = 'delegated' and d.purpose is null and d.registry = '' and d.status <> 'closed' and d.hold_until is not null
    group by d.account_name, a.org_name order by sum(d.size) desc, d.account_name`);
  const most = ({ requestPolicy: { ipv4Limit: length } }: typeof before): number => 2 ** (32 - length);
  const [was, is] = [most(before), most(after)];
  const left = (limit: number, held: number): string => (held >= limit ? 'None' : `${limit - held} addresses`);
  const met = accounts.filter(({ held }) => Number(held) < Math.max(was, is));
  return {
    sentence:
      is < was
        ? `${plural(met.length, 'account with space', 'accounts with space')} from the last pool could have more until then, by what they hold now. What they hold stays.`
        : `${plural(met.length, 'account with space', 'accounts with space')} from the last pool can have more from then on, by what they hold now. What they sold can count as well.`,
    of: 'account',
    all: accounts.length,
    met: met.length,
    rows: met.map(({ accountName, orgName, held }) => ({
      what: accountName,
      detail: `${orgName}, holds ${held} addresses of it`,
      link: accountLink(accountName),
      before: left(was, Number(held)),
      after: left(is, Number(held)),
      numbers: [Math.max(0, was - Number(held)), Math.max(0, is - Number(held))],
      needs: ['resources', 'transfers'],
    })),
  };
};

const holdYears: EffectOf = async (read, { today }) => {
  const held = await read.rows<{ accountName: string; orgName: string; resource: string; until: string }>(sql`
    select d.account_name, a.org_name, d.resource, d.hold_until::text as until from delegation d join account a using (account_name)
    where d.hold_until > ${today}::date and d.status <> 'closed' and d.registry = '' order by d.hold_until, d.resource`);
  return {
    sentence: `${plural(held.length, 'block that was', 'blocks that were')} delegated before keep their day. Space that is delegated from that day on has the new one.`,
    of: 'block',
    all: held.length,
    met: 0,
    rows: held.map(({ accountName, orgName, resource, until }) => ({
      what: resource,
      detail: `${accountName}, ${orgName}`,
      link: accountLink(accountName),
      before: dayInFull(until),
      after: dayInFull(until),
      numbers: null,
      needs: ['resources', 'transfers'],
    })),
  };
};

const quarantineDays: EffectOf = async read => {
  const resting = await read.rows<{ resource: string; until: string }>(
    sql`select resource, rests_until::text as until from pool where rests_until is not null order by rests_until, resource`,
  );
  return {
    sentence: `${plural(resting.length, 'block is', 'blocks are')} resting and keep their day. What is returned from that day on has the new one.`,
    of: 'block',
    all: resting.length,
    met: 0,
    rows: resting.map(({ resource, until }) => ({
      what: resource,
      detail: 'rests',
      link: null,
      before: dayInFull(until),
      after: dayInFull(until),
      numbers: null,
      needs: ['resources', 'transfers'],
    })),
  };
};

const preApprovalMonths: EffectOf = async (read, { today }) => {
  const counting = await read.rows<{ accountName: string; orgName: string; until: string }>(sql`
    select p.account_name, a.org_name, p.expires_on::text as until from pre_approval p join account a using (account_name)
    where p.replaced_on is null and p.remaining > 0 and p.expires_on >= ${today}::date order by p.expires_on, p.account_name`);
  return {
    sentence: `${plural(counting.length, 'pre-approval counts', 'pre-approvals count')} until the day they have. Those given from that day on have the new one.`,
    of: 'pre-approval',
    all: counting.length,
    met: 0,
    rows: counting.map(({ accountName, orgName, until }) => ({
      what: accountName,
      detail: orgName,
      link: accountLink(accountName),
      before: dayInFull(until),
      after: dayInFull(until),
      numbers: null,
      needs: ['resources', 'transfers'],
    })),
  };
};

/** Cases without a fee yet, with the fee of each by the rule that charges it, before and after, at today's fees. */
const feeEffect =
  (kind: 'transfer' | 'acquisition', words: (count: string, isOne: boolean) => string, of: string): EffectOf =>
  async (read, { before, after, now }) => {
    const open = await openCases(read, sql`r.kind = ${kind} and r.state not in ('draft', 'awaiting-fee') and r.fee is null`);
    const rows: AffectedRow[] = [];
    for (const each of open) {
      const row = (await requestById(read, Number(each.id)))!;
      const [was, is] = [await plannedFee(read, row, { profile: before, now }), await plannedFee(read, row, { profile: after, now })];
      const inWords = (fee: typeof was): string =>
        fee === null ? 'No fee' : fee.amount === null ? 'Not known yet' : `${fee.currency} ${fee.amount}`;
      const number = (fee: typeof was): number | null => (fee === null ? 0 : fee.amount === null ? null : Number(fee.amount));
      const [one, other] = [number(was), number(is)];
      rows.push(rowOf(each, inWords(was), inWords(is), one === null || other === null ? null : [one, other]));
    }
    const met = rows.filter(row => row.before !== row.after);
    return { sentence: words(String(open.length), open.length === 1), of, all: open.length, met: met.length, rows: met };
  };

const transferFeeShare = feeEffect(
  'transfer',
  (count, isOne) =>
    `${count} open ${isOne ? 'transfer' : 'transfers'} without a fee yet: it is charged when the transfer is approved, by the share of that day. Amounts are by today’s fees.`,
  'transfer',
);
const acquisitionFee = feeEffect(
  'acquisition',
  (count, isOne) =>
    `${count} open ${isOne ? 'merger or acquisition' : 'mergers and acquisitions'} without a fee yet: it is charged when it is approved.`,
  'case',
);

const percent = (text: string): string => `${text} %`;
const addressWords = (text: string): string => `${text} addresses`;

/** Effects of changes of the policy on requests and on what was delegated. */
export const requestPolicyEffects = {
  'requestPolicy.answerDays': running(sql`r.state = 'needs-info'`, { one: 'question waits and', more: 'questions wait and' }),
  'requestPolicy.draftDays': running(sql`r.state = 'draft'`, { one: 'draft', more: 'drafts' }, false),
  'requestPolicy.acknowledgeDays': running(sql`r.state = 'offered'`, { one: 'offered transfer', more: 'offered transfers' }),
  'requestPolicy.holdDays': running(sql`r.kind = 'transfer' and r.state <> 'draft'`, {
    one: 'open transfer follows the day on which it completes; it',
    more: 'open transfers follow the day on which they complete; those that hold something now',
  }),
  'requestPolicy.transferFeeDays': running(sql`r.state = 'awaiting-fee'`, { one: 'fee waits and', more: 'fees wait and' }),
  'requestPolicy.preApprovalMonths': preApprovalMonths,
  'requestPolicy.quarantineDays': quarantineDays,
  'requestPolicy.ipv4Limit': ipv4Limit,
  holdYears,
  'requestPolicy.lirNow': judged(['ipv4'], addressWords),
  'requestPolicy.lirYear': judged(['ipv4'], addressWords),
  'requestPolicy.multihomingNow': judged(['ipv4'], percent),
  'requestPolicy.multihomingYear': judged(['ipv4'], percent),
  'requestPolicy.transferFeeShare': transferFeeShare,
  'requestPolicy.acquisitionFee': acquisitionFee,
} as const satisfies Partial<Record<PolicyValueName, EffectOf>>;
