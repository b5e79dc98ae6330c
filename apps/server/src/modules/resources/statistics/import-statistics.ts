import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { compareResources, type NumberResource, parseResource, printResource, type ResourceFamily } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { closeDelegations, insertDelegations, type LedgerDelegation } from '../delegations.ts';
import { type HoldPolicy, holdUntil } from '../hold.ts';
import { columnsOf, type LedgerColumns, ledgerRegistry, resourceOf } from '../ledger-columns.ts';
import { lockedPartsMeeting } from '../locked-parts.ts';
import { addPools, type Pool, type PoolRow, remaindersOf, removePools } from '../pools.ts';
import { BATCH, openAccounts } from './file-accounts.ts';
import { StatisticsLocked, StatisticsPlan, statisticsRegistries, StatisticsRefused } from './import-refusals.ts';
import {
  dayOf,
  type NotedLine,
  readStatistics,
  type RefusedLine,
  type StatisticsFile,
  type StatisticsFormat,
  type StatisticsRecord,
  UnreadableStatistics,
  type WrongCount,
  isPool,
} from './statistics-file.ts';

export type ImportStatistics = {
  /** Name of this registry in its own statistics file (`statisticsRegistry` of the registry profile). */
  ownRegistry: string;
  /** A file, or its bytes; plain or gzip, recognised by its first bytes. */
  from: string | AsyncIterable<Uint8Array>;
  /** Accept the file although its counts are wrong. */
  acceptWrongSummary?: boolean;
  /** Skip refused lines instead of refusing the file. */
  skipRefused?: boolean;
  /**
   * Confirmation of an import that closes delegations or adds an unknown registry. False: throws `StatisticsPlan` with the effects; the `key` of that
   * plan: confirms exactly these.
   */
  agreed?: boolean | string;
  /** Space that may not be transferred for some years; the registry profile has it. */
  policy?: HoldPolicy;
  onProgress?: (progress: ImportProgress) => void;
};

export type ImportProgress = {
  step: 'reading' | 'comparing' | 'writing';
  /** Lines while reading, else records. */
  done: number;
  total: number | null;
  perSecond: number;
  secondsLeft: number | null;
};

/** Result of an import; counts are of records unless stated otherwise. */
export type ImportReport = {
  registry: string;
  format: StatisticsFormat;
  serial: string;
  lines: number;
  records: number;
  accounts: { opened: number; inFile: number };
  delegations: { added: number; changed: number; closed: number; unchanged: number };
  pools: { added: number; changed: number; removed: number; unchanged: number };
  /** Skipped with `skipRefused`. */
  refused: RefusedLine[];
  refusedTotal: number;
  /** Lines that were imported although something about them is wrong. */
  noted: NotedLine[];
  notedTotal: number;
  /** Counts that were wrong and accepted. */
  wrongCounts: WrongCount[];
  seconds: number;
};

/**
 * Imports an RIR statistics file: one account for each opaque id, its delegations, and free and reserved space as pools. The file is complete for its
 * registry: delegations it no longer lists are closed. Delegations of other registries are not touched.
 * One change, one transaction: everything or nothing. A second import of the same file changes nothing.
 * @throws {StatisticsRefused} naming the lines or counts; an error of the file system for a file that cannot be read.
 */
export async function importStatistics(db: Database, options: ImportStatistics): Promise<ImportReport> {
  const started = performance.now();
  const progress = progressOf(options.onProgress);
  const file = await readFile(options, progress);
  if (file.refusedTotal > 0 && !options.skipRefused) throw new StatisticsRefused(file.refused, file.refusedTotal, file.wrongCounts);
  if (file.wrongCounts.length > 0 && !options.acceptWrongSummary) throw new StatisticsRefused([], 0, file.wrongCounts);
  // A file without records would close everything the registry delegated, and no registry publishes one.
  if (file.records.length === 0)
    throw new StatisticsRefused([{ line: file.lines, reason: 'the file ends without a record that can be taken in' }], 1, []);
  const activity = ownActivity(
    'resources.importStatistics',
    `Imported the statistics file ${file.header.serial} of ${file.header.registry}`,
  );
  const report = await db.change(activity, change => takeIn(change, file, options, progress), { timeout: 0 });
  return { ...report, seconds: (performance.now() - started) / 1000 };
}

async function readFile(options: ImportStatistics, progress: Progress): Promise<StatisticsFile> {
  const source = typeof options.from === 'string' ? createReadStream(options.from) : options.from;
  try {
    const file = await readStatistics(await inflated(source), (lines, expected) => progress('reading', lines, expected));
    const bad = new Set(file.refused.map(({ line }) => line));
    return bad.size === 0 ? file : { ...file, records: file.records.filter(({ line }) => !bad.has(line)) };
  } catch (error) {
    if (error instanceof UnreadableStatistics)
      throw new StatisticsRefused([{ line: error.line, reason: error.message.replace(/^line \d+: /, '') }], 1, []);
    throw error;
  }
}

/** Returns the bytes, unpacked if their first two show gzip. */
async function inflated(source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = (async function* () {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  })();
  if (head[0] !== 0x1f || head[1] !== 0x8b) return whole;
  const out = new PassThrough();
  // The reader of `out` gets the error.
  pipeline(Readable.from(whole, { objectMode: true }), createGunzip(), out).catch(() => {});
  return out;
}

type Progress = (step: ImportProgress['step'], done: number, total: number | null) => void;

function progressOf(onProgress: ImportStatistics['onProgress']): Progress {
  let step: string | undefined;
  let since = 0;
  return (now, done, total) => {
    if (!onProgress) return;
    if (now !== step) [step, since] = [now, performance.now()];
    const seconds = (performance.now() - since) / 1000;
    const perSecond = seconds > 0 ? done / seconds : 0;
    onProgress({
      step: now,
      done,
      total,
      perSecond,
      secondsLeft: total !== null && perSecond > 0 ? Math.max(0, (total - done) / perSecond) : null,
    });
  };
}

type LedgerRow = Pick<LedgerDelegation, 'resource' | 'type' | 'delegatedOn' | 'economy' | 'accountName' | 'dateText' | 'extensions'> & {
  delegationId: number;
};

async function takeIn(
  change: Change,
  file: StatisticsFile,
  options: ImportStatistics,
  progress: Progress,
): Promise<Omit<ImportReport, 'seconds'>> {
  const registry = ledgerRegistry(file.header.registry, options.ownRegistry);
  // Two concurrent imports, or an import and a delegation, would compare with rows that the other is about to replace.
  await change.rows(sql`lock table delegation, pool, statistics_file in share row exclusive mode`);
  const delegations = new Map<string, LedgerRow>();
  const pools = new Map<string, PoolRow>();
  for await (const rows of change.stream<LedgerRow>(ledgerOf(registry), 5_000)) for (const row of rows) delegations.set(row.resource, row);
  for await (const rows of change.stream<PoolRow>(poolsOf(registry), 5_000)) for (const row of rows) pools.set(row.resource, row);

  const { accountOf, opened, inFile } = await openAccounts(change, file, delegations, options.ownRegistry);
  const records = inOrder(file);
  const refused = await findForeign(change, registry, records);
  if (refused.length > 0 && !options.skipRefused) throw new StatisticsRefused(refused, refused.length, []);
  if (refused.length === records.length) throw new StatisticsRefused([...file.refused, ...refused], file.refusedTotal + refused.length, []);

  const added: LedgerDelegation[] = [];
  const changed: (LedgerDelegation & { delegationId: number })[] = [];
  const addedPools: Pool[] = [];
  const counts = { unchanged: 0, unchangedPools: 0, changedPools: 0 };
  const total = records.length;
  const foreign = new Set(refused.map(({ line }) => line));
  for (const [index, record] of records.entries()) {
    if (foreign.has(record.line)) continue;
    if (index % BATCH === 0) {
      progress('comparing', index, total);
      await turn();
    }
    const name = printResource(record.resource);
    if (isPool(record)) {
      const wanted = poolOf(registry, record);
      const existing = pools.get(name);
      if (existing && samePool(existing, wanted)) {
        pools.delete(name);
        counts.unchangedPools++;
      } else {
        if (existing) counts.changedPools++;
        addedPools.push(wanted);
      }
      continue;
    }
    const wanted = delegationOf(registry, record, accountOf(name, record.opaqueId), options.policy);
    const existing = delegations.get(name);
    if (!existing) added.push(wanted);
    else {
      delegations.delete(name);
      if (sameDelegation(existing, wanted)) counts.unchanged++;
      else changed.push({ ...wanted, delegationId: existing.delegationId });
    }
  }
  progress('comparing', total, total);

  // A plain file has no free space: the pools only lose what is delegated now.
  const keptPools = file.format === 'delegated' ? splitPools(pools, added, addedPools) : null;
  const removedPools = keptPools ?? [...pools.values()].map(({ poolId }) => poolId);
  const closed = [...delegations.values()].map(({ delegationId }) => delegationId);
  const closing = [...delegations.values()];
  await refuseLockedClosings(change, closing);
  await askForAgreement(change, file.header.registry, options, { closing, added, changed });
  const writes = await write(change, { closed, removedPools, changed, added, addedPools }, progress);
  await storeFile(change, file, registry);
  // The embedded database doesn't do this automatically, and without statistics query plans are guesses.
  if (writes > 0) await change.rows(sql`analyze account, delegation, pool`);

  const report = {
    registry: file.header.registry,
    format: file.format,
    serial: file.header.serial,
    lines: file.lines,
    records: file.records.length,
    accounts: { opened, inFile },
    delegations: { added: added.length, changed: changed.length, closed: closed.length, unchanged: counts.unchanged },
    pools: {
      added: addedPools.length - counts.changedPools,
      changed: counts.changedPools,
      removed: removedPools.length - counts.changedPools,
      unchanged: counts.unchangedPools,
    },
    refused: [...file.refused, ...refused],
    refusedTotal: file.refusedTotal + refused.length,
    noted: file.noted,
    notedTotal: file.notedTotal,
    wrongCounts: file.wrongCounts,
  };
  const { refused: _, noted: __, ...details } = report;
  await change.note(details);
  return report;
}

/** Rows that an import writes: ids of what goes, and what comes or is other than before. */
type Writes = {
  closed: readonly number[];
  removedPools: readonly number[];
  changed: readonly (LedgerDelegation & { delegationId: number })[];
  added: readonly LedgerDelegation[];
  addedPools: readonly Pool[];
};

/** Writes in batches; returns how many rows it wrote. */
async function write(change: Change, { closed, removedPools, changed, added, addedPools }: Writes, progress: Progress): Promise<number> {
  const writes = closed.length + removedPools.length + changed.length + added.length + addedPools.length;
  let written = 0;
  const inBatches = async <Item>(items: readonly Item[], write: (batch: Item[]) => Promise<unknown>): Promise<void> => {
    for (let from = 0; from < items.length; from += BATCH) {
      const batch = items.slice(from, from + BATCH);
      await write(batch);
      written += batch.length;
      progress('writing', written, writes);
    }
  };
  await inBatches(closed, batch => closeDelegations(change, batch));
  await inBatches(removedPools, batch => removePools(change, batch));
  await inBatches(changed, batch => updateDelegations(change, batch));
  await inBatches(added, batch => insertDelegations(change, batch));
  await inBatches(addedPools, batch => addPools(change, batch));
  return writes;
}

/** @throws StatisticsPlan if delegations would end or the registry is unknown, and the operator has not agreed to exactly that */
async function askForAgreement(
  change: Change,
  registry: string,
  { agreed, ownRegistry }: ImportStatistics,
  { closing, added, changed }: Pick<Writes, 'added' | 'changed'> & { closing: readonly LedgerRow[] },
): Promise<void> {
  if (agreed === undefined || agreed === true) return;
  const isUnknown = await isUnknownRegistry(change, registry, ownRegistry);
  const emptied = await emptiedAccounts(change, closing, [...added, ...changed]);
  const plan = new StatisticsPlan({
    registry,
    isUnknown,
    closing,
    emptied,
    added: added.length,
    changed: changed.length,
  });
  if ((isUnknown || closing.length > 0) && agreed !== plan.key) throw plan;
}

/** @throws StatisticsLocked for delegations with a part that a request moves */
async function refuseLockedClosings(change: Change, closing: readonly Pick<LedgerRow, 'resource' | 'accountName'>[]): Promise<void> {
  const met = await lockedPartsMeeting(
    change,
    closing.map(({ resource }) => parseResource(resource)),
  );
  const locked = closing.flatMap((each, index) => (met[index] ? [{ ...each, reference: met[index].reference }] : []));
  if (locked.length > 0) throw new StatisticsLocked(locked);
}

/** Whether a registry is unknown: not this one, not a publisher of statistics, and without records here. */
async function isUnknownRegistry(change: Change, registry: string, ownRegistry: string): Promise<boolean> {
  if (registry === ownRegistry || statisticsRegistries.includes(registry)) return false;
  const [row] = await change.rows<{ known: boolean }>(sql`select exists (select from statistics_file where registry = ${registry})
    or exists (select from delegation where registry = ${registry}) as known`);
  return !row!.known;
}

/** The accounts left without holdings. */
async function emptiedAccounts(
  change: Change,
  closing: readonly { delegationId: number; accountName: string | null }[],
  kept: readonly { accountName: string | null }[],
): Promise<string[]> {
  if (closing.length === 0) return [];
  const rows = await change.rows<{
    accountName: string;
  }>(sql`select distinct account_name from unnest(${closing.map(each => each.accountName)}::text[]) as c (account_name)
    where account_name is not null and not exists (select from delegation d where d.account_name = c.account_name and d.status <> 'closed'
      and not d.delegation_id = any(${closing.map(each => each.delegationId)}::bigint[])) order by 1`);
  const holding = new Set(kept.map(({ accountName }) => accountName));
  return rows.map(({ accountName }) => accountName).filter(name => !holding.has(name));
}

const ledgerOf = (registry: string) => sql<LedgerRow>`
  select delegation_id, resource, type, delegated_on, economy, account_name, date_text, extensions
  from delegation where registry = ${registry} and status <> 'closed'`;

const poolsOf = (registry: string) => sql<PoolRow>`
  select pool_id, kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, state, registry, economy_text, date_text, extensions
  from pool where registry = ${registry}`;

function delegationOf(registry: string, record: StatisticsRecord, accountName: string, policy: HoldPolicy | undefined): LedgerDelegation {
  const delegatedOn = dayOf(record.date);
  return {
    ...columnsOf(record.resource),
    type: record.status as LedgerDelegation['type'],
    source: 'delegated',
    portable: true,
    delegatedOn,
    holdUntil: policy ? holdUntil(record.resource, delegatedOn, policy) : null,
    economy: record.economy || null,
    accountName,
    registry,
    dateText: delegatedOn === null && record.date !== '' ? record.date : null,
    extensions: record.extensions,
  };
}

function poolOf(registry: string, { resource, status, economy, date, opaqueId, extensions }: StatisticsRecord): Pool {
  return {
    ...columnsOf(resource),
    state: status as Pool['state'],
    registry,
    economyText: economy,
    dateText: date,
    extensions: opaqueId === null ? null : extensions === null ? opaqueId : `${opaqueId}|${extensions}`,
  };
}

const samePool = (a: Pool, b: Pool): boolean =>
  a.state === b.state && a.economyText === b.economyText && a.dateText === b.dateText && a.extensions === b.extensions;

const sameDelegation = (a: LedgerRow, b: LedgerDelegation): boolean =>
  a.type === b.type &&
  a.delegatedOn === b.delegatedOn &&
  a.economy === b.economy &&
  a.accountName === b.accountName &&
  a.dateText === b.dateText &&
  a.extensions === b.extensions;

/** Sorts records by kind and number: inserting in this order is several times faster, and neighbours can be compared. */
function inOrder({ records, sorted }: StatisticsFile): StatisticsRecord[] {
  return sorted ? records : records.toSorted((a, b) => compareResources(a.resource, b.resource));
}

/** Returns the records that conflict with another registry's delegation or pool in this ledger. */
async function findForeign(change: Change, registry: string, records: readonly StatisticsRecord[]): Promise<RefusedLine[]> {
  type Foreign = Omit<LedgerColumns, 'size'> & { registry: string };
  const columns = sql`kind, host(first) as first, host(last) as last, first_as, last_as, resource, registry`;
  const delegated = await change.rows<Foreign>(
    sql`select ${columns} from delegation where registry <> ${registry} and status <> 'closed' order by delegation.first, first_as`,
  );
  const pooled = await change.rows<Foreign>(sql`select ${columns} from pool where registry <> ${registry} order by pool.first, first_as`);
  return [
    ...meetings(
      records.filter(record => !isPool(record)),
      delegated,
      'is delegated by',
    ),
    ...meetings(records.filter(isPool), pooled, 'is in a pool of'),
  ].sort((a, b) => a.line - b.line);
}

function meetings(
  records: readonly StatisticsRecord[],
  others: readonly (Omit<LedgerColumns, 'size'> & { registry: string })[],
  relation: string,
): RefusedLine[] {
  const found: RefusedLine[] = [];
  for (const kind of kinds) {
    const theirs = others.filter(other => other.kind === kind).map(other => ({ other, resource: resourceOf(other) }));
    let next = 0;
    for (const { line, resource } of theirs.length === 0 ? [] : records.filter(record => record.resource.family === kind)) {
      while (next < theirs.length && (theirs[next]?.resource.last ?? 0) < resource.first) next++;
      const met = theirs[next];
      if (!met || met.resource.first > resource.last) continue;
      found.push({
        line,
        reason: `${printResource(resource)} overlaps ${met.other.resource}, which ${relation} ${met.other.registry || 'this registry'}`,
      });
    }
  }
  return found;
}

/**
 * Pools that overlap the added delegations: returns their ids, and puts their remainders into `remainders`.
 */
function splitPools(pools: ReadonlyMap<string, PoolRow>, added: readonly LedgerDelegation[], remainders: Pool[]): number[] {
  const split: number[] = [];
  if (pools.size === 0) return split;
  for (const kind of kinds) {
    const taken = added.filter(delegation => delegation.kind === kind).map(resourceOf);
    let next = 0;
    const blocks = [...pools.values()].filter(pool => pool.kind === kind).map(pool => ({ pool, resource: resourceOf(pool) }));
    for (const { pool, resource } of blocks.sort((a, b) => compareResources(a.resource, b.resource))) {
      while (next < taken.length && (taken[next]?.last ?? 0) < resource.first) next++;
      const inside: NumberResource[] = [];
      for (let at = next; at < taken.length; at++) {
        const one = taken[at];
        if (!one || one.first > resource.last) break;
        inside.push(one);
      }
      if (inside.length === 0) continue;
      split.push(pool.poolId);
      remainders.push(...remaindersOf(pool, inside));
    }
  }
  return split;
}

async function updateDelegations(change: Change, rows: readonly (LedgerDelegation & { delegationId: number })[]): Promise<void> {
  await change.rows(sql`
    update delegation d set type = u.type, delegated_on = u.delegated_on, hold_until = u.hold_until, economy = u.economy,
      account_name = u.account_name, date_text = u.date_text, extensions = u.extensions
    from unnest(${rows.map(r => r.delegationId)}::bigint[], ${rows.map(r => r.type)}::text[], ${rows.map(r => r.delegatedOn)}::date[],
      ${rows.map(r => r.holdUntil)}::date[], ${rows.map(r => r.economy)}::text[], ${rows.map(r => r.accountName)}::text[],
      ${rows.map(r => r.dateText)}::text[], ${rows.map(r => r.extensions)}::text[])
      as u (delegation_id, type, delegated_on, hold_until, economy, account_name, date_text, extensions)
    where d.delegation_id = u.delegation_id`);
}

async function storeFile(change: Change, file: StatisticsFile, registry: string): Promise<void> {
  const { header, format, summaryKinds, recordKinds, records, sorted } = file;
  const order = sorted ? null : records.map(({ resource }) => printResource(resource));
  await change.rows(sql`
    insert into statistics_file as f (registry, format, version, serial, start_date, end_date, utc_offset, summary_kinds, record_kinds, record_order, imported_at)
    values (${registry}, ${format}, ${header.version}, ${header.serial}, ${header.startDate}, ${header.endDate}, ${header.utcOffset},
      ${summaryKinds}::text[], ${recordKinds}::text[], ${order}::text[], ${change.now}::timestamptz)
    on conflict (registry) do update set (format, version, serial, start_date, end_date, utc_offset, summary_kinds, record_kinds, record_order, imported_at) =
      (excluded.format, excluded.version, excluded.serial, excluded.start_date, excluded.end_date, excluded.utc_offset, excluded.summary_kinds,
      excluded.record_kinds, excluded.record_order, excluded.imported_at)
    where (f.format, f.version, f.serial, f.start_date, f.end_date, f.utc_offset, f.summary_kinds, f.record_kinds, f.record_order) is distinct from
      (excluded.format, excluded.version, excluded.serial, excluded.start_date, excluded.end_date, excluded.utc_offset, excluded.summary_kinds,
      excluded.record_kinds, excluded.record_order)`);
}

const kinds: readonly ResourceFamily[] = ['ipv4', 'ipv6', 'asn'];
