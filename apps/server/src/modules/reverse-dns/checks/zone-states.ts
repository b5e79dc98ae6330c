import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { dnsChecks } from '@portal/contract/reverse-dns/check-catalogue';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';

/** Days before the end of signatures at which a zone counts as one to look after. */
const SOON_DAYS = 3;
const chainChecks = new Set(['dsMatches', 'dsSigned', 'keySignature', 'soaSignature', 'signatureTime', 'dsDigest', 'algorithmComplete']);

/** Notes what a check of a delegated zone found: the state that its account sees. */
export async function noteZoneState(
  change: Change,
  zone: string,
  checkId: string,
  { findings, ds, servers, signaturesEnd }: CheckReport,
  grade: string,
): Promise<void> {
  const failed = findings.filter(({ state }) => state === 'failed');
  const worst = failed.find(({ severity }) => severity === 'error') ?? failed.find(({ severity }) => severity === 'warning') ?? null;
  const isLame = servers.length === 0 || servers.some(({ state }) => state !== 'authoritative');
  const isBroken = ds.length > 0 && failed.some(({ check }) => chainChecks.has(check));
  const endsSoon = signaturesEnd !== null && ds.length > 0 && signaturesEnd < instantAfter(new Date(change.now), SOON_DAYS * DAY_MS);
  const state = isLame ? 'lame' : grade === 'error' || grade === 'warning' ? 'warning' : 'ok';
  const dnssec = ds.length === 0 ? 'none' : isBroken ? 'broken' : endsSoon ? 'ends-soon' : 'signed';
  const problem = worst === null ? null : worst.detail || dnsChecks[worst.check].title;
  await change.rows(sql`insert into rdns_zone (zone, state, dnssec, problem, check_id, checked_at, signatures_end)
    values (${zone}, ${state}, ${dnssec}, ${problem}, ${checkId}::uuid, ${change.now}::timestamptz, ${ds.length > 0 ? signaturesEnd : null}::timestamptz)
    on conflict (zone) do update set state = excluded.state, dnssec = excluded.dnssec, problem = excluded.problem, check_id = excluded.check_id,
      checked_at = excluded.checked_at, signatures_end = excluded.signatures_end`);
}

/** Notes what was seen of zones without a report of a check: for the demo registry, whose name servers don't exist. */
export async function noteSeenZones(
  change: Change,
  zones: readonly { zone: string; state: 'ok' | 'warning' | 'lame'; signed: boolean; problem?: string; signaturesEnd?: string }[],
): Promise<void> {
  for (const { zone, state, signed, problem = null, signaturesEnd = null } of zones)
    await change.rows(sql`insert into rdns_zone (zone, state, dnssec, problem, checked_at, signatures_end)
      values (${zone}, ${state}, ${signaturesEnd ? 'ends-soon' : signed ? 'signed' : 'none'}, ${problem}, ${change.now}::timestamptz, ${signaturesEnd}::timestamptz)
      on conflict (zone) do nothing`);
}
