import type { AnswerOf } from '@portal/contract';
import type { RouteChanges } from '@portal/contract/routes/routes';
import type { RouteSuggestion, routeSuggestions, SuggestionKind } from '@portal/contract/routes/suggestions';
import {
  containsRange,
  coveringPlaces,
  parsePrefix,
  type Prefix,
  printAsNumber,
  type Vrp,
  vrpsOfAs,
  type VrpIndex,
} from '@portal/number-resources';
import { breathing, filteredInTurns, mapInTurns, sortedInTurns } from '../../platform/breathing.ts';
import { routingView } from '../bgp-tables/index.ts';
import { holdingsOf } from '../resources/index.ts';
import {
  findAuthority,
  type JudgedAnnouncements,
  keptRoas,
  type ValidatedAnnouncement,
  validateAnnouncements,
  vrpsAround,
} from '../rpki/index.ts';
import { spaceOf } from './account-routes.ts';
import { type KeptRoute, keptRoutes, keyOf } from './route-rows.ts';
import { seenUnder, type SeenUnder } from './seen-under.ts';
import type { Act } from '../../platform/http/endpoints.ts';

/** Maximum number of suggestions in an answer, most important first. */
const MAX = 500;
const nothing: RouteChanges = { add: [], change: [], remove: [], adopt: [], text: '' };

/** AS numbers that a sentence names. */
const NAMED = 5;

/** True if one ROA allows everything that another does. */
const includes = (wide: Vrp, narrow: Vrp): boolean =>
  wide !== narrow &&
  wide.asn === narrow.asn &&
  wide.maxLength >= narrow.maxLength &&
  containsRange(parsePrefix(wide.prefix), parsePrefix(narrow.prefix));

type Kept = ReadonlyMap<string, Pick<KeptRoute, 'routeId'>>;

const suggestion = (
  kind: SuggestionKind,
  { prefix, asn, maxLength }: Vrp,
  why: string,
  changes: Partial<RouteChanges> | null,
  peers: number | null = null,
): RouteSuggestion => ({ kind, prefix, asn, maxLength, peers, why, changes: changes && { ...nothing, ...changes } });

/**
 * Returns the suggested improvements, the most important first, derived from all announcements and ROAs, so that the order makes no difference; and how many there are. Of two that
 * include each other neither is redundant. If none of an account's announcements are seen, no ROA is called stale, because collectors may not see it. Others have their turn meanwhile.
 * There may be tens of thousands, so only those that are answered are written out.
 */
export async function suggest(
  roas: readonly Vrp[],
  { announcements, index }: JudgedAnnouncements,
  kept: Kept,
): Promise<{ rows: RouteSuggestion[]; total: number }> {
  const breathe = breathing();
  const missing = await filteredInTurns(announcements, announcement => lacksRoa(announcement, index), breathe);
  const better: Record<Exclude<SuggestionKind, 'add'>, Vrp[]> = { disallowing: [], 'too-permissive': [], redundant: [], stale: [] };
  const seen = await seenUnder(roas, announcements);
  if (announcements.length > 0)
    for (const roa of roas) {
      const kind = kindOf(roa, seen);
      if (kind !== null) better[kind].push(roa);
      await breathe();
    }
  const byPeers = missing.length > 1 ? await sortedInTurns(missing, (a, b) => b.peers - a.peers, breathe) : missing;
  const rows = byPeers.slice(0, MAX).map(each => missingRoa(each, index, kept));
  for (const kind of ['disallowing', 'too-permissive', 'redundant', 'stale'] as const)
    for (const roa of better[kind].slice(0, MAX - rows.length)) rows.push(betterRoa(kind, roa, seen, kept));
  const total = Object.values(better).reduce((sum, { length }) => sum + length, missing.length);
  return { rows, total };
}

/** True if no ROA allows an announcement, and none for AS0 forbids it: that is never proposed. */
function lacksRoa({ prefix, asn, validity }: ValidatedAnnouncement, index: VrpIndex): boolean {
  if (validity === 'valid' || asn === 0) return false;
  return validity === 'not-found' || coveringPlaces(index, parsePrefix(prefix)).some(place => place.some(vrp => vrp.asn !== 0));
}

/** Returns the ROA that would allow an announcement. */
function missingRoa({ prefix: text, asn, peers, validity }: ValidatedAnnouncement, index: VrpIndex, kept: Kept): RouteSuggestion {
  const prefix = parsePrefix(text);
  const allowed = namedOver(index, prefix);
  const blank = { subRoutes: [], descr: '', maintainer: '', attributes: '', comment: '', owner: '' };
  const maxLength = prefix.length;
  const routeId = kept.get(keyOf({ prefix: text, asn }))?.routeId;
  const changes = routeId
    ? { change: [{ routeId, roa: true, maxLength }] }
    : { add: [{ prefix: text, asn: printAsNumber(asn), maxLength, roa: true, whois: false, ...blank }] };
  const why =
    validity === 'not-found'
      ? 'Seen in BGP, and no ROA covers it'
      : validity === 'invalid-length'
        ? 'Seen in BGP, and longer than its ROA allows'
        : `Seen in BGP from ${printAsNumber(asn)}, and ROAs allow only ${allowed.slice(0, NAMED).map(printAsNumber).join(', ')}${allowed.length > NAMED ? ' and others' : ''}`;
  return suggestion('add', { prefix: text, asn, maxLength }, why, changes, peers);
}

/** The first AS numbers of the VRPs over a prefix: one more than a sentence names. A prefix may have tens of thousands. */
function namedOver(index: VrpIndex, prefix: Prefix): number[] {
  const named = new Set<number>();
  for (const place of coveringPlaces(index, prefix))
    for (const { asn } of place) {
      named.add(asn);
      if (named.size > NAMED) return [...named];
    }
  return [...named];
}

/** ROAs that allow all that another does. */
function widerThan(roa: Vrp, index: VrpIndex): Vrp[] {
  return coveringPlaces(index, parsePrefix(roa.prefix))
    .flatMap(place => vrpsOfAs(index, place, roa.asn))
    .filter(other => includes(other, roa));
}

/** Says what would be better about a ROA; null if nothing is. */
function kindOf(roa: Vrp, { index, longestOf, stoppedIn }: SeenUnder<Vrp>): Exclude<SuggestionKind, 'add'> | null {
  if (roa.asn === 0) return null;
  const longest = longestOf.get(roa);
  if (longest === undefined) return stoppedIn.has(coveringPlaces(index, parsePrefix(roa.prefix)).at(-1)!) ? 'disallowing' : 'stale';
  if (widerThan(roa, index).some(other => !includes(roa, other))) return 'redundant';
  return longest < roa.maxLength ? 'too-permissive' : null;
}

/** Returns what would be better than a ROA as it is. */
function betterRoa(
  kind: Exclude<SuggestionKind, 'add'>,
  roa: Vrp,
  { index, longestOf, stoppedIn }: SeenUnder<Vrp>,
  kept: Kept,
): RouteSuggestion {
  const routeId = kept.get(keyOf(roa))?.routeId;
  const changed = (changes: Partial<RouteChanges['change'][number]>): Partial<RouteChanges> | null =>
    routeId === undefined ? null : { change: [{ routeId, ...changes }] };
  switch (kind) {
    case 'disallowing': {
      const stopped = stoppedIn.get(coveringPlaces(index, parsePrefix(roa.prefix)).at(-1)!)!;
      return suggestion(
        kind,
        roa,
        `Allows nothing that is seen, and makes ${stopped.prefix} from ${printAsNumber(stopped.asn)} invalid`,
        changed({ roa: false }),
      );
    }
    case 'stale':
      return suggestion(
        kind,
        roa,
        'Nothing that it allows is seen in BGP. Keep it if the network announces it at times',
        changed({ roa: false }),
      );
    case 'redundant': {
      const [other] = widerThan(roa, index);
      return suggestion(
        kind,
        roa,
        `The ROA for ${other!.prefix} up to /${other!.maxLength} allows all that this one does`,
        routeId === undefined ? null : { remove: [{ routeId, keepRoa: false, keepObjects: true }] },
      );
    }
    case 'too-permissive': {
      const longest = longestOf.get(roa)!;
      return suggestion(
        kind,
        { ...roa, maxLength: longest },
        `Allows announcements down to /${roa.maxLength}, and none longer than /${longest} is seen (RFC 9319)`,
        changed({ maxLength: longest }),
      );
    }
  }
}

/** Returns the suggestions for an account, from the announcements seen by collectors. */
export async function listSuggestions({
  read,
  account: { accountName },
}: Act<typeof routeSuggestions.listSuggestions>): Promise<AnswerOf<typeof routeSuggestions.listSuggestions>> {
  const space = spaceOf((await holdingsOf(read, [accountName])).get(accountName)!);
  const { collectedAt, announcements } = await routingView(read, accountName, space);
  if ((await findAuthority(read, accountName)) === null || announcements.length === 0) return { collectedAt, rows: [], total: 0 };
  const roas = await keptRoas(read, accountName);
  const others = (await vrpsAround(read, space)).filter(vrp => vrp.accountName !== accountName);
  const judged = await validateAnnouncements(announcements, [...others, ...roas]);
  return { collectedAt, ...(await suggest(roas, judged, await mapInTurns(await keptRoutes(read, accountName), keyOf))) };
}
