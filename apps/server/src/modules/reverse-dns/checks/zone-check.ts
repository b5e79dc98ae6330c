import type { CheckedServer, CheckReport } from '@portal/contract/reverse-dns/checks';
import { checkDnssec } from './dnssec.ts';
import { findingsOf, type Target } from './findings.ts';
import { checkAddresses } from './address-checks.ts';
import { queryTarget, resolveServers } from './queried-servers.ts';
import { checkBehaviour } from './behaviour-checks.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';
import { checkConsistency } from './consistency-checks.ts';
import { checkGlue } from './glue-checks.ts';
import { checkReferral } from './referral-checks.ts';
import { isUnreached, lameness } from './lameness.ts';
import { boundaryOf, checkReverseNames, sampleNames } from './reverse-checks.ts';
import { checkServers } from './server-checks.ts';
import { checkSoa } from './soa-checks.ts';

/** Makes every check of a zone. Queries only the listed servers and the resolver; never throws because of servers. */
export async function checkZone(question: CheckQuestion, tools: CheckTools): Promise<CheckReport> {
  const found = findingsOf();
  const { zone } = question;
  const raw: CheckReport['raw'] = [];
  const prefix = boundaryOf(zone, found);
  const hosts = [...new Set(question.servers.map(each => each.split(' ')[0]!))];
  if (question.parent === null) found.skip('delegated', 'Tested before the delegation');
  else if (question.parent.found) found.pass('delegated', `Delegated to ${question.parent.servers.join(', ')}`);
  else found.fail('delegated', `${zone} isn’t delegated by its parent zone`);
  if (hosts.length >= 2) found.pass('twoServers', `${hosts.length} servers`);
  else found.fail('twoServers', hosts.length === 0 ? 'No name servers' : `Only ${hosts[0]}`);
  const [addresses, chain] = await Promise.all([resolveServers(question, tools, found), tools.resolver.chainTo(zone)]);
  const targets = await Promise.all(
    addresses.map(({ server, address }) => queryTarget({ zone, samples: sampleNames(prefix) }, server, address, tools, raw)),
  );
  checkServers(question, targets, found);
  await checkBehaviour(zone, targets, tools, found, raw);
  await checkConsistency(question, targets, tools, found);
  await checkGlue(question, targets, tools, found);
  await checkAddresses(targets, tools, found);
  await checkSoa(zone, targets, tools, found);
  const dnssec = await checkDnssec(zone, question.ds, targets, tools.now, found);
  await checkReverseNames(question, targets, tools, found);
  checkReferral(question, found);
  return {
    findings: found.list,
    servers: targets.map(serverOf),
    chain,
    ...dnssec,
    ds: [...question.ds],
    raw: raw.slice(0, 200),
  };
}

function serverOf(target: Target): CheckedServer {
  const { server, address, soaUdp, soaTcp, soa, isAuthoritative } = target;
  const answered = soaUdp.message ?? soaTcp.message;
  return {
    server,
    address,
    state: isAuthoritative ? 'authoritative' : answered ? 'lame' : isUnreached(target) ? 'unreached' : 'silent',
    said: isAuthoritative ? 'Answers with authority' : (lameness(soaUdp.message?.question?.name ?? '', target) ?? 'answers otherwise'),
    udpMs: soaUdp.message ? soaUdp.milliseconds : null,
    tcpMs: soaTcp.message ? soaTcp.milliseconds : null,
    serial: soa?.serial ?? null,
  };
}
