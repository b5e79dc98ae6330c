import { rowNumber } from '@portal/contract/row-ids';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { type PoolView, requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { coverRange, listPrefixes, type NumberResource, printResource, resourceSetOf } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import { timesIn, valuesAt } from '../../dated-profile.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import { openProposalOf } from '../proposals/index.ts';
import { columnsOf, heldBlocks, heldFor, lockedPartsOf, type OwnPool, ownPools, resourceOf, usedParts } from '../resources/index.ts';
import { medianDaysOf, todayOf } from './account-facts.ts';
import { needsTwo, requireReader } from './deciders.ts';
import { choose } from './transfers/chosen-resource.ts';
import { detailFor, filesOf, papersOf } from './request-detail.ts';
import { earliestOn, eventsOf, isOpen, type Row, referenceOf, requestById, isWithRegistry } from './request-row.ts';

/** Maximum number of blocks shown of a pool. */
const MAX_BLOCKS = 500;

const stateOf = ({ state, heldFor: reference, restsUntil }: OwnPool): PoolView['blocks'][number]['state'] =>
  state === 'available' ? 'available' : reference !== null ? 'held' : restsUntil !== null ? 'quarantine' : 'reserved';

/** One pool: totals, free blocks by size, and its contents. */
const partsOf = (resource: NumberResource): NumberResource[] => (resource.family === 'ipv6' ? coverRange(resource) : [resource]);

async function poolView(read: Pick<Read, 'rows'>, kind: PoolView['kind']): Promise<PoolView> {
  const rows = await ownPools(read, kind);
  const sums: Record<PoolView['blocks'][number]['state'], bigint> = { available: 0n, held: 0n, quarantine: 0n, reserved: 0n };
  for (const row of rows) sums[stateOf(row)] += BigInt(row.size);
  const free = resourceSetOf(rows.filter(row => stateOf(row) === 'available').map(resourceOf));
  const lengths = kind === 'asn' ? [] : listPrefixes(free, kind).map(({ length }) => length);
  const sizes = [...Map.groupBy(lengths, length => length)]
    .map(([length, found]) => ({ length, blocks: found.length }))
    .toSorted((a, b) => b.length - a.length);
  // IPv6 is written as prefixes, and a gap between two may be more than one.
  const blocks = rows.flatMap(row =>
    partsOf(resourceOf(row)).map(part => {
      const { resource, size } = columnsOf(part);
      return { resource, size, state: stateOf(row), reference: row.heldFor, restsUntil: row.restsUntil };
    }),
  );
  return {
    kind,
    available: String(sums.available),
    held: String(sums.held),
    quarantine: String(sums.quarantine),
    reserved: String(sums.reserved),
    sizes,
    blocks: blocks.slice(0, MAX_BLOCKS),
    blockCount: blocks.length,
  };
}

export const listPools = ({ read }: Act<typeof requestDesk.listPools>): Promise<PoolView[]> =>
  Promise.all((['ipv4', 'ipv6', 'asn'] as const).map(kind => poolView(read, kind)));

/**
 * Returns the instant since which a case may have waited without being late: since then the promised working hours have passed, counting Monday to
 * Friday (UTC) with eight hours each.
 */
export function lateBefore(now: Date, promiseHours: number): string {
  let at = now.getTime();
  let left = promiseHours * 3 * HOUR_MS;
  while (left > 0) {
    const dayStart = Math.floor((at - 1) / DAY_MS) * DAY_MS;
    const day = new Date(dayStart).getUTCDay();
    const part = day === 0 || day === 6 ? 0 : Math.min(left, at - dayStart);
    left -= part;
    at = left > 0 ? dayStart : at - part;
  }
  return new Date(at).toISOString();
}

/** Returns when a case that has waited for the registry since then is due, counted as in `lateBefore`. */
export function dueBy(since: string, promiseHours: number): string {
  let at = Date.parse(since);
  let left = promiseHours * 3 * HOUR_MS;
  while (left > 0) {
    const dayEnd = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
    const day = new Date(at).getUTCDay();
    const part = day === 0 || day === 6 ? 0 : Math.min(left, dayEnd - at);
    left -= part;
    at = left > 0 ? dayEnd : at + part;
  }
  return new Date(at).toISOString();
}

/** Returns the working hours that were promised to a case that has waited for the registry since then: those of that day, whatever was decided later. */
const promisedHours = (since: string, profile: Profile): number => valuesAt(profile, since).requestPolicy.promiseHours;

/** Returns when a case that has waited for the registry since then is due, by the hours that were promised on that day. */
export const promisedBy = (since: string, profile: Profile): string => dueBy(since, promisedHours(since, profile));

/** SQL: a case that has waited for the registry since then waits longer than was promised on that day. @param since null where it doesn’t wait */
export function waitsTooLong(since: RawBuilder<unknown>, { now, profile }: PolicyNow): RawBuilder<boolean> {
  const [first, ...later] = timesIn(profile).map(({ from, profile: { requestPolicy } }) => ({
    from,
    before: lateBefore(now, requestPolicy.promiseHours),
  }));
  const cases = later
    .toReversed()
    .map(({ from, before }) => sql`when ${since} >= ${new Date(from).toISOString()}::timestamptz then ${before}::timestamptz`);
  const last = sql`${first!.before}::timestamptz`;
  return sql`coalesce(${since} < ${cases.length === 0 ? last : sql`case ${sql.join(cases, sql` `)} else ${last} end`}, false)`;
}

/** Approximate working hours (eight on each of five days, UTC) that a case has waited for the registry in its present state. */
export function workingHours(from: string, to: Date): number {
  const end = to.getTime();
  let hours = 0;
  for (let at = new Date(from).getTime(); at < end; at += HOUR_MS) {
    const day = new Date(at).getUTCDay();
    if (day !== 0 && day !== 6) hours += Math.min(HOUR_MS, end - at) / HOUR_MS;
  }
  return Math.round((hours / 3) * 10) / 10;
}

/** Blocks of an account whose use is drawn beside its request. */
const DRAWN_BLOCKS = 6;

const isDelegation = (row: Row): boolean => row.kind === 'ipv4' || row.kind === 'ipv6' || row.kind === 'asn';

/** Returns what is held for a case, or would be chosen from the pool for one that asks for numbers. */
async function proposedFor(read: Read, row: Row, delegating: boolean) {
  const [held] = await heldFor(read, referenceOf(row.id));
  return { held, chosen: delegating && !held ? await choose(read, row.kind, row.form, row) : null };
}

/** Returns what an account holds, and how its first blocks of addresses are used. */
async function drawnHoldings(read: Read, accountName: string) {
  const holdings = await heldBlocks(read, accountName);
  const blocks = holdings.filter(({ kind }) => kind !== 'asn').slice(0, DRAWN_BLOCKS);
  const parts = await usedParts(
    read,
    blocks.map(({ delegationId }) => delegationId),
  );
  return { holdings, parts };
}

/** Counts how many requests of the account were approved and rejected, this one too once it is. */
async function earlierOf(read: Pick<Read, 'rows'>, { accountName }: Row): Promise<StaffResourceRequest['earlier']> {
  const [earlier] = await read.rows<StaffResourceRequest['earlier']>(sql`
    select count(*) filter (where state = 'completed')::int as approved, count(*) filter (where state = 'rejected')::int as rejected
    from resource_request where account_name = ${accountName}`);
  return earlier!;
}

/** A case with everything staff need to decide. What its parts are read from doesn’t depend on one another. */
export async function staffDetail(read: Read, row: Row, registry: PolicyNow): Promise<StaffResourceRequest> {
  const delegating = isDelegation(row) && isOpen(row);
  const waits = row.submittedAt !== null && (row.state === 'submitted' || row.state === 'in-review');
  // Recoveries, returns and mergers wait for their day first.
  const waitsSince = [row.since, row.submittedAt ?? row.since, row.earliestOn === null ? row.since : new Date(row.earliestOn).toISOString()]
    .toSorted()
    .at(-1)!;
  const [detail, events, { held, chosen }, { holdings, parts }, earlier, recipientPapers, medianDays, pool, locked, proposal] =
    await Promise.all([
      detailFor(read, row, row.accountName, registry, true),
      eventsOf(read, row.id, 'staff'),
      proposedFor(read, row, delegating),
      drawnHoldings(read, row.accountName),
      earlierOf(read, row),
      row.recipientName === null ? [] : papersOf(read, filesOf(row, row.recipientName)),
      waits ? medianDaysOf(read, registry.now) : null,
      delegating ? poolView(read, row.kind as PoolView['kind']) : null,
      lockedPartsOf(read, row.accountName),
      isOpen(row)
        ? openProposalOf(read, requestDesk.approveRequest.id, { params: { requestId: String(row.id) }, body: { version: row.version } })
        : null,
    ]);
  const shown: NumberResource | null = held ? resourceOf(held) : (chosen?.resource ?? null);
  return {
    ...detail,
    events,
    // Registry staff see which of them opened a case of the registry.
    requestedBy: row.requesterName,
    receiveForm: row.receiveForm,
    recipientName: row.recipientName,
    questions: row.questions,
    recipientPapers,
    orgName: row.orgName,
    accountStatus: row.accountStatus,
    economy: row.economy,
    requesterEmail: row.requesterEmail,
    reviewer: row.reviewer,
    reviewerId: row.reviewerId,
    decidedBy: row.decidedBy,
    byRobot: row.byRobot,
    waitsSince: waits ? waitsSince : null,
    dueAt: waits ? promisedBy(waitsSince, registry.profile) : null,
    promiseHours: waits ? promisedHours(waitsSince, registry.profile) : registry.profile.requestPolicy.promiseHours,
    medianDays,
    workingHours: waits ? workingHours(waitsSince, registry.now) : 0,
    notBefore: isOpen(row) && row.earliestOn !== null && row.earliestOn > todayOf(registry.profile, registry.now) ? row.earliestOn : null,
    late: waits && waitsSince < lateBefore(registry.now, promisedHours(waitsSince, registry.profile)),
    proposed: shown && { resource: printResource(shown), why: held ? 'Held for this request' : chosen!.why, held: Boolean(held) },
    pool,
    holdings: holdings.map(({ delegationId, resource, kind, size, used, holdUntil }) => ({
      resource,
      kind,
      size,
      used,
      parts: parts.get(delegationId) ?? null,
      holdUntil,
    })),
    takesTwo: needsTwo(row, registry.profile),
    lockedParts: locked.map(({ resource, reference }) => ({ resource, reference })),
    proposal,
    earlier,
  };
}

/** @throws Failure NOT_FOUND, NO_STAFF_PERMISSION for those who neither decide requests of its kind nor audit */
export async function getStaffRequest({
  read,
  caller,
  params: { requestId },
  registry,
}: {
  read: Read;
  caller: Pick<Caller, 'staffPermissions'>;
  params: { requestId: string };
  registry: PolicyNow;
}): Promise<StaffResourceRequest> {
  const id = rowNumber(requestId);
  const row = id === null ? null : await requestById(read, id);
  if (!row || row.submittedAt === null) throw refuse('NOT_FOUND', { what: 'The request' });
  await requireReader(read, row, caller, registry.now);
  return staffDetail(read, row, registry);
}

/** A request as one of its parties reads it. @throws Failure NOT_FOUND, also for an account that is no party; NO_STAFF_PERMISSION */
export async function getRequestOfParty({
  read,
  caller,
  params: { requestId, accountName },
  registry,
}: Act<typeof requestDesk.getRequestOfParty>): Promise<ResourceRequestDetail> {
  const id = rowNumber(requestId);
  const row = id === null ? null : await requestById(read, id);
  if (!row || row.submittedAt === null) throw refuse('NOT_FOUND', { what: 'The request' });
  await requireReader(read, row, caller, registry.now);
  if (accountName !== row.accountName && accountName !== row.recipientName)
    throw refuse('NOT_FOUND', { what: `${accountName} in this request` });
  return detailFor(read, row, accountName, registry);
}

const forEvent = sql`case when r.form ->> 'path' = 'temporary' then ' for an event' else '' end`;
/**
 * Cases of all kinds, as rows of the desk's queue. A case that waits for a party and not for the registry is `asked`; `waits_since`: since when it
 * has waited for the registry.
 */
export const resourceQueue: RawBuilder<unknown> = sql`select case when r.kind in ('transfer', 'acquisition', 'return') then 'transfers' else 'resources' end as kind,
  r.resource_request_id::text as request_id, r.resource_request_id as case_number, 'REQ-' || r.resource_request_id as reference, r.account_name, a.org_name,
  case when r.direct then 'Direct delegation of ' else '' end || case when r.direct and r.form #>> '{resources,0}' is not null then r.form #>> '{resources,0}' else case r.kind when 'ipv4' then 'IPv4 /' || (r.form ->> 'length') || ${forEvent} when 'ipv6' then 'IPv6 /' || (r.form ->> 'length') || ${forEvent}
    when 'asn' then 'AS number' || ${forEvent}
    when 'pre-approval' then 'Pre-approval for ' || (r.form ->> 'blocks') || ' × /24'
    when 'return' then case when r.recovery_ground is null then 'Return ' else 'Recovery of ' end || coalesce(r.form #>> '{resources,0}', '') when 'transfer' then 'Transfer ' || coalesce(r.form #>> '{resources,0}', '') ||
      case when r.form ->> 'incoming' = 'true' then ' from ' else ' to ' end || coalesce(r.recipient_name, r.other_registry, 'another holder')
    else 'Merger: move ' || coalesce(r.form #>> '{resources,0}', '') || ' to ' || coalesce(r.recipient_name, 'another holder') end end as asked,
  case when r.state in ('awaiting-fee', 'offered') then 'needs-info' when r.state = 'on-hold' then 'in-review' when r.state = 'completed' then 'approved'
    when r.state in ('declined', 'expired', 'draft') then 'withdrawn' else r.state end as state,
  l.full_name as requested_by, r.submitted_at as requested_at, coalesce(staff.full_name, case when r.by_robot then 'Rules' end) as resolved_by, r.resolved_at,
  reviewer.full_name as handler, r.reviewer as handler_id,
  case when ${isWithRegistry} then greatest(r.since, r.submitted_at, ${earliestOn}::timestamptz) end as waits_since
  from resource_request r join account a using (account_name) join login l on l.login_id = r.requested_by left join login staff on staff.login_id = r.decided_by
    left join login reviewer on reviewer.login_id = r.reviewer
  where r.submitted_at is not null`;

/** The case as it is now, for registry staff. */
export const again = async (change: Change, row: Row, registry: PolicyNow): Promise<StaffResourceRequest> =>
  staffDetail(change, (await requestById(change, row.id))!, registry);
