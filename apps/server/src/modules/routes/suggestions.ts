import type { AnswerOf } from '@portal/contract';
import type { RouteChanges } from '@portal/contract/routes/routes';
import type { RouteSuggestion, routeSuggestions, SuggestionKind } from '@portal/contract/routes/suggestions';
import { containsRange, coveringVrps, indexVrps, parsePrefix, printAsNumber, type Vrp } from '@portal/number-resources';
import { routingView } from '../bgp-tables/index.ts';
import { type ValidatedAnnouncement, validateAnnouncements, vrpsAround } from '../rpki/index.ts';
import { accountRoutes } from './account-routes.ts';
import { type KeptRoute, keyOf } from './route-rows.ts';
import type { Act } from '../../platform/http/endpoints.ts';

/** Maximum number of suggestions in an answer, most important first. */
const MAX = 500;
const order: readonly SuggestionKind[] = ['add', 'disallowing', 'too-permissive', 'redundant', 'stale'];
const nothing: RouteChanges = { add: [], change: [], remove: [], adopt: [], text: '' };

/** Returns true if a ROA alone makes an announcement valid. */
const allows = (roa: Vrp, { prefix, asn }: Pick<ValidatedAnnouncement, 'prefix' | 'asn'>): boolean => {
  const announced = parsePrefix(prefix);
  return roa.asn === asn && asn !== 0 && announced.length <= roa.maxLength && containsRange(parsePrefix(roa.prefix), announced);
};

/** True if one ROA allows everything that another does. */
const includes = (wide: Vrp, narrow: Vrp): boolean =>
  wide !== narrow &&
  wide.asn === narrow.asn &&
  wide.maxLength >= narrow.maxLength &&
  containsRange(parsePrefix(wide.prefix), parsePrefix(narrow.prefix));

/**
 * Returns the suggested improvements, derived from all announcements and ROAs, so that the order makes no difference. Of two that include each other
 * neither is redundant. If none of an account's announcements are seen, no ROA is called stale, because collectors may not see it.
 */
export function suggest(
  roas: readonly Vrp[],
  announcements: readonly ValidatedAnnouncement[],
  kept: ReadonlyMap<string, Pick<KeptRoute, 'routeId'>>,
): RouteSuggestion[] {
  const found: RouteSuggestion[] = [];
  const add = (kind: SuggestionKind, of: Vrp, why: string, changes: Partial<RouteChanges> | null, peers: number | null = null) =>
    found.push({
      kind,
      prefix: of.prefix,
      asn: of.asn,
      maxLength: of.maxLength,
      peers,
      why,
      changes: changes && { ...nothing, ...changes },
    });
  const routeOf = (roa: Vrp): string | undefined => kept.get(keyOf(roa))?.routeId;
  const index = indexVrps(roas);

  for (const { prefix, asn, peers, validity, covering } of announcements) {
    if (validity === 'valid' || asn === 0) continue;
    // Announcements forbidden by an AS0 ROA are never proposed.
    if (covering.length > 0 && covering.every(vrp => vrp.asn === 0)) continue;
    const maxLength = parsePrefix(prefix).length;
    const blank = { subRoutes: [], descr: '', maintainer: '', attributes: '', comment: '', owner: '' };
    const routeId = kept.get(keyOf({ prefix, asn }))?.routeId;
    const changes = routeId
      ? { change: [{ routeId, roa: true, maxLength }] }
      : { add: [{ prefix, asn: printAsNumber(asn), maxLength, roa: true, whois: false, ...blank }] };
    const why =
      validity === 'not-found'
        ? 'Seen in BGP, and no ROA covers it'
        : validity === 'invalid-length'
          ? 'Seen in BGP, and longer than its ROA allows'
          : `Seen in BGP from ${printAsNumber(asn)}, and ROAs allow only ${[...new Set(covering.map(vrp => printAsNumber(vrp.asn)))].join(', ')}`;
    add('add', { prefix, asn, maxLength }, why, changes, peers);
  }

  for (const roa of roas) {
    if (roa.asn === 0) continue;
    const routeId = routeOf(roa);
    const prefix = parsePrefix(roa.prefix);
    const inside = announcements.filter(each => containsRange(prefix, parsePrefix(each.prefix)));
    const allowed = inside.filter(each => allows(roa, each));
    const wider = coveringVrps(index, prefix).filter(other => includes(other, roa));
    if (wider.some(other => !includes(roa, other)) && allowed.length > 0) {
      const other = wider[0]!;
      add(
        'redundant',
        roa,
        `The ROA for ${other.prefix} up to /${other.maxLength} allows all that this one does`,
        routeId === undefined ? null : { remove: [{ routeId, keepRoa: false, keepObjects: true }] },
      );
    } else if (allowed.length === 0 && announcements.length > 0) {
      const stopped = inside.filter(each => each.validity.startsWith('invalid'));
      add(
        stopped.length > 0 ? 'disallowing' : 'stale',
        roa,
        stopped.length > 0
          ? `Allows nothing that is seen, and makes ${stopped[0]!.prefix} from ${printAsNumber(stopped[0]!.asn)} invalid`
          : 'Nothing that it allows is seen in BGP. Keep it if the network announces it at times',
        routeId === undefined ? null : { change: [{ routeId, roa: false }] },
      );
    } else if (roa.maxLength > prefix.length && allowed.length > 0) {
      const longest = Math.max(...allowed.map(each => parsePrefix(each.prefix).length));
      if (longest < roa.maxLength)
        add(
          'too-permissive',
          { ...roa, maxLength: longest },
          `Allows announcements down to /${roa.maxLength}, and none longer than /${longest} is seen (RFC 9319)`,
          routeId === undefined ? null : { change: [{ routeId, maxLength: longest }] },
        );
    }
  }
  return found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (b.peers ?? 0) - (a.peers ?? 0));
}

/** Returns the suggestions for an account, from the announcements seen by collectors. */
export async function listSuggestions({
  read,
  account: { accountName },
}: Act<typeof routeSuggestions.listSuggestions>): Promise<AnswerOf<typeof routeSuggestions.listSuggestions>> {
  const now = await accountRoutes(read, accountName);
  const { collectedAt, announcements } = await routingView(read, accountName, now.space);
  if (now.authorityVersion === null || announcements.length === 0) return { collectedAt, rows: [], total: 0 };
  const others = (await vrpsAround(read, now.space)).filter(vrp => vrp.accountName !== accountName);
  const validated = validateAnnouncements(announcements, [...others, ...now.roas]);
  const kept = new Map(now.kept.map(route => [keyOf(route), route]));
  const all = suggest(now.roas, validated, kept);
  return { collectedAt, rows: all.slice(0, MAX), total: all.length };
}
