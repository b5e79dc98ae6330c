import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import { nameIn, recordTypes } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import type { CheckQuestion } from './check-question.ts';

/** Names of the NS set that a server answers with. */
const nsOf = (zone: string, { ns }: Target): string[] | null =>
  ns.message && ns.message.code === 0
    ? ns.message.answers
        .filter(({ type, name }) => type === recordTypes.NS && name === zone)
        .map(nameIn)
        .toSorted()
    : null;

/** Checks whether the servers agree with each other and with the delegation. */
export function checkConsistency({ zone, servers }: CheckQuestion, targets: readonly Target[], found: Findings): void {
  const good = targets.filter(({ isAuthoritative }) => isAuthoritative);
  const compare = (check: DnsCheck, what: string, valueOf: (target: Target) => string): void => {
    const values = new Map<string, string[]>();
    for (const target of good) values.set(valueOf(target), [...(values.get(valueOf(target)) ?? []), target.server]);
    if (values.size > 1)
      found.fail(check, `${what}: ${[...values].map(([value, of]) => `${value} (${[...new Set(of)].join(', ')})`).join('; ')}`);
    else if (good.length > 0) found.pass(check, [...values.keys()][0] ?? '');
    else found.skip(check, 'No server answers');
  };
  compare('serialEqual', 'Different serials', ({ soa }) => String(soa!.serial));
  compare('mnameEqual', 'Different primaries', ({ soa }) => soa!.mname);
  compare('rnameEqual', 'Different contacts', ({ soa }) => soa!.rname);
  compare('timersEqual', 'Different timers', ({ soa }) => `${soa!.refresh} ${soa!.retry} ${soa!.expire} ${soa!.minimum}`);
  compare('nsEqual', 'Different servers', target => (nsOf(zone, target) ?? []).join(' '));
  const listed = [...new Set(servers.map(each => each.split(' ')[0]!))].toSorted();
  const child = good.flatMap(target => nsOf(zone, target) ?? []);
  if (good.length === 0) {
    found.skip('nsEqualsParent', 'No server answers');
    found.skip('nsInCommon', 'No server answers');
    return;
  }
  const only = { parent: listed.filter(each => !child.includes(each)), child: [...new Set(child)].filter(each => !listed.includes(each)) };
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
