import type { AnswerOf, BodyOf } from '@portal/contract';
import { type CheckReport, type dnsChecking, type Finding, maxChecksAMinute, reportDays } from '@portal/contract/reverse-dns/checks';
import { dnsChecks } from '@portal/contract/reverse-dns/check-catalogue';
import { DAY_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import {
  coverRange,
  listZonePrefixes,
  parseReverseZone,
  prefixAt,
  printPrefix,
  printReverseZone,
  readResource,
} from '@portal/number-resources';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Caller } from '../../../platform/http/caller.ts';
import { type Change, ownActivity, type Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { taskType } from '../../../platform/tasks.ts';
import { findDelegatedZone } from '../domain-objects.ts';
import { serverProblem } from '../server-name.ts';
import { readServers } from '../submission.ts';
import { followCds } from './cds-following.ts';
import { checkZone } from './zone-check.ts';
import { noteLameServers } from './lame-servers.ts';
import { dnsClient } from './name-servers.ts';
import { openResolver } from './resolver.ts';
import { noteZoneState } from './zone-states.ts';
import type { Registry } from '../../../platform/registry.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { theLast } from '../../../platform/clock-watch.ts';

const Input = z.object({ checkId: z.string() });
type Reader = Pick<Read, 'rows'>;

/** The zone for a name, prefix or address. @throws Failure INVALID_REQUEST with a valid example */
function zoneOf(text: string): string {
  const plain = text.trim().toLowerCase().replace(/\.$/, '');
  try {
    if (plain.endsWith('.arpa')) {
      const prefix = parseReverseZone(plain);
      // The name of a single address stands for the zone around it.
      return prefix.family === 'ipv4' && prefix.length > 24 ? plain.split('.').slice(1).join('.') : plain;
    }
    const resource = readResource(text);
    if (resource.family === 'asn') throw refuseField('zone', 'AS numbers have no reverse zone. Enter a zone, prefix or address');
    const [prefix] = coverRange(resource);
    const [first] = listZonePrefixes(prefix!);
    if (first && prefix!.length < (resource.family === 'ipv4' ? 32 : 128)) return printReverseZone(first);
    // An address, or a part of a /24: the zone of the /24 or /64 around it.
    const { family, first: address } = prefix!;
    return printReverseZone(prefixAt(family, address, family === 'ipv4' ? 24 : 64));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.constructor.name === 'Failure') throw error;
    throw refuseField('zone', (error as Error).message);
  }
}

/** Starts a check as a task. @throws Failure TOO_MANY_CHECKS, INVALID_REQUEST */
export async function startCheck({
  change,
  caller: { loginId },
  body,
}: {
  change: Change;
  caller: Pick<Caller, 'loginId'>;
  body: BodyOf<typeof dnsChecking.startCheck>;
}): Promise<AnswerOf<typeof dnsChecking.startCheck>> {
  const servers = readServers(body.servers);
  for (const [index, server] of servers.entries()) {
    const wrong = serverProblem(server);
    if (wrong !== null) throw refuseField(`servers.${index}`, wrong);
  }
  const ds = body.ds.map(each => each.trim().toUpperCase()).filter(Boolean);
  for (const [index, each] of ds.entries())
    if (!/^\d{1,5} \d{1,3} \d{1,3} [0-9A-F]{8,128}$/.test(each))
      throw refuseField(`ds.${index}`, 'Enter key tag, algorithm, digest type and digest');
  const { since, until } = theLast(MINUTE_MS, change.now);
  const [recent] = await change.rows<{ count: number }>(sql`select count(*)::int as count from rdns_check
    where login_id = ${loginId} and asked_at between ${since}::timestamptz and ${until}::timestamptz`);
  if (recent!.count >= maxChecksAMinute) throw refuse('TOO_MANY_CHECKS', { most: String(maxChecksAMinute) });
  // With given servers a zone is checked as if it were delegated to them, even inside a delegated zone.
  const zone = servers.length > 0 ? zoneOf(body.zone) : await enclosingZone(change, zoneOf(body.zone));
  const checkId = await addCheck(change, { zone, servers, ds, loginId });
  return { checkId, zone };
}

/** The delegated zone around a name, or the name itself. */
async function enclosingZone(read: Reader, zone: string): Promise<string> {
  const labels = zone.split('.');
  const names = labels.map((_, index) => labels.slice(index).join('.'));
  const [row] = await read.rows<{ key: string }>(
    sql`select key from whois_object where class = 'domain' and key = any(${names}::text[]) order by length(key) desc limit 1`,
  );
  return row?.key ?? zone;
}

/** Stores a check and its task. `servers` empty: as it is delegated. */
export async function addCheck(
  change: Change,
  { zone, servers, ds, loginId }: { zone: string; servers: readonly string[]; ds: readonly string[]; loginId: string | null },
): Promise<string> {
  const checkId = crypto.randomUUID();
  await change.rows(sql`insert into rdns_check (check_id, zone, servers, ds, undelegated, login_id, asked_at)
    values (${checkId}::uuid, ${zone}, ${[...servers]}::text[], ${[...ds]}::text[], ${servers.length > 0}, ${loginId}, ${change.now}::timestamptz)`);
  await change.enqueue(runCheck, { checkId });
  return checkId;
}

type Row = {
  checkId: string;
  zone: string;
  loginId: string | null;
  servers: string[];
  ds: string[];
  undelegated: boolean;
  grade: DnsGrade | null;
  report: CheckReport | null;
  askedAt: string;
  doneAt: string | null;
};
type DnsGrade = AnswerOf<typeof dnsChecking.getCheck>['grade'] & string;

/** The worst severity among failed checks. */
function gradeOf(findings: readonly Finding[]): DnsGrade {
  const failed = findings.filter(({ state }) => state === 'failed').map(({ severity }) => severity);
  return failed.includes('error') ? 'error' : failed.includes('warning') ? 'warning' : failed.includes('notice') ? 'notice' : 'ok';
}

/** Runs a check, and stores the report. A second run overwrites the first. */
export const runCheck = taskType({
  name: 'reverseDns.checks.runCheck',
  summary: 'Asked the name servers of a reverse zone',
  runner: 'checks',
  input: Input,
  run: async ({ db, input: { checkId }, activity, context }) => {
    const [row] = await db.read.rows<Row>(sql`select * from rdns_check where check_id = ${checkId}::uuid`);
    if (!row) return;
    const report = await reportOf(db.read, row, context);
    await db.change(activity, change => keepReport(change, row, report));
    // Only the registry's own watch follows CDS: no one else can change a delegation by starting a check.
    if (row.loginId === null && !row.undelegated) await followCds(db, row.zone, report, context.profile);
  },
});

/** Makes the report of a check, for the present delegation or the given servers. */
async function reportOf(
  read: Read,
  row: Pick<Row, 'zone' | 'servers' | 'ds' | 'undelegated'>,
  context: Pick<ModuleContext, 'config' | 'profile' | 'clock' | 'outside'>,
): Promise<CheckReport & { parentServers: string[] }> {
  const { config, profile, clock, outside } = context;
  const client = outside(dnsClient);
  const resolver = openResolver(client, config.dnsResolvers, config.dnsTimeoutMs);
  const own = await findDelegatedZone(read, row.zone);
  const delegation = own ? { servers: own.servers, ds: own.ds } : row.undelegated ? null : await resolver.delegationOf(row.zone);
  const servers = row.undelegated ? row.servers : (delegation?.servers ?? []);
  const report = await checkZone(
    {
      zone: row.zone,
      servers,
      ds: row.undelegated ? row.ds : (delegation?.ds ?? []),
      parent: row.undelegated ? null : { found: delegation !== null, servers: delegation?.servers ?? [] },
      isHeld: own !== null || (await isRegistered(read, row.zone)),
    },
    {
      client,
      resolver,
      port: config.dnsPort,
      timeoutMs: config.dnsTimeoutMs,
      lab: profile.dnsLab || config.demoMode,
      now: clock(),
      originsOf: address => originsOf(read, address),
    },
  );
  return { ...report, parentServers: [...servers] };
}

async function isRegistered(read: Reader, zone: string): Promise<boolean> {
  try {
    const { first, family } = parseReverseZone(zone);
    const address = printPrefix({ family, first, last: first, length: family === 'ipv4' ? 32 : 128 });
    const [row] = await read.rows<{ held: boolean }>(
      sql`select exists (select from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= ${address}::inet and kept) as held`,
    );
    return row!.held;
  } catch {
    return false;
  }
}

/** Origins of route objects that cover an address. */
async function originsOf(read: Reader, address: string): Promise<number[]> {
  const rows = await read.rows<{ origin: number }>(
    sql`select distinct origin from whois_object where class in ('route', 'route6') and inet_merge(first, last) >>= ${address}::inet and origin is not null`,
  );
  return rows.map(({ origin }) => Number(origin));
}

async function keepReport(change: Change, row: Row, report: CheckReport & { parentServers: string[] }): Promise<void> {
  const { parentServers, ...kept } = report;
  const grade = gradeOf(kept.findings);
  await change.rows(sql`update rdns_check set report = ${JSON.stringify(kept)}::jsonb, grade = ${grade}, done_at = ${change.now}::timestamptz,
    servers = ${parentServers}::text[] where check_id = ${row.checkId}::uuid`);
  if (row.undelegated) return;
  await noteZoneState(change, row.zone, row.checkId, kept, grade);
  if (await findDelegatedZone(change, row.zone))
    await noteLameServers(change, row.zone, { delegated: parentServers, checked: kept.servers });
}

/** A check by its id, known only to the person who started it and those with the link. @throws Failure NOT_FOUND, also after seven days */
export async function getCheck({
  read,
  params: { checkId },
  registry: { now },
}: {
  read: Reader;
  params: { checkId: string };
  registry: Pick<Registry, 'now'>;
}): Promise<AnswerOf<typeof dnsChecking.getCheck>> {
  const [row] = /^[0-9a-f-]{36}$/.test(checkId)
    ? await read.rows<Row>(
        sql`select * from rdns_check where check_id = ${checkId}::uuid and asked_at > ${instantBefore(now, reportDays * DAY_MS)}::timestamptz`,
      )
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'This check' });
  return runOf(read, row);
}

/** The last finished check of a zone as it is delegated, not older than its present delegation; null without one. */
export async function lastRunOf(
  read: Reader,
  { zone, changedAt }: { zone: string; changedAt: string },
): Promise<AnswerOf<typeof dnsChecking.getCheck> | null> {
  const [row] = await read.rows<Row>(sql`select * from rdns_check where zone = ${zone} and not undelegated and report is not null
    and asked_at >= ${changedAt}::timestamptz order by asked_at desc limit 1`);
  return row ? runOf(read, row) : null;
}

async function runOf(read: Reader, row: Row): Promise<AnswerOf<typeof dnsChecking.getCheck>> {
  const [before] = row.report
    ? await read.rows<Row>(sql`select * from rdns_check where zone = ${row.zone} and undelegated = ${row.undelegated} and report is not null
        and asked_at < ${row.askedAt}::timestamptz order by asked_at desc limit 1`)
    : [];
  return {
    checkId: row.checkId,
    zone: row.zone,
    prefix: prefixOf(row.zone),
    undelegated: row.undelegated,
    servers: row.servers,
    askedDs: row.ds,
    state: row.report ? 'done' : 'queued',
    grade: row.grade,
    askedAt: row.askedAt,
    doneAt: row.doneAt,
    until: instantAfter(new Date(row.askedAt), reportDays * DAY_MS),
    report: row.report,
    since: before
      ? { checkId: before.checkId, askedAt: before.askedAt, ...difference(before.report!.findings, row.report!.findings) }
      : null,
  };
}

function prefixOf(zone: string): string | null {
  try {
    return printPrefix(parseReverseZone(zone));
  } catch {
    return null;
  }
}

/** Titles of checks that failed before and pass now, and the other way round. */
function difference(before: readonly Finding[], now: readonly Finding[]): { fixed: string[]; appeared: string[] } {
  const failed = (list: readonly Finding[]) => new Set(list.filter(({ state }) => state === 'failed').map(({ check }) => check));
  const [old, present] = [failed(before), failed(now)];
  return {
    fixed: [...old].filter(each => !present.has(each)).map(each => dnsChecks[each].title),
    appeared: [...present].filter(each => !old.has(each)).map(each => dnsChecks[each].title),
  };
}

/** The latest checks of a person. */
export async function listChecks({
  read,
  caller: { loginId },
  query: { zone },
  registry: { now },
}: Act<typeof dnsChecking.listChecks>): Promise<AnswerOf<typeof dnsChecking.listChecks>> {
  const rows = await read.rows<
    Pick<Row, 'checkId' | 'zone' | 'askedAt' | 'grade' | 'undelegated'>
  >(sql`select check_id, zone, asked_at, grade, undelegated from rdns_check where login_id = ${loginId}
    and asked_at > ${instantBefore(now, reportDays * DAY_MS)}::timestamptz ${zone === undefined ? sql`` : sql`and zone = ${zone}`} order by asked_at desc limit 20`);
  return {
    rows: rows.map(({ checkId, zone: name, askedAt, grade, undelegated }) => ({ checkId, zone: name, askedAt, grade, undelegated })),
  };
}

/** Deletes checks whose links expired a month ago. */
export async function forgetChecks({ db, clock }: Pick<ModuleContext, 'db' | 'clock'>): Promise<void> {
  await db.change(ownActivity('reverseDns.checks.forgetChecks', 'Deleted old checks of reverse zones'), change =>
    change.rows(sql`delete from rdns_check where asked_at < ${instantBefore(clock(), 30 * DAY_MS)}::timestamptz`),
  );
}
