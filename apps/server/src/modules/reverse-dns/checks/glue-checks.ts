import { parseAddress, printAddress } from '@portal/number-resources';
import { isInsideZone } from '@portal/rpsl';
import { addressIn } from '../../../adapters/dns/message.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';
import type { Findings, Target } from './findings.ts';
import { addressesInZone } from './zone-addresses.ts';

/** Compares the addresses in the delegation with those of the servers in the zone. An address that no server answered for isn’t judged. */
export async function checkGlue(
  { zone, servers }: CheckQuestion,
  targets: readonly Target[],
  tools: CheckTools,
  found: Findings,
): Promise<void> {
  const glue = servers.filter(each => each.includes(' ')).map(each => each.split(' ') as [string, string]);
  const inside = servers.filter(each => !each.includes(' ') && isInsideZone(each, zone));
  if (glue.length + inside.length === 0) return found.pass('glueEqual', 'No server lies inside the zone');
  const wrong: { server: string; detail: string }[] = inside.map(server => ({
    server,
    detail: `${server} lies inside the zone, so the delegation needs its address`,
  }));
  const lost: string[] = [];
  if (targets.some(({ isAuthoritative }) => isAuthoritative))
    for (const [host, addresses] of Map.groupBy(glue, ([name]) => name)) {
      const { records, unanswered } = await addressesInZone(host, targets, tools);
      const real = records.filter(({ name }) => name === host).map(each => plain(addressIn(each)));
      for (const [, address] of addresses) {
        if (real.includes(plain(address))) continue;
        const failure = unanswered[parseAddress(address).family];
        if (failure === undefined)
          wrong.push({
            server: host,
            detail: `${host} is ${address} in the delegation and ${real.join(', ') || 'without address'} in the zone`,
          });
        else lost.push(`${host} ${address} couldn’t be compared with the zone (${failure})`);
      }
    }
  else if (glue.length > 0) lost.push('No server could be asked');
  for (const detail of lost) found.skip('glueEqual', detail);
  if (wrong.length > 0 || lost.length === 0) found.each('glueEqual', wrong, servers);
}

const plain = (address: string): string => printAddress(parseAddress(address));
