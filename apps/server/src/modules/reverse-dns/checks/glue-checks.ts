import { parseAddress } from '@portal/number-resources';
import { addressIn, recordTypes } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';

/** Compares the addresses in the delegation with those of the servers in the zone. */
export async function checkGlue(
  { zone, servers }: CheckQuestion,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
): Promise<void> {
  const glue = servers.filter(each => each.includes(' ')).map(each => each.split(' ') as [string, string]);
  const inside = servers.filter(each => !each.includes(' ') && (each === zone || each.endsWith(`.${zone}`)));
  const wrong: { server: string; detail: string }[] = inside.map(server => ({
    server,
    detail: `${server} lies inside the zone, so the delegation needs its address`,
  }));
  const from = targets.find(({ isAuthoritative }) => isAuthoritative);
  if (from)
    for (const host of new Set(glue.map(([name]) => name))) {
      const answers = await Promise.all(
        (['A', 'AAAA'] as const).map(type => client.query(from.address, { name: host, type }, { transport: 'udp', port, timeoutMs })),
      );
      const real = answers.flatMap(
        ({ message }) =>
          message?.answers
            .filter(({ type, name }) => name === host && (type === recordTypes.A || type === recordTypes.AAAA))
            .map(each => plain(addressIn(each))) ?? [],
      );
      for (const [, address] of glue.filter(([name]) => name === host))
        if (!real.includes(plain(address)))
          wrong.push({
            server: host,
            detail: `${host} is ${address} in the delegation and ${real.join(', ') || 'without address'} in the zone`,
          });
    }
  const needed = [...glue, ...inside];
  if (needed.length === 0) found.pass('glueEqual', 'No server lies inside the zone');
  else found.each('glueEqual', wrong, from ? needed : []);
}

const plain = (address: string): string => {
  const { family, value } = parseAddress(address);
  return `${family} ${value}`;
};
