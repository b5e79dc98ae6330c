import { utcDay } from '@portal/contract/days';
import type { RecordLane } from '@portal/contract/records/records';
import { printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Module } from '../../platform/module.ts';
import { columnsOf } from './ledger-columns.ts';
import { maySeePrivate } from './registrations.ts';

/** Changes of one registration that are considered: the last ones. */
const MAX = 50;
type Turn = { at: string; netname: string | null; gone: boolean };
type Span = RecordLane['spans'][number];

/** The time line of a registration, for its holder: the delegation since its day, and the network that was registered in it. */
export const registrationLane: NonNullable<Module['records']>[number] = {
  id: 'registration-lane',
  describe: async ({ read, account, resource, own, on }) => {
    if (!own || on !== null || resource.family === 'asn') return {};
    const { first, last } = columnsOf(resource);
    const [held] = await read.rows<{ delegationId: number; resource: string; delegatedOn: string | null }>(sql`
      select delegation_id, resource, delegated_on::text from delegation where account_name = ${account.accountName} and registry = '' and status <> 'closed'
        and kind = ${resource.family} and first <= ${first}::inet and last >= ${last}::inet`);
    if (!held?.delegatedOn) return {};
    const text = printResource(resource);
    const turns = await read.rows<Turn>(sql`
      select y.happened_at as at, coalesce(r.after, r.before) ->> 'netname' as netname, r.after is null as gone
      from row_change r join activity y using (activity_id)
      where r.table_name = 'assignment' and coalesce(r.after, r.before) ->> 'delegation_id' = ${String(held.delegationId)}
        and coalesce(r.after, r.before) ->> 'resource' = ${text}
        and (coalesce(r.after, r.before) ->> 'visibility' = 'public' or ${maySeePrivate(account)})
      order by r.activity_id desc, r.row_change_id desc limit ${MAX}`);
    const since = `${utcDay(held.delegatedOn)}T00:00:00.000Z`;
    // Never free: what lies around or inside may be registered, and not for everyone to see.
    const ground = `Delegated to ${account.accountName}`;
    const spans: Span[] = [];
    let open: Span = { from: since, until: null, text: ground, look: 'held' };
    for (const { at, netname, gone } of turns.toReversed()) {
      const next: Pick<Span, 'text' | 'look'> = gone ? { text: ground, look: 'held' } : { text: netname ?? text, look: 'registered' };
      if (next.text === open.text) continue;
      if (at > open.from) spans.push({ ...open, until: at });
      open = { from: at > since ? at : since, until: null, ...next };
    }
    return { lanes: [{ id: 'registration', title: 'Registration', spans: [...spans, open] }] };
  },
};
