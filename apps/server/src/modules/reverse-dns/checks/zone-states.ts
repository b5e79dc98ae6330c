import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { dnsChecks } from '@portal/contract/reverse-dns/check-catalogue';
import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { lameHosts } from './lame-servers.ts';
import { holderOfZone, notifyZoneContacts } from './zone-notices.ts';
import { reverseDnsTexts } from '../mail-texts.ts';

/** Days before the end of signatures from which a zone needs attention. */
const SOON_DAYS = 3;
const chainChecks = new Set(['dsMatches', 'dsSigned', 'keySignature', 'soaSignature', 'signatureTime', 'dsDigest', 'algorithmComplete']);

/** Records the result of a check of a delegated zone: the state shown to its account. */
export async function noteZoneState(
  change: Change,
  zone: string,
  checkId: string,
  { findings, ds, servers, signaturesEnd }: CheckReport,
  grade: string,
): Promise<void> {
  const failed = findings.filter(({ state }) => state === 'failed');
  const worst = failed.find(({ severity }) => severity === 'error') ?? failed.find(({ severity }) => severity === 'warning') ?? null;
  const isLame = servers.length === 0 || lameHosts(servers).length > 0;
  const isBroken = ds.length > 0 && failed.some(({ check }) => chainChecks.has(check));
  const endsSoon = signaturesEnd !== null && ds.length > 0 && signaturesEnd < instantAfter(new Date(change.now), SOON_DAYS * DAY_MS);
  const state = isLame ? 'lame' : grade === 'error' || grade === 'warning' ? 'warning' : 'ok';
  const dnssec = ds.length === 0 ? 'none' : isBroken ? 'broken' : endsSoon ? 'ends-soon' : 'signed';
  const problem = worst === null ? null : worst.detail || dnsChecks[worst.check].title;
  const [before] = await change.selectFrom('rdnsZone').select('dnssec').where('zone', '=', zone).execute();
  await change.rows(sql`insert into rdns_zone (zone, state, dnssec, problem, check_id, checked_at, signatures_end)
    values (${zone}, ${state}, ${dnssec}, ${problem}, ${checkId}::uuid, ${change.now}::timestamptz, ${ds.length > 0 ? signaturesEnd : null}::timestamptz)
    on conflict (zone) do update set state = excluded.state, dnssec = excluded.dnssec, problem = excluded.problem, check_id = excluded.check_id,
      checked_at = excluded.checked_at, signatures_end = excluded.signatures_end`);
  // One notice on the change, not one a day.
  if ((dnssec === 'broken' || dnssec === 'ends-soon') && before?.dnssec !== dnssec)
    await notifyZoneContacts(
      change,
      zone,
      await holderOfZone(change, zone),
      dnssec === 'broken'
        ? reverseDnsTexts.written('dnssecBroken', { zone, problem: problem ?? 'no key matches' })
        : reverseDnsTexts.written('dnssecAboutBreak', { zone, endsOn: dayInFull(utcDay(signaturesEnd!)) }),
    );
}

/** Records states of zones without a check, for the demo registry, whose name servers don't exist. */
export async function noteSeenZones(
  change: Change,
  zones: readonly {
    zone: string;
    state: 'ok' | 'warning' | 'lame';
    signed: boolean;
    problem?: string;
    signaturesEnd?: string;
    /** A server that hasn't answered since then, and when its contacts were notified. */
    lame?: { server: string; since: string; notifiedAt: string };
  }[],
): Promise<void> {
  for (const { zone, state, signed, problem = null, signaturesEnd = null, lame } of zones) {
    if (lame)
      await change.rows(sql`insert into rdns_lame_server (zone, server, since, failed_at, notified_at)
        values (${zone}, ${lame.server}, ${lame.since}::timestamptz, ${change.now}::timestamptz, ${lame.notifiedAt}::timestamptz) on conflict do nothing`);
    await change.rows(sql`insert into rdns_zone (zone, state, dnssec, problem, checked_at, signatures_end)
      values (${zone}, ${state}, ${signaturesEnd ? 'ends-soon' : signed ? 'signed' : 'none'}, ${problem}, ${change.now}::timestamptz, ${signaturesEnd}::timestamptz)
      on conflict (zone) do nothing`);
  }
}
