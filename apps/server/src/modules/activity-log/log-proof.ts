import type { Download } from '@portal/contract';
import type { activityLog } from '@portal/contract/activity-log/activity-log';
import { daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import { lineLeaf, lineText, type LogRoot, logRootColumns, type Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { refuseField } from '../../platform/failure.ts';
import { pathOf, type Tree, treeOver } from '../../platform/merkle-tree.ts';
import { matching, type Reading } from './activity-lines.ts';
import { periodOf } from './period.ts';

/** Days of one proof at most: of each, all lines of the registry are hashed. */
const MAX_DAYS = 92;

type Line = { position: number; line: string };

/**
 * Returns the lines that the reader may see, each with the way from its leaf to a published root (RFC 9162, 2.1.3): with the roots, which anyone may have noted
 * elsewhere, it proves that the line was in the log on that day and is in it unchanged. Lines of days that aren't over are counted.
 * @throws Failure INVALID_REQUEST for an invalid period, or one longer than 92 days
 */
export async function exportLogProof({ query: { from, to }, ...reading }: Act<typeof activityLog.exportLogProof>): Promise<Download> {
  const { account, registry } = reading;
  const period = periodOf({ from, to }, registry.now, registry.profile.timeZone);
  if (daysBetween(period.from, period.to) >= MAX_DAYS)
    throw refuseField('from', `A proof covers at most ${MAX_DAYS} days. Choose a shorter period`);
  return {
    fileName: `${account.accountName}-log-proof-${period.from}-${period.to}.json`,
    contentType: 'application/json; charset=utf-8',
    chunks: proofOf(reading, { from: period.from, to: period.to }),
  };
}

async function* proofOf(reading: Reading, period: { from: string; to: string }): AsyncGenerator<string> {
  const { read, account, registry } = reading;
  const where = matching(reading, { ...period, q: '' });
  const lines = sql`activity a join activity_seal s using (activity_id)`;
  const roots = await read.rows<LogRoot>(sql`select ${sql.raw(logRootColumns)} from log_root r
    where exists (select from ${lines} where ${where} and s.position between r.first_position and r.last_position) order by root_id`);
  const [later] = await read.rows<{
    lines: number;
  }>(sql`select count(*)::int as lines from activity a left join activity_seal s using (activity_id)
    where ${where} and (s.position is null or s.position > coalesce((select max(last_position) from log_root), 0))`);
  yield `${JSON.stringify({
    registry: registry.profile.registryName,
    roots: `${registry.config.appUrl}/log/roots.txt`,
    account: account.accountName,
    ...period,
    withoutRoot: later!.lines,
  }).slice(0, -1)},"lines":[`;
  let before = '\n';
  for (const root of roots) {
    const own = await read.rows<Line>(sql`select s.position, ${lineText} as line from ${lines}
      where ${where} and s.position between ${root.first} and ${root.last} order by s.position`);
    const tree = await treeOfRoot(read, root);
    const size = tree[0]!.length;
    const proofs = own.map(({ position, line }) => {
      const index = position - root.first;
      return JSON.stringify({ line, root: root.rootId, index, size, path: pathOf(tree, index).map(node => node.toString('hex')) });
    });
    yield before + proofs.join(',\n');
    before = ',\n';
  }
  yield ']}\n';
}

async function treeOfRoot(read: Read, { first, last }: LogRoot): Promise<Tree> {
  const rows = await read.rows<{ leaf: Buffer }>(sql`select ${lineLeaf} as leaf from activity_seal s join activity a using (activity_id)
    where s.position between ${first} and ${last} order by s.position`);
  return treeOver(rows.map(({ leaf }) => leaf));
}
