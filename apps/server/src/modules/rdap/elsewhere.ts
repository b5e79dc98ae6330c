import { type AddressRange, findSpecialAs, findSpecialBlock, printAddress, printAsNumber, printRange } from '@portal/number-resources';
import type { ModuleContext } from '../../platform/module.ts';
import { readBootstrap, registryOfService } from './bootstrap.ts';
import { findElsewhere } from './look-ups.ts';
import { rdapPrefix } from './routes.ts';

/**
 * Makes what tells where to ask for numbers of other registries, a sentence each; nothing for what is ours or nobody's. It knows what the redirects of
 * RDAP know.
 * @throws Error when IANA's bootstrap files cannot be read.
 */
export function elsewhereTeller({
  db,
  config,
  profile,
}: Pick<ModuleContext, 'db' | 'profile'> & { config: Pick<ModuleContext['config'], 'appUrl' | 'rdapBootstrapDir'> }) {
  const base = config.appUrl + rdapPrefix;
  const lookUp = { db, context: { base, request: base, profile }, bootstrap: readBootstrap(config.rdapBootstrapDir) };
  return async (asked: AddressRange | number): Promise<string[]> => {
    // What the world set aside is registered with nobody, wherever IANA's blocks have it.
    if (typeof asked === 'number' ? findSpecialAs(asked) : findSpecialBlock(asked)) return [];
    const address = await findElsewhere(lookUp, asked);
    if (address === null) return [];
    const what = typeof asked === 'number' ? printAsNumber(asked) : printed(asked);
    const registry = registryOfService(address);
    return [
      registry
        ? `${what} is registered with ${registry.name}: ask ${registry.whois}, or ${address}`
        : `${what} is registered elsewhere: ask ${address}`,
    ];
  };
}

const printed = (range: AddressRange): string =>
  range.first === range.last ? printAddress({ family: range.family, value: range.first }) : printRange(range);
