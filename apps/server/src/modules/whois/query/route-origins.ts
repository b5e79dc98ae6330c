import { indexVrps, parsePrefix, validateOrigin, type Validity, type Vrp, type VrpIndex } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';

/** Validity of routes by published ROAs, kept in memory so that answers on the whois port need no query. */
export type RouteOrigins = {
  /** The last read VRPs; null before that, or if there are none. */
  index(): VrpIndex | null;
  stop(): Promise<void>;
};

/** Interval, in ms, at which new publications are checked for. */
const LOOK_EVERY_MS = 30_000;

/** Reads the published VRPs, again whenever they change. While they can’t be read, the last ones apply. */
export async function openRouteOrigins(db: Database, log: Log): Promise<RouteOrigins> {
  let index: VrpIndex | null = null;
  let version = '';
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const [row] = await db.read.rows<{ version: string }>(sql`select published_vrps_version() as version`);
    if (row!.version === version) return;
    const vrps = await db.read.rows<Vrp>(sql`select prefix::text, asn::float8 as asn, max_length from published_vrps()`);
    index = vrps.length === 0 ? null : indexVrps(vrps);
    version = row!.version;
  };
  const start = (): void => {
    looking ??= look()
      .catch((error: unknown) => log.warn('reading published ROAs for whois failed; it is tried again', { error }))
      .finally(() => {
        looking = null;
      });
  };
  start();
  await (looking as Promise<void> | null);
  const timer = setInterval(start, LOOK_EVERY_MS).unref();
  return {
    index: () => index,
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

const routeKey = /^(.+\/\d{1,3})as(\d{1,10})$/i;

/** The state of a route object by its key, such as `198.18.0.0/16as64500` (RFC 6811); `not-found` for an invalid key. */
export function validityOfRoute(index: VrpIndex | null, key: string): Validity {
  const [, prefix, origin] = (index && routeKey.exec(key)) ?? [];
  return prefix === undefined ? 'not-found' : validateOrigin(index!, parsePrefix(prefix), Number(origin));
}

export const isInvalid = (validity: Validity): boolean => validity === 'invalid-asn' || validity === 'invalid-length';

/** Why routers that validate drop the announcement of an invalid route. */
const whyInvalid = (validity: Validity): string =>
  validity === 'invalid-length' ? 'its prefix is longer than the ROA of its AS allows' : 'a ROA names another AS for these addresses';

/** Returns a remark on a route that ROAs of this registry contradict; empty for all others. */
export function originRemark(
  { origins }: { origins?: (() => VrpIndex | null) | undefined },
  { class: name, key, shown }: { class: string; key: string; shown: string },
): string {
  const index = name === 'route' || name === 'route6' ? (origins?.() ?? null) : null;
  const validity = validityOfRoute(index, key);
  return isInvalid(validity) ? `% RPKI: '${shown}' is invalid, ${whyInvalid(validity)}\n\n` : '';
}
