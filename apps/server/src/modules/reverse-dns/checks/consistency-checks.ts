import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import { isInsideZone } from '@portal/rpsl';
import { nameIn, recordTypes } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';

/** Names in the NS set of a server's answer. */
const nsOf = (zone: string, { ns }: Target): string[] | null =>
  ns.message && ns.message.code === 0
    ? ns.message.answers
        .filter(({ type, name }) => type === recordTypes.NS && name === zone)
        .map(nameIn)
        .toSorted()
    : null;

/** Checks whether the servers agree with each other and with the delegation. */
export async function checkConsistency(
  { zone, servers }: CheckQuestion,
  targets: readonly Target[],
  { resolver }: CheckTools,
  found: Findings,
): Promise<void> {
  const good = targets.filter(({ isAuthoritative }) => isAuthoritative);
  const compare = (check: DnsCheck, what: string, valueOf: (target: Target) => string, among: readonly Target[] = good): void => {
    const values = new Map<string, string[]>();
    for (const target of among) values.set(valueOf(target), [...(values.get(valueOf(target)) ?? []), target.server]);
    if (values.size > 1)
      found.fail(check, `${what}: ${[...values].map(([value, of]) => `${value} (${[...new Set(of)].join(', ')})`).join('; ')}`);
    else if (among.length > 0) found.pass(check, [...values.keys()][0] ?? '');
    else found.skip(check, 'No server answers');
  };
  compare('serialEqual', 'Different serials', ({ soa }) => String(soa!.serial));
  compare('mnameEqual', 'Different primaries', ({ soa }) => soa!.mname);
  compare('rnameEqual', 'Different contacts', ({ soa }) => soa!.rname);
  compare('timersEqual', 'Different timers', ({ soa }) => `${soa!.refresh} ${soa!.retry} ${soa!.expire} ${soa!.minimum}`);
  const listing = good.filter(target => nsOf(zone, target) !== null);
  compare('nsEqual', 'Different servers', target => nsOf(zone, target)!.join(' '), listing);
  found.each(
    'nsAtApex',
    listing
      .filter(target => nsOf(zone, target)!.length === 0)
      .map(({ server, address }) => ({ server, detail: `${server} (${address}) has no NS records of the zone` })),
    listing,
  );
  const listed = [...new Set(servers.map(each => each.split(' ')[0]!))].toSorted();
  const child = good.flatMap(target => nsOf(zone, target) ?? []);
  if (listing.length === 0) {
    for (const check of ['nsEqualsParent', 'nsInCommon', 'childResolves'] as const) found.skip(check, 'No server answers for NS');
    return;
  }
  const only = { parent: listed.filter(each => !child.includes(each)), child: [...new Set(child)].filter(each => !listed.includes(each)) };
  const looked = await Promise.all(
    only.child
      .filter(host => !isInsideZone(host, zone))
      .slice(0, 12)
      .map(async host => ({ host, ...(await resolver.addressesOf(host)) })),
  );
  const known = looked.filter(({ addresses, failure }) => addresses.length > 0 || failure === null);
  if (only.child.length === 0) found.pass('childResolves', 'The zone names no other servers than the delegation');
  else
    found.each(
      'childResolves',
      known
        .filter(({ addresses }) => addresses.length === 0)
        .map(({ host }) => ({ server: host, detail: `${host} is in the NS records of the zone and has no address` })),
      known,
    );
  if (only.parent.length + only.child.length === 0) found.pass('nsEqualsParent', listed.join(', '));
  else
    found.fail(
      'nsEqualsParent',
      [
        only.parent.length > 0 && `Only in the delegation: ${only.parent.join(', ')}`,
        only.child.length > 0 && `Only in the zone: ${only.child.join(', ')}`,
      ]
        .filter(Boolean)
        .join('. '),
    );
  if (listed.some(each => child.includes(each))) found.pass('nsInCommon');
  else
    found.fail('nsInCommon', child.length === 0 ? 'The zone has no NS records' : `The zone names ${[...new Set(child)].join(', ')} only`);
}
