import type { AnnouncementEffect, RouteEffect, Tally, Validity } from '@portal/contract/routes/routes';
import { coveringVrps, indexVrps, parsePrefix, validateOrigin, type Vrp, vrpIndexing, type VrpIndex } from '@portal/number-resources';
import { breathing } from '../../platform/breathing.ts';
import type { Announcement, RoutingView } from '../bgp-tables/index.ts';

/** An announcement with its state, and the ROAs that decide it. */
export type ValidatedAnnouncement = Announcement & { validity: Validity; covering: Vrp[] };

/** Validates announcements by VRPs. */
export function validateAnnouncements(announcements: readonly Announcement[], vrps: readonly Vrp[]): ValidatedAnnouncement[] {
  const index = indexVrps(vrps);
  return announcements.map(each => {
    const prefix = parsePrefix(each.prefix);
    return { ...each, validity: validateOrigin(index, prefix, each.asn), covering: coveringVrps(index, prefix) };
  });
}

const isInvalid = (validity: Validity): boolean => validity === 'invalid-asn' || validity === 'invalid-length';

/** Counts announcements by their state. */
export function tallyOf(validities: Iterable<Validity>): Tally {
  const tally = { valid: 0, invalid: 0, notFound: 0 };
  for (const validity of validities) tally[validity === 'valid' ? 'valid' : validity === 'not-found' ? 'notFound' : 'invalid']++;
  return tally;
}

const maxShown = 500;

/** Number of collector peers from which an announcement counts as widely seen; fewer may be a local leak (RIS calls this low visibility). */
export const manyPeers = 10;

/** The same index as `indexVrps`, built while others have their turn. */
async function indexInTurns(vrps: Iterable<Vrp>, breathe: () => Promise<void>): Promise<VrpIndex> {
  const { add, index } = vrpIndexing();
  for (const vrp of vrps) {
    add(vrp);
    await breathe();
  }
  return index();
}

/**
 * Returns the effect of a change of ROAs on announcements, while others have their turn. `touched` are the prefixes of added and removed ROAs: only announcements in them can
 * change. First come those that become invalid, then those that lose their ROA, then other changes, then the rest.
 */
export async function effectOf(
  { collectedAt, announcements }: RoutingView,
  before: readonly Vrp[],
  after: readonly Vrp[],
  touched: readonly string[],
): Promise<RouteEffect> {
  const breathe = breathing();
  const was = await indexInTurns(before, breathe);
  const becomes = await indexInTurns(after, breathe);
  const places = await indexInTurns(
    touched.map(prefix => ({ prefix, asn: 0, maxLength: 0 })),
    breathe,
  );
  const all: AnnouncementEffect[] = [];
  const near: AnnouncementEffect[] = [];
  for (const announcement of announcements) {
    const prefix = parsePrefix(announcement.prefix);
    const effect = {
      ...announcement,
      before: validateOrigin(was, prefix, announcement.asn),
      after: validateOrigin(becomes, prefix, announcement.asn),
    };
    all.push(effect);
    if (coveringVrps(places, prefix).length > 0) near.push(effect);
    await breathe();
  }
  const turnsInvalid = (each: AnnouncementEffect): boolean => isInvalid(each.after) && !isInvalid(each.before);
  const losesRoa = (each: AnnouncementEffect): boolean => each.before === 'valid' && each.after === 'not-found' && each.peers >= manyPeers;
  const rank = (each: AnnouncementEffect): number => (turnsInvalid(each) ? 0 : losesRoa(each) ? 1 : each.before === each.after ? 3 : 2);
  const [becomeInvalid, loseRoa] = [near.filter(turnsInvalid).length, near.filter(losesRoa).length];
  return {
    collectedAt,
    announcements: near.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxShown),
    total: near.length,
    changed: near.filter(each => each.before !== each.after).length,
    becomeInvalid,
    loseRoa,
    toConfirm: becomeInvalid + loseRoa,
    becomeValid: near.filter(each => each.after === 'valid' && each.before !== 'valid').length,
    before: tallyOf(all.map(each => each.before)),
    after: tallyOf(all.map(each => each.after)),
  };
}
