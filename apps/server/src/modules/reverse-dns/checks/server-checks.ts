import type { DnsResult } from '../../../adapters/dns/client.ts';
import type { Findings, Target } from './findings.ts';
import { failureOf } from './answer-words.ts';
import type { CheckQuestion } from './check-question.ts';
import { aliasOf, deadBesidesGood, isUnreached, lameness, upward } from './lameness.ts';

/** Checks each server by its answers: over UDP and TCP, readable, authoritative, with EDNS, from the queried address, in time. */
export function checkServers({ zone }: CheckQuestion, all: readonly Target[], found: Findings): void {
  const at = ({ server, address }: Target): string => `${server} (${address})`;
  const reached = all.filter(each => !isUnreached(each));
  const good = reached.filter(each => each.isAuthoritative);
  if (good.length > 0) found.pass('answers', `${good.length} of ${reached.length} addresses`);
  else if (reached.length > 0) found.fail('answers', 'No server answers for the zone with authority');
  else found.fail('answers', all.length === 0 ? 'No server could be asked' : 'The registry reaches none of the addresses of the servers');
  const dead = deadBesidesGood(reached);
  found.each(
    'everyAddress',
    dead.map(target => ({
      server: target.server,
      detail: `${at(target)} ${lameness(zone, target)!}; the server answers at another address`,
    })),
    reached,
  );
  for (const target of all)
    if (isUnreached(target)) found.skip('everyAddress', `${at(target)} ${lameness(zone, target)!}, so it wasn’t asked`);
  const targets = reached.filter(target => !dead.includes(target));
  const wrong = (problemOf: (target: Target) => string | null) =>
    targets.flatMap(target => {
      const detail = problemOf(target);
      return detail === null ? [] : [{ server: target.server, detail: `${at(target)} ${detail}` }];
    });
  const overUdp = targets.filter(({ soaUdp }) => soaUdp.message);
  const answering = targets.filter(({ soaUdp, soaTcp }) => soaUdp.message ?? soaTcp.message ?? soaUdp.failure?.kind === 'garbage');
  const isTransport = ({ failure }: DnsResult): boolean =>
    failure?.kind === 'timeout' || failure?.kind === 'refused' || failure?.kind === 'closed';
  found.each(
    'udp',
    wrong(({ soaUdp }) => (isTransport(soaUdp) ? `doesn’t answer over UDP: ${failureOf(soaUdp)}` : null)),
    targets,
  );
  found.each(
    'tcp',
    wrong(({ soaTcp }) => (soaTcp.failure && soaTcp.failure.kind !== 'garbage' ? `doesn’t answer over TCP: ${failureOf(soaTcp)}` : null)),
    targets,
  );
  found.each(
    'wellFormed',
    wrong(({ soaUdp, soaTcp, ns }) => {
      const bad = [soaUdp, soaTcp, ns].find(
        ({ failure }) => failure?.kind === 'garbage' || failure?.kind === 'mismatch' || failure?.kind === 'too-large',
      );
      return bad ? `sends an answer that can’t be read: ${bad.failure!.detail}` : null;
    }),
    answering,
  );
  found.each(
    'authoritative',
    wrong(target => lameness(zone, target)),
    targets,
  );
  found.each(
    'soaExists',
    wrong(({ soaUdp, soaTcp, soa }) => {
      const message = soaUdp.message ?? soaTcp.message;
      return message?.code === 0 && soa === null && !message.truncated ? 'has no SOA of the zone' : null;
    }),
    answering,
  );
  found.each(
    'apexAlias',
    wrong(({ soaUdp, soaTcp }) => {
      const message = soaUdp.message ?? soaTcp.message;
      const alias = message ? aliasOf(zone, message) : null;
      return alias === null ? null : `has a CNAME to ${alias} in place of the zone`;
    }),
    answering,
  );
  found.each(
    'sameSource',
    wrong(({ elsewhere }) => (elsewhere === null ? null : `answers from ${elsewhere}, so resolvers discard its answers`)),
    targets.filter(({ soaUdp, elsewhere }) => soaUdp.message || elsewhere !== null),
  );
  found.each(
    'noUpwardReferral',
    wrong(({ soaUdp }) => (soaUdp.message && upward(zone, soaUdp.message) !== null ? 'refers upward' : null)),
    overUdp,
  );
  found.each(
    'edns',
    wrong(({ soaUdp, ednsFault }) => ednsFault ?? (soaUdp.message && !soaUdp.message.edns ? 'answers without EDNS' : null)),
    overUdp,
  );
  found.each(
    'quick',
    wrong(({ soaUdp }) => (soaUdp.message && soaUdp.milliseconds > 1_000 ? `took ${Math.round(soaUdp.milliseconds)} ms` : null)),
    overUdp,
  );
}
