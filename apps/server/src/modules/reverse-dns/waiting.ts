import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf, BodyOf } from '@portal/contract';
import { DAY_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { maxCheckedFirst } from '@portal/contract/reverse-dns/reverse-dns';
import {
  maxWaiting,
  type WaitingDelegation,
  waitCheckMinutes,
  waitDays,
  type waitingDelegations,
} from '@portal/contract/reverse-dns/waiting';
import { sql } from 'kysely';
import { type Change, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { Failure, refuse, refuseField } from '../../platform/failure.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { contactById, lockOwnAccount } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { findObjects, submitForAccount, writingRights } from '../whois/index.ts';
import { latestChecks, worstOf } from './checks/needed-checks.ts';
import { addCheck } from './checks/runs.ts';
import { readSubmission, submitZones } from './submission.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { reverseDnsTexts } from './mail-texts.ts';
import { type MailText, withWords } from '../mail/index.ts';

/** Days for which requests that were decided are listed. */
const KEPT_DAYS = 30;

type Reader = Pick<Read, 'rows'>;
/** A zone of a request: what is checked, and the version its object had. */
type Wanted = { zone: string; ds: string[]; version: number | null };
type Row = Omit<WaitingDelegation, 'signed'> & { wanted: Wanted[] };
type Due = {
  waitingId: string;
  accountName: string;
  contactId: string;
  servers: string[];
  request: BodyOf<typeof waitingDelegations.waitForServers>;
  wanted: Wanted[];
  until: string;
  triedAt: string | null;
  checkedAt: string | null;
};

const shown = ({ wanted, ...row }: Row): WaitingDelegation => ({ ...row, signed: wanted.some(({ ds }) => ds.length > 0) });

const columns = sql`w.waiting_id::text, w.zones, w.servers, w.wanted, w.state, c.full_name as asked_by, w.asked_at, w.until, w.checked_at, w.problem, w.check_id::text, w.decided_at`;

/** The waiting and recently decided delegations of an account. */
export async function listWaiting({
  read,
  account: { accountName },
  query: { state, offset, limit },
  registry: { now },
}: Act<typeof waitingDelegations.listWaiting>): Promise<AnswerOf<typeof waitingDelegations.listWaiting>> {
  const those = sql`w.account_name = ${accountName} and (w.decided_at is null or w.decided_at > ${instantBefore(now, KEPT_DAYS * DAY_MS)}::timestamptz)
    ${state === undefined ? sql`` : sql`and w.state = ${state}`}`;
  const rows = await read.rows<Row>(sql`select ${columns} from rdns_waiting w join contact c using (contact_id) where ${those}
    order by w.waiting_id desc offset ${offset} limit ${limit}`);
  const [counted] = await read.rows<{ total: number }>(sql`select count(*)::int as total from rdns_waiting w where ${those}`);
  return { total: counted!.total, rows: rows.map(shown) };
}

/** @throws Failure NOT_FOUND */
async function waitingOf(change: Reader, accountName: string, waitingId: string): Promise<WaitingDelegation> {
  const [row] = isRowId(waitingId)
    ? await change.rows<Row>(sql`select ${columns} from rdns_waiting w join contact c using (contact_id)
        where w.account_name = ${accountName} and w.waiting_id = ${waitingId}::bigint`)
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'This request' });
  return shown(row);
}

/**
 * Stores a request until its name servers are ready. Everything else must be valid now: it is rehearsed completely.
 * @throws Failure INVALID_REQUEST naming the first thing that is wrong, ALREADY_WAITING, TOO_MANY_WAITING, and those of `submitForAccount`
 */
export async function waitForServers({
  change,
  account,
  body,
  registry: { profile, config },
}: Act<typeof waitingDelegations.waitForServers>): Promise<AnswerOf<typeof waitingDelegations.waitForServers>> {
  if (body.operation === 'remove') throw refuseField('operation', 'Removing a delegation waits for no servers. Remove it now');
  const credentials = await writingRights(change, account);
  const { problems, wanted, servers } = await readSubmission(change, account, body, { profile, serversChecked: true });
  const [first] = problems;
  if (first)
    throw refuseField(first.index === null || first.field === 'keys' ? first.field : `${first.field}.${first.index}`, first.message);
  const { accountName } = await lockOwnAccount(change, account);
  const zones = wanted.map(({ zone }) => zone);
  const [open] = await change.rows<{ count: number; zone: string | null }>(sql`select count(*)::int as count,
    (array_agg(z.zone order by z.zone) filter (where z.zone is not null))[1] as zone from rdns_waiting w
    left join lateral (select zone from unnest(w.zones) as each (zone) where zone = any(${zones}::text[]) limit 1) z on true
    where w.account_name = ${accountName} and w.state = 'waiting'`);
  if (open!.zone !== null) throw refuse('ALREADY_WAITING', { zone: open!.zone });
  if (open!.count >= maxWaiting) throw refuse('TOO_MANY_WAITING', { most: String(maxWaiting) });
  const outcomes = await submitForAccount(
    change,
    account,
    wanted.map(({ update }) => update),
    { credentials, mode: 'best-effort', dryRun: true, profile, limits: config },
  );
  for (const [index, { state, problems: against }] of outcomes.entries())
    if (state === 'failed')
      throw refuseField(
        `zones.${index}`,
        `${zones[index]!}: ${against.find(({ severity }) => severity === 'error')?.message ?? 'whois refuses the object'}`,
      );
  const asked = await versionsOf(
    change,
    wanted.map(({ zone, ds }) => ({ zone, ds })),
  );
  const [row] = await change.rows<{ waitingId: string }>(sql`
    insert into rdns_waiting (account_name, contact_id, zones, servers, request, wanted, asked_at, until)
    values (${accountName}, ${account.contactId}::uuid, ${zones}::text[], ${servers}::text[], ${JSON.stringify(body)}::jsonb, ${JSON.stringify(asked)}::jsonb,
      ${change.now}::timestamptz, ${instantAfter(new Date(change.now), waitDays * DAY_MS)}::timestamptz) returning waiting_id::text`);
  await change.note({ zones, servers });
  return waitingOf(change, accountName, row!.waitingId);
}

/** Adds the versions that the objects of these zones have now. */
async function versionsOf(change: Change, zones: readonly { zone: string; ds: string[] }[]): Promise<Wanted[]> {
  const stored = await findObjects(
    change,
    zones.map(({ zone }) => ({ class: 'domain', key: zone })),
  );
  const versions = new Map(stored.map(({ key, version }) => [key, version]));
  return zones.map(({ zone, ds }) => ({ zone, ds, version: versions.get(zone) ?? null }));
}

/** Stops waiting. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
export async function cancelWaiting({
  change,
  account,
  params: { waitingId },
}: Act<typeof waitingDelegations.cancelWaiting>): Promise<AnswerOf<typeof waitingDelegations.cancelWaiting>> {
  const { accountName } = await lockOwnAccount(change, account);
  const { zones } = await waitingOf(change, accountName, waitingId);
  const [cancelled] = await change.rows(sql`update rdns_waiting set state = 'cancelled', decided_at = ${change.now}::timestamptz
    where account_name = ${accountName} and waiting_id = ${waitingId}::bigint and state = 'waiting' returning waiting_id`);
  if (!cancelled) throw refuse('ALREADY_RESOLVED', { what: 'This request' });
  await change.note({ zones });
  return waitingOf(change, accountName, waitingId);
}

/**
 * Processes waiting delegations: servers are checked every hour, a check without errors delegates the zones with the present rights of the requesting
 * contact, and after seven days the request ends. The contact is notified of the result.
 */
export async function followWaiting(context: Pick<ModuleContext, 'db' | 'clock' | 'config' | 'profile'>): Promise<void> {
  const { db, clock } = context;
  const retry = instantBefore(clock(), waitCheckMinutes * MINUTE_MS);
  const due = await db.read.rows<Due & { isOver: boolean; isToCheck: boolean }>(sql`
    select waiting_id::text, account_name, contact_id, servers, request, wanted, until, tried_at, checked_at,
      until <= ${clock().toISOString()}::timestamptz as is_over, tried_at is null or tried_at <= ${retry}::timestamptz as is_to_check
    from rdns_waiting where state = 'waiting' order by tried_at nulls first, waiting_id`);
  await eachAlone(
    due,
    ({ waitingId, accountName }) => `waiting delegation ${waitingId} of ${accountName}`,
    async ({ isOver, isToCheck, ...request }) => {
      if (request.triedAt !== null && (request.checkedAt === null || request.checkedAt < request.triedAt) && !isToCheck)
        await readResult(request, context);
      else if (isOver) await decide(context, request, 'ended', reverseDnsTexts.written('delegationEnded', { waitDays }));
      else if (isToCheck) await startChecks(context, request);
    },
  );
}

/** Locks a waiting request; false if it was decided meanwhile. */
async function lockWaiting(change: Change, waitingId: string): Promise<boolean> {
  const [row] = await change.rows(
    sql`select 1 from rdns_waiting where waiting_id = ${waitingId}::bigint and state = 'waiting' for no key update`,
  );
  return row !== undefined;
}

async function startChecks({ db }: Pick<ModuleContext, 'db'>, { waitingId, servers, wanted }: Due): Promise<void> {
  await db.change(ownActivity('reverseDns.waiting.check', 'Checked name servers that a delegation waits for'), async change => {
    if (!(await lockWaiting(change, waitingId))) return;
    for (const { zone, ds } of wanted.slice(0, maxCheckedFirst)) await addCheck(change, { zone, servers, ds, loginId: null });
    await change.rows(sql`update rdns_waiting set tried_at = ${change.now}::timestamptz where waiting_id = ${waitingId}::bigint`);
    await change.note({ zones: wanted.slice(0, maxCheckedFirst).map(({ zone }) => zone) });
  });
}

/** Reads the checks that were started last, once all of them are there. */
async function readResult(request: Due, context: Parameters<typeof followWaiting>[0]): Promise<void> {
  const { waitingId, wanted, servers, triedAt } = request;
  const { db } = context;
  const checked = wanted.slice(0, maxCheckedFirst);
  const checks = await latestChecks(db.read, checked, servers, triedAt!);
  if (checks.some(check => check === undefined)) return;
  const failed = checks.find(check => check!.grade === 'error' || check!.grade === 'failed');
  if (!failed) return delegate(request, context);
  const problem = worstOf(failed) ?? 'The check could not be made';
  await db.change(ownActivity('reverseDns.waiting.notReady', 'Name servers aren’t ready yet'), async change => {
    await change.rows(sql`update rdns_waiting set checked_at = ${change.now}::timestamptz, problem = ${problem}, check_id = ${failed.checkId}::uuid
      where waiting_id = ${waitingId}::bigint and state = 'waiting'`);
    await change.note({ zone: failed.zone, problem });
  });
}

/** Delegates the zones of a request whose servers are ready, or says why that can't be done any more. */
async function delegate(request: Due, context: Parameters<typeof followWaiting>[0]): Promise<void> {
  const { waitingId, accountName, contactId, wanted } = request;
  const { db, profile, config } = context;
  try {
    await db.change(
      ownActivity('reverseDns.waiting.delegate', 'Delegated reverse zones whose servers are ready', accountName),
      async change => {
        if (!(await lockWaiting(change, waitingId))) return;
        const now = await versionsOf(change, wanted);
        const changed = now.find(({ version }, index) => version !== wanted[index]!.version);
        if (changed) throw refuse('NOTHING_TO_DO', { why: `${changed.zone} was changed after you asked` });
        const { zones } = await submitZones({
          change,
          account: { accountName, contactId },
          body: request.request,
          registry: { profile, config },
        });
        const refused = zones.filter(({ outcome }) => outcome.state === 'failed');
        const why = refused.map(
          ({ zone, outcome }) => `${zone}: ${outcome.problems.find(({ severity }) => severity === 'error')?.message ?? 'refused'}`,
        );
        if (refused.length === zones.length) throw refuse('NOTHING_TO_DO', { why: why[0]! });
        await change.rows(sql`update rdns_waiting set state = 'delegated', checked_at = ${change.now}::timestamptz, problem = ${why[0] ?? null}, check_id = null,
        decided_at = ${change.now}::timestamptz where waiting_id = ${waitingId}::bigint`);
        await notifyAsker(
          change,
          request,
          reverseDnsTexts.written('delegated', {
            howMany: zones.length - refused.length === 1 ? 'The zone is' : `${zones.length - refused.length} zones are`,
            servers: request.servers.join(', '),
            details: why.join('\n\n'),
          }),
        );
      },
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await decide(context, request, 'refused', reverseDnsTexts.written('delegationRefused', { problem: error.words }), error.words);
  }
}

/** Ends a request that isn't carried out. */
async function decide(
  { db }: Pick<ModuleContext, 'db'>,
  request: Due,
  state: 'refused' | 'ended',
  text: MailText<'zoneList' | 'zoneNames'>,
  problem?: string,
): Promise<void> {
  await db.change(ownActivity('reverseDns.waiting.end', 'Ended a delegation that was waiting', request.accountName), async change => {
    if (!(await lockWaiting(change, request.waitingId))) return;
    await change.rows(sql`update rdns_waiting set state = ${state}, decided_at = ${change.now}::timestamptz, problem = coalesce(${problem ?? null}, problem)
      where waiting_id = ${request.waitingId}::bigint`);
    await change.note({ zones: request.wanted.map(({ zone }) => zone), ...(problem !== undefined && { problem }) });
    await notifyAsker(change, request, text);
  });
}

async function notifyAsker(
  change: Change,
  { accountName, contactId, wanted }: Due,
  text: MailText<'zoneList' | 'zoneNames'>,
): Promise<void> {
  const contact = await contactById(change, contactId);
  const [first] = wanted;
  const named = wanted.length === 1 ? first!.zone : `${wanted.length} reverse zones`;
  if (contact)
    await notifyPeople(
      change,
      {
        topic: 'reverseDns.zones',
        accountName,
        text: withWords(text, { zoneNames: named, zoneList: wanted.length === 1 ? '' : wanted.map(({ zone }) => zone).join(', ') }),
        path: '/resources/ReverseDNSSummary',
        act: 'View zones',
      },
      [contact],
    );
}
