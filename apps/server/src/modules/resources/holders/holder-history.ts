import type { AnswerOf } from '@portal/contract';
import { utcDay } from '@portal/contract/days';
import type { HolderPeriod, resources } from '@portal/contract/resources/resources';
import type { NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { dayInWords } from '../../../platform/attention.ts';
import type { Read } from '../../../platform/database/index.ts';
import { refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Module } from '../../../platform/module.ts';
import { columnsOf, type LedgerColumns } from '../ledger-columns.ts';
import { relationOf } from '../ledger-record.ts';
import { searchedResource } from '../search-text.ts';
import { opaqueIdOf } from './opaque-id.ts';

/** Maximum number of delegations considered for one answer. */
const MAX = 200;

type Delegation = LedgerColumns & {
  delegationId: number;
  accountName: string;
  type: HolderPeriod['type'];
  economy: string | null;
  registry: string;
  delegatedOn: string | null;
  status: string;
};
/** A change of holder or end of a delegation, and the activity it was part of. */
type Turn = { delegationId: number; activityId: number; happenedAt: string; accountName: string; status: string; isFirst: boolean };
type Period = Omit<HolderPeriod, 'holder' | 'own' | 'holderId'> & { accountName: string; kind: LedgerColumns['kind'] };

/**
 * Lists the holders of some numbers, newest first, from the ledger and its history. Holders are named by their opaque id, as in the extended
 * statistics file, which was public each day; the reader's own account by its name. Periods before the ledger's history begin with the day of the delegation.
 */
async function holderPeriods(
  read: Pick<Read, 'rows'>,
  accountName: string | null,
  resource: NumberResource,
  { ownRegistry, on = null }: { ownRegistry: string; on?: string | null },
): Promise<{ periods: HolderPeriod[]; more: boolean }> {
  const found = await delegationsMeeting(read, resource);
  const turns = found.length === 0 ? [] : await turnsOf(read, found.slice(0, MAX));
  const ended = new Set(turns.filter(({ status }) => status === 'closed').map(({ activityId }) => activityId));
  const periods = found.slice(0, MAX).flatMap(each =>
    periodsOf(
      each,
      turns.filter(({ delegationId }) => delegationId === each.delegationId),
      ended,
    ),
  );
  const ids = new Map(
    (
      await read.rows<{ accountName: string; orgName: string; statisticsId: string | null }>(
        sql`select account_name, org_name, statistics_id from account where account_name = any(${[...new Set(periods.map(period => period.accountName))]}::text[])`,
      )
    ).map(account => [account.accountName, account]),
  );
  const shown = joined(periods)
    .filter(({ from, until }) => on === null || ((from === null || from <= on) && (until === null || until > on)))
    .toSorted((a, b) => (b.until ?? '9').localeCompare(a.until ?? '9') || (b.from ?? '').localeCompare(a.from ?? ''))
    .map(({ accountName: of, kind: _kind, ...period }) => {
      const account = ids.get(of);
      const own = of === accountName;
      return {
        ...period,
        own,
        holder: own ? (account?.orgName ?? of) : null,
        holderId: opaqueIdOf(period.registry ?? ownRegistry, { accountName: of, statisticsId: account?.statisticsId ?? null }),
      };
    });
  return { periods: shown, more: found.length > MAX };
}

const delegationsMeeting = (read: Pick<Read, 'rows'>, resource: NumberResource): Promise<Delegation[]> => {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  const meets =
    kind === 'asn'
      ? sql`d.kind = 'asn' and d.first_as <= ${lastAs} and d.last_as >= ${firstAs}`
      : sql`d.kind = ${kind} and d.first <= ${last}::inet and d.last >= ${first}::inet`;
  return read.rows<Delegation>(sql`select d.delegation_id, d.kind, host(d.first) as first, host(d.last) as last, d.first_as, d.last_as, d.resource,
      d.size::text, d.account_name, d.type, d.economy, d.registry, d.delegated_on::text, d.status
    from delegation d where ${meets} order by (d.status = 'closed'), d.delegation_id desc limit ${MAX + 1}`);
};

const turnsOf = (read: Pick<Read, 'rows'>, delegations: readonly Delegation[]): Promise<Turn[]> =>
  read.rows<Turn>(sql`select (r.after ->> 'delegation_id')::int as delegation_id, r.activity_id, y.happened_at, r.after ->> 'account_name' as account_name,
      r.after ->> 'status' as status, r.operation = 'INSERT' as is_first
    from row_change r join activity y using (activity_id)
    where r.table_name = 'delegation' and coalesce(r.after, r.before) ->> 'delegation_id' = any(${delegations.map(({ delegationId }) => String(delegationId))}::text[])
      and r.after is not null and (r.operation = 'INSERT' or r.before ->> 'account_name' <> r.after ->> 'account_name'
        or (r.after ->> 'status' = 'closed') <> (r.before ->> 'status' = 'closed'))
    order by r.activity_id, r.row_change_id`);

/** The periods of one delegation. @param ended activities in which delegations of these numbers ended: a delegation that begins in one continues them */
function periodsOf(delegation: Delegation, turns: readonly Turn[], ended: ReadonlySet<number>): Period[] {
  const { resource, type, economy, registry, kind, delegatedOn } = delegation;
  const common = { resource, type, economy, registry: registry === '' ? null : registry, kind };
  const [first, ...rest] = turns;
  const begins =
    first?.isFirst && ended.has(first.activityId) ? utcDay(first.happenedAt) : (delegatedOn ?? (first ? utcDay(first.happenedAt) : null));
  const periods: Period[] = [];
  let from = begins;
  let holder = first?.accountName ?? delegation.accountName;
  for (const turn of first?.isFirst ? rest : turns) {
    const day = utcDay(turn.happenedAt);
    periods.push({ ...common, from, until: day, accountName: holder });
    from = day;
    holder = turn.accountName;
    if (turn.status === 'closed') return periods;
  }
  if (delegation.status !== 'closed') periods.push({ ...common, from, until: null, accountName: holder });
  return periods;
}

/** Joins consecutive periods of one holder if the earlier resource contains the later one: a block that was split or grew. */
function joined(periods: readonly Period[]): Period[] {
  const kept: Period[] = [];
  for (const period of periods.toSorted((a, b) => (b.from ?? '').localeCompare(a.from ?? ''))) {
    const next = kept.find(
      each =>
        each.from !== null && each.from === period.until && each.accountName === period.accountName && each.resource === period.resource,
    );
    if (next) next.from = period.from;
    else kept.push({ ...period });
  }
  return kept;
}

/** As `holderPeriods`, for a text; on a day, or over all time. @throws Failure INVALID_REQUEST for text that isn't a number resource */
export async function listHolders({
  read,
  account: { accountName },
  query: { resource: text, on },
  registry: {
    profile: { statisticsRegistry: ownRegistry },
  },
}: Act<typeof resources.listHolders>): Promise<AnswerOf<typeof resources.listHolders>> {
  const resource = searchedResource(text);
  if (!resource) throw refuseField('resource', `“${text}” isn’t a prefix, address, range or AS number, such as 198.18.0.0/19 or AS64500`);
  return holderPeriods(read, accountName, resource, { ownRegistry, on: on ?? null });
}

/** The part of a prefix or AS number page with its holders over time. */
export const holderSection: NonNullable<Module['records']>[number] = {
  id: 'holders',
  describe: async ({ read, account, resource, on }, { profile }) => {
    const { periods, more } = await holderPeriods(read, account.accountName, resource, { ownRegistry: profile.statisticsRegistry });
    if (periods.length === 0) return {};
    const then = (period: HolderPeriod): boolean =>
      (period.from === null || period.from <= (on ?? '9')) && (period.until === null || (on !== null && period.until > on));
    return {
      section: {
        title: 'Holders over time',
        rows: periods.slice(0, 20).map(period => ({
          label: [
            period.from === null ? 'From an unknown day' : `From ${dayInWords(period.from)}`,
            period.until === null ? 'until today' : `to ${dayInWords(period.until)}`,
          ].join(' '),
          text: [
            period.own ? `${period.holder} (you)` : `Holder ${period.holderId}`,
            ...(relationOf(resourceOfPeriod(period), resource) === 'exact' ? [] : [period.resource]),
            period.type,
          ].join(', '),
          link: null,
          state: then(period) ? { mark: 'valid' as const, word: on === null ? 'Holds it' : 'Held it then' } : null,
          actions: [],
        })),
        more: more || periods.length > 20,
        link: null,
      },
    };
  },
};

const resourceOfPeriod = ({ resource }: HolderPeriod): NumberResource => searchedResource(resource)!;
