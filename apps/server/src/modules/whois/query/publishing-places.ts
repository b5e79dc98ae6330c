import type { Module, ModuleContext } from '../../../platform/module.ts';
import { publicText, readBackIrr, readBackWhois } from './read-back.ts';

type Place = NonNullable<Module['publishing']>[number];
type Versions = Parameters<Place['ask']>[0];

/** Classes used for router configuration. */
const irrClasses = new Set(['aut-num', 'as-set', 'route', 'route6', 'route-set', 'filter-set', 'peering-set', 'rtr-set', 'inet-rtr']);

async function ask(
  readBack: typeof readBackWhois,
  versions: Versions,
  { db, config, profile, release }: ModuleContext,
): ReturnType<Place['ask']> {
  if (!config.roles.includes('whois'))
    return { query: null, state: 'elsewhere', answer: 'Another process answers it, which was not asked' };
  const place = { db: db.forQuestion(), source: profile.source, host: profile.whoisHost, termsUrl: profile.whoisTermsUrl, release };
  const { query, text } = await readBack(place, versions[0]!);
  return { query, seen: versionOfText(versions, text), isThere: text !== null };
}

/** The newest version with this text; for a deletion, its absence. */
function versionOfText(versions: Versions, text: string | null): Versions[number] | undefined {
  if (text === null) return versions.at(-1)?.operation === 'DEL' ? versions.at(-1) : undefined;
  return versions.findLast(version => version.operation === 'ADD' && publicText(version) === text);
}

/** Port 43, by whois queries and by the protocol of IRRd. */
export const port43Places: readonly Place[] = [
  { place: 'whois', name: 'Whois', ask: (versions, context) => ask(readBackWhois, versions, context) },
  {
    place: 'irr',
    name: 'IRR',
    ask: async (versions, context) => (irrClasses.has(versions[0]!.class) ? ask(readBackIrr, versions, context) : null),
  },
];
