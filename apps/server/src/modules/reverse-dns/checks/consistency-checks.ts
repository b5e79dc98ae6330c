import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import { isInsideZone } from '@portal/rpsl';
import { addressIn, codeName, nameIn, recordTypes } from '../../../adapters/dns/message.ts';
import { failureOf } from './answer-words.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';
import type { Findings, Target } from './findings.ts';
import { addressesInZone } from './zone-addresses.ts';

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
  tools: CheckTools,
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
  const unlisted = good.filter(target => !listing.includes(target));
  for (const { server, address, ns } of unlisted)
    found.fail(
      'nsEqual',
      `${server} (${address}) ${ns.message ? `answers ${codeName(ns.message.code)}` : `doesn’t answer (${failureOf(ns)})`} for the NS records of the zone`,
      server,
    );
  // With such a server the sets aren’t known to be the same, only to differ.
  if (unlisted.length === 0 || new Set(listing.map(target => nsOf(zone, target)!.join(' '))).size > 1)
    compare('nsEqual', 'Different servers', target => nsOf(zone, target)!.join(' '), listing);
  found.each(
    'nsAtApex',
    good.flatMap(target => {
      const { server, address, ns } = target;
      if (ns.message && ns.message.code !== 0)
        return [{ server, detail: `${server} (${address}) answers ${codeName(ns.message.code)} for the NS records of the zone` }];
      return nsOf(zone, target)?.length === 0 ? [{ server, detail: `${server} (${address}) has no NS records of the zone` }] : [];
    }),
    // Silence may be a lost packet: it is no error, and no proof either.
    good.every(({ ns }) => ns.message) ? good : [],
    '',
    good.length === 0 ? 'No server answers' : 'Not every server answers for NS',
  );
  const listed = [...new Set(servers.map(each => each.split(' ')[0]!))].toSorted();
  const child = good.flatMap(target => nsOf(zone, target) ?? []);
  if (listing.length === 0) {
    for (const check of ['nsEqualsParent', 'nsInCommon', 'childResolves'] as const) found.skip(check, 'No server answers for NS');
    return;
  }
  const only = { parent: listed.filter(each => !child.includes(each)), child: [...new Set(child)].filter(each => !listed.includes(each)) };
  await checkOthers(zone, only.child, good, tools, found);
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

/** Maximum number of looked-up servers that only the zone names. */
const MAX_OTHERS = 12;

/** Checks that servers that only the zone names have addresses: those inside the zone in the zone itself, others through the resolver. */
async function checkOthers(
  zone: string,
  hosts: readonly string[],
  targets: readonly Target[],
  tools: CheckTools,
  found: Findings,
): Promise<void> {
  if (hosts.length === 0) return found.pass('childResolves', 'The zone names no other servers than the delegation');
  const looked = await Promise.all(
    hosts.slice(0, MAX_OTHERS).map(async host => {
      if (!isInsideZone(host, zone)) return { host, ...(await tools.resolver.addressesOf(host)) };
      const { records, unanswered } = await addressesInZone(host, targets, tools);
      return { host, addresses: records.map(addressIn), failure: Object.values(unanswered)[0] ?? null };
    }),
  );
  const known = looked.filter(({ addresses, failure }) => addresses.length > 0 || failure === null);
  found.each(
    'childResolves',
    known
      .filter(({ addresses }) => addresses.length === 0)
      .map(({ host }) => ({
        server: host,
        detail: `${host} is in the NS records of the zone and has no address${isInsideZone(host, zone) ? ' there' : ''}`,
      })),
    known.length === looked.length ? known : [],
    '',
    'Not every server that only the zone names could be looked up',
  );
}
