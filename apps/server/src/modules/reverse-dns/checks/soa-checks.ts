import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import { isInsideZone } from '@portal/rpsl';
import { addressIn, recordTypes } from '../../../adapters/dns/message.ts';
import { failureOf } from './answer-words.ts';
import type { Findings, Target } from './findings.ts';
import type { CheckTools } from './check-question.ts';

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
  const primary = !mname.includes('.')
    ? null
    : isInside
      ? await addressesInZone(mname, target, tools)
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

/** Addresses of a name inside the zone, from the zone itself, because its delegation may have none. `failure`: why they are unknown. */
async function addressesInZone(
  name: string,
  { address, ednsFault }: Target,
  { client, port, timeoutMs }: CheckTools,
): Promise<{ addresses: string[]; failure: string | null }> {
  const answers = await Promise.all(
    (['A', 'AAAA'] as const).map(type =>
      client.query(address, { name, type, ...(ednsFault !== null && { edns: false }) }, { transport: 'udp', port, timeoutMs }),
    ),
  );
  const lost = answers.find(({ failure }) => failure);
  return {
    addresses: answers.flatMap(
      ({ message }) => message?.answers.flatMap(each => (addressTypes.has(each.type) ? [addressIn(each)] : [])) ?? [],
    ),
    failure: lost ? failureOf(lost) : null,
  };
}
const addressTypes: ReadonlySet<number> = new Set([recordTypes.A, recordTypes.AAAA]);
