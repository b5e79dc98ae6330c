import { instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { maxCheckedFirst } from '@portal/contract/reverse-dns/reverse-dns';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

type Checked = { checkId: string; zone: string; grade: string | null; report: CheckReport | null };

/**
 * Returns the last check of each zone since an instant that asked these name servers and keys as if they were delegated; undefined for those without.
 * It counts no matter who started it.
 */
export async function latestChecks(
  read: Pick<Read, 'rows'>,
  zones: readonly { zone: string; ds: readonly string[] }[],
  servers: readonly string[],
  since: string,
): Promise<(Checked | undefined)[]> {
  const checks: (Checked | undefined)[] = [];
  for (const { zone, ds } of zones) {
    const keys = ds.map(each => each.toUpperCase()).toSorted();
    const [row] = await read.rows<Checked>(sql`select check_id, zone, grade, report from rdns_check
      where zone = ${zone} and undelegated and done_at is not null and asked_at >= ${since}::timestamptz
        and array(select unnest(servers) order by 1) = array(select unnest(${[...servers]}::text[]) order by 1)
        and array(select unnest(ds) order by 1) = array(select unnest(${keys}::text[]) order by 1)
      order by asked_at desc limit 1`);
    checks.push(row);
  }
  return checks;
}

/** The first error of a check, as worded in the report, or null. */
export const worstOf = ({ report }: Pick<Checked, 'report'>): string | null =>
  report?.findings?.find(({ state, severity }) => state === 'failed' && severity === 'error')?.detail ?? null;

/**
 * Refuses to delegate zones unless exactly these name servers were checked recently and found ready. The last check of a zone counts, no matter who
 * started it. Of many zones only the first are checked; the watch asks the others once they are delegated.
 * @throws Failure DNS_CHECK_MISSING, DNS_CHECK_FAILED
 */
export async function refuseUnchecked(
  change: Change,
  zones: readonly { zone: string; ds: readonly string[] }[],
  servers: readonly string[],
  minutes: number,
): Promise<void> {
  const asked = zones.slice(0, maxCheckedFirst);
  if (asked.length === 0) return;
  const checks = await latestChecks(change, asked, servers, instantBefore(new Date(change.now), minutes * MINUTE_MS));
  const missing = asked.filter((_, index) => !checks[index]).map(({ zone }) => zone);
  if (missing.length > 0) throw refuse('DNS_CHECK_MISSING', { zones: missing.join(', '), minutes: String(minutes) });
  const failed = checks.filter(check => check?.grade === 'error' || check?.grade === 'failed');
  if (failed.length === 0) return;
  throw refuse('DNS_CHECK_FAILED', {
    zones: failed.map(check => check!.zone).join(', '),
    why: worstOf(failed[0]!) ?? 'the check could not be made. Check again',
  });
}
