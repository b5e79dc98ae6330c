import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import { isInsideZone } from '@portal/rpsl';
import { addressIn, recordTypes } from '../../../adapters/dns/message.ts';
import type { CheckTools } from './check-question.ts';
import type { Findings, Target } from './findings.ts';
import { addressesInZone } from './zone-addresses.ts';

const hour = 3_600;

/** Checks the names and timers of the SOA, and that there is only one. */
export async function checkSoa(zone: string, targets: readonly Target[], tools: CheckTools, found: Findings): Promise<void> {
  const target = targets.find(({ isAuthoritative }) => isAuthoritative);
  if (!target) {
    for (const check of ['mname', 'rname', 'refresh', 'retry', 'expire', 'minimum', 'singleSoa', 'mnameResolves'] as const)
      found.skip(check, 'No server answers');
    return;
  }
  const { soa, server } = target;
  const { mname, rname, refresh, retry, expire, minimum } = soa!;
  const say = (check: DnsCheck, right: boolean, detail: string): void =>
    right ? found.pass(check, detail) : found.fail(check, detail, server);
  say('mname', mname.includes('.'), mname === '' ? 'The primary is empty' : `Primary ${mname}`);
  const isInside = isInsideZone(mname, zone);
  const inZone = isInside && mname.includes('.') ? await addressesInZone(mname, targets, tools) : null;
  const primary = !mname.includes('.')
    ? null
    : inZone
      ? { addresses: inZone.records.map(addressIn), failure: Object.values(inZone.unanswered)[0] ?? null }
      : await tools.resolver.addressesOf(mname);
  if (primary === null) found.skip('mnameResolves', 'The primary has no full name');
  else if (primary.addresses.length > 0) found.pass('mnameResolves', primary.addresses.join(', '));
  else if (primary.failure !== null) found.skip('mnameResolves', `${mname} couldn’t be looked up (${primary.failure})`);
  else found.fail('mnameResolves', `${mname} ${isInside ? 'lies inside the zone and has no address there' : 'has no address'}`, server);
  say('rname', rname.includes('.') && !rname.includes('@'), rname === '' ? 'The contact is empty' : `Contact ${rname}`);
  say('refresh', refresh >= 4 * hour, `Refresh ${refresh} seconds`);
  say('retry', retry >= hour && retry < refresh, `Retry ${retry} seconds, refresh ${refresh}`);
  say('expire', expire >= 168 * hour && expire > refresh, `Expire ${expire} seconds`);
  say('minimum', minimum >= 300 && minimum <= 24 * hour, `Minimum ${minimum} seconds`);
  const several = targets.filter(
    ({ soaUdp, soaTcp }) => ((soaUdp.message ?? soaTcp.message)?.answers.filter(({ type }) => type === recordTypes.SOA).length ?? 0) > 1,
  );
  found.each(
    'singleSoa',
    several.map(each => ({ server: each.server, detail: `${each.server} answers with several SOA records` })),
    targets.filter(({ isAuthoritative }) => isAuthoritative),
  );
}
