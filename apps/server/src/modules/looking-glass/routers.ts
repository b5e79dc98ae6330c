import { sendToBird } from '../../adapters/bird.ts';
import type { OutsideSystem } from '../../platform/module.ts';

/** A query to a router: parsed addresses and numbers, never a person's text. */
export type Look = { family: 'ipv4' | 'ipv6'; prefix: string; exact: boolean } | { origin: number };
export type SeenRoute = { prefix: string; best: boolean; path: number[]; origin: Origin; nextHop: string | null; communities: string[] };
/** The AS number that originates a route; null for a path that ends in a set of them, which has no origin (RFC 6811, section 2). */
type Origin = number | null;

/** Routers of the profile. */
export type Routers = {
  list: readonly { router: string; name: string; location: string }[];
  /** @throws Error when the router does not answer */
  ask: (router: string, look: Look) => Promise<{ asked: string; text: string; routes: SeenRoute[] }>;
};

const TIMEOUT_MS = 20_000;

/** The command of BIRD for a look. */
const birdCommand = (look: Look): string =>
  'origin' in look
    ? `show route where bgp_path.last = ${look.origin} all`
    : look.exact
      ? `show route ${look.prefix} all`
      : `show route for ${look.prefix} all`;

/** Reads the answer of `show route … all`. */
export function readBirdRoutes(text: string): SeenRoute[] {
  const routes: SeenRoute[] = [];
  let prefix = '';
  for (const line of text.split('\n')) {
    const [, named, flags] = /^(\S+\/\d+)?\s+(?:unicast|blackhole|unreachable|prohibit)\s+\[[^\]]*\](.*)$/.exec(line) ?? [];
    if (flags !== undefined) {
      prefix = named ?? prefix;
      routes.push({ prefix, best: flags.includes('*'), path: [], origin: null, nextHop: null, communities: [] });
      continue;
    }
    const route = routes.at(-1);
    const [, name, value] = /^\s*BGP\.(\w+):\s*(.*)$/.exec(line) ?? [];
    if (!route || name === undefined || value === undefined) continue;
    if (name === 'as_path') {
      route.path = [...value.matchAll(/\d+/g)].map(([number]) => Number(number));
      route.origin = /\}\s*$/.test(value) ? null : (route.path.at(-1) ?? null);
    }
    if (name === 'next_hop') route.nextHop = value.split(' ')[0] || null;
    if (name === 'community' || name === 'large_community')
      route.communities.push(...[...value.matchAll(/\(([^)]*)\)/g)].map(([, parts]) => parts!.replaceAll(/,\s*/g, ':')));
  }
  return routes;
}

/** The routers of the registry's profile, each a BIRD reached by its control socket. */
export const lookedAtRouters: OutsideSystem<Routers> = {
  name: 'looking glass',
  open: ({ profile }) => {
    const routers = new Map(profile.lookingGlass.map(each => [each.router, each]));
    return {
      list: profile.lookingGlass.map(({ router, name, location }) => ({ router, name, location })),
      ask: async (router, look) => {
        const asked = birdCommand(look);
        const text = await sendToBird(routers.get(router)!.socket, asked, TIMEOUT_MS);
        return { asked, text, routes: readBirdRoutes(text) };
      },
    };
  },
};
