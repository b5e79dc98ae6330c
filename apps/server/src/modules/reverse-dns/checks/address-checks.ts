import { parseAddress, printReverseName } from '@portal/number-resources';
import type { Findings, Target } from './findings.ts';
import type { CheckTools } from './check-question.ts';

/** Checks the addresses of the servers together: networks, origins and names. */
export async function checkAddresses(targets: readonly Target[], { resolver, originsOf, lab }: CheckTools, found: Findings): Promise<void> {
  const addresses = [...new Set(targets.map(({ address }) => address))];
  /** The /24 or /48 of each address of a family. */
  const networksOf = (wanted: 'ipv4' | 'ipv6'): bigint[] =>
    addresses.flatMap(address => {
      const { family, value } = parseAddress(address);
      return family === wanted ? [family === 'ipv4' ? value >> 8n : value >> 80n] : [];
    });
  const crowded = (['ipv4', 'ipv6'] as const).filter(family => {
    const networks = networksOf(family);
    return networks.length > 1 && new Set(networks).size === 1;
  });
  if (addresses.length < 2) found.skip('twoNetworks', 'Fewer than two addresses');
  else if (crowded.length === 0 || lab) found.pass('twoNetworks');
  else
    found.fail(
      'twoNetworks',
      `All ${crowded.map(family => (family === 'ipv4' ? 'IPv4' : 'IPv6')).join(' and ')} addresses of the servers are in one network`,
    );
  const origins = await Promise.all(addresses.map(originsOf));
  const numbers = new Set(origins.flat());
  if (origins.some(each => each.length === 0) || addresses.length < 2)
    found.skip('twoAsns', 'The registry doesn’t know who announces all of them');
  else if (numbers.size > 1) found.pass('twoAsns', [...numbers].map(each => `AS${each}`).join(', '));
  else found.fail('twoAsns', `All servers are in AS${[...numbers][0]}`);
  const names = await Promise.all(
    addresses.map(async address => ({ address, ...(await resolver.nameOf(printReverseName(parseAddress(address)))) })),
  );
  const server = (address: string): string => targets.find(each => each.address === address)!.server;
  const nameless = names.filter(({ name, failure }) => name === null && failure === null && !lab);
  const lost = names.filter(({ failure }) => failure !== null);
  for (const { address, failure } of lost) found.skip('addressName', `The name of ${address} couldn’t be looked up (${failure})`);
  if (nameless.length > 0 || lost.length === 0)
    found.each(
      'addressName',
      nameless.map(({ address }) => ({ server: server(address), detail: `${address} has no PTR record` })),
      names,
    );
  found.each(
    'addressNameMatches',
    names
      .filter(({ name, address }) => name !== null && name !== server(address))
      .map(({ address, name }) => ({ server: server(address), detail: `${address} is called ${name}` })),
    names.filter(({ name }) => name !== null),
  );
}
