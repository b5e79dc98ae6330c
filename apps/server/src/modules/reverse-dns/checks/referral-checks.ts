import type { CheckQuestion } from './check-question.ts';
import type { Findings } from './findings.ts';

/** Size of the parent's referral in bytes, without EDNS. */
export function checkReferral({ zone, servers }: CheckQuestion, found: Findings): void {
  const hosts = [...new Set(servers.map(each => each.split(' ')[0]!))];
  const glue = servers.filter(each => each.includes(' '));
  const size =
    12 +
    zone.length +
    6 +
    hosts.reduce((sum, host) => sum + 12 + host.length + 2, 0) +
    glue.reduce((sum, each) => sum + 12 + (each.includes(':') ? 16 : 4), 0);
  if (size <= 512) found.pass('referralSize', `${size} bytes`);
  else found.fail('referralSize', `The referral takes about ${size} bytes`);
}
