import { type AddressRange, findSpecialAs, findSpecialBlock, printAddress, printAsNumber, printRange } from '@portal/number-resources';
import type { Database } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { Elsewhere } from '../whois/index.ts';
import { noPeople } from './answer.ts';
import { readBootstrap, registryOfService } from './bootstrap.ts';
import { findElsewhere } from './look-ups.ts';
import { rdapPrefix } from './routes.ts';

/**
 * Returns a function that says where to ask for numbers of another registry; null for our own or unassigned numbers. Uses the
 * data of RDAP's redirects.
 * @throws Error if IANA's bootstrap files can't be read.
 */
export function createElsewhereFinder({
  config,
  profile,
}: Pick<ModuleContext, 'profile'> & { config: Pick<ModuleContext['config'], 'appUrl' | 'rdapBootstrapDir'> }) {
  const base = config.appUrl + rdapPrefix;
  const place = { context: { base, request: base, profile, people: noPeople() }, bootstrap: readBootstrap(config.rdapBootstrapDir) };
  return async (db: Database, asked: AddressRange | number): Promise<Elsewhere | null> => {
    // Special-purpose space isn't registered with anyone, whatever IANA block it lies in.
    if (typeof asked === 'number' ? findSpecialAs(asked) : findSpecialBlock(asked)) return null;
    const address = await findElsewhere({ ...place, db }, asked);
    if (address === null) return null;
    const what = typeof asked === 'number' ? printAsNumber(asked) : printed(asked);
    const registry = registryOfService(address);
    const sentence = registry
      ? `${what} is registered with ${registry.name}: ask ${registry.whois}, or ${address}`
      : `${what} is registered elsewhere: ask ${address}`;
    return { sentence, registry, rdap: address };
  };
}

const printed = (range: AddressRange): string =>
  range.first === range.last ? printAddress({ family: range.family, value: range.first }) : printRange(range);
