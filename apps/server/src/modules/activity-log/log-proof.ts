import type { Download } from '@portal/contract';
import { type activityLog, proofDays } from '@portal/contract/activity-log/activity-log';
import { daysBetween } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { lineLeaf, lineText, type LogRoot, logRootColumns, type Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { refuseField } from '../../platform/failure.ts';
import { pathOf, type Tree, treeOver } from '../../platform/merkle-tree.ts';
import { matching, type Reading } from './activity-lines.ts';
import { periodOf } from './period.ts';

/** Lines of the whole registry in the roots of one proof at most: all of them are hashed. */
const MAX_LINES_HASHED = 500_000;
/** Lines of one part of the file. */
const LINES_OF_PART = 500;

type Line = { position: number; line: string };

/**
 * Returns the lines that the reader may see, each with the way from its leaf to a published root (RFC 9162, 2.1.3): with the roots, which anyone may have noted
 * elsewhere, it proves that the line is in the log as it was published. It doesn't prove that no line is missing. Lines without a root yet are counted.
 * @throws Failure INVALID_REQUEST for an invalid period, one longer than 92 days, or one in which the registry has more than 500,000 lines
 */
export async function exportLogProof({ query: { from, to }, ...reading }: Act<typeof activityLog.exportLogProof>): Promise<Download> {
  const { account, registry } = reading;
  const period = periodOf({ from, to }, registry.now, registry.profile.timeZone);
  if (daysBetween(period.from, period.to) >= proofDays)
    throw refuseField('from', `A proof covers at most ${proofDays} days. Choose a shorter period`);
  const where = matching(reading, { from: period.from, to: period.to, q: '' });
  const roots = await rootsOf(reading.read, where);
  if (roots.reduce((sum, { first, last }) => sum + last - first + 1, 0) > MAX_LINES_HASHED)
    throw refuseField('from', 'The registry has too many lines in this period for one proof. Choose a shorter period');
  return {
    fileName: `${account.accountName}-log-proof-${period.from}-${period.to}.json`,
    contentType: 'application/json; charset=utf-8',
    chunks: proofOf(reading, { from: period.from, to: period.to }, where, roots),
  };
}

/** Returns the roots that have some of the lines. */
async function rootsOf(read: Read, where: RawBuilder<unknown>): Promise<LogRoot[]> {
  const rows = await read.rows<LogRoot & { hasOwn: boolean }>(sql`with own as (
      select s.position from activity a join activity_seal s using (activity_id) where ${where})
    select ${sql.raw(logRootColumns)}, exists (select from own where own.position between r.first_position and r.last_position) as has_own from log_root r
      where r.last_position >= (select min(position) from own) order by root_id`);
  return rows.filter(({ hasOwn }) => hasOwn);
}

async function* proofOf(
  { read, account, registry }: Reading,
  period: { from: string; to: string },
  where: RawBuilder<unknown>,
  roots: readonly LogRoot[],
): AsyncGenerator<string> {
  const lines = sql`activity a join activity_seal s using (activity_id)`;
  const newest = roots.at(-1)?.last ?? 0;
  const [later] = await read.rows<{
    lines: number;
  }>(sql`select count(*)::int as lines from activity a left join activity_seal s using (activity_id)
    where ${where} and (s.position is null or s.position > ${newest})`);
  yield `${JSON.stringify({
    registry: registry.profile.registryName,
    roots: `${registry.config.appUrl}/log/roots.txt`,
    account: account.accountName,
    ...period,
    withoutRoot: later!.lines,
  }).slice(0, -1)},"lines":[`;
  let before = '\n';
  for (const root of roots) {
    const tree = await treeOfRoot(read, root);
    const size = tree[0]!.length;
    for await (const own of read.stream<Line>(
      sql`select s.position, ${lineText} as line from ${lines} where ${where} and s.position between ${root.first} and ${root.last} order by s.position`,
      LINES_OF_PART,
    )) {
      const proofs = own.map(({ position, line }) => {
        const index = position - root.first;
        return JSON.stringify({ line, root: root.rootId, index, size, path: pathOf(tree, index).map(node => node.toString('hex')) });
      });
      if (proofs.length === 0) continue;
      yield before + proofs.join(',\n');
      before = ',\n';
    }
  }
  yield ']}\n';
}

async function treeOfRoot(read: Read, { first, last }: LogRoot): Promise<Tree> {
  const rows = await read.rows<{ leaf: Buffer }>(sql`select ${lineLeaf} as leaf from activity_seal s join activity a using (activity_id)
    where s.position between ${first} and ${last} order by s.position`);
  return treeOver(rows.map(({ leaf }) => leaf));
}
