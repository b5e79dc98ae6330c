import type { AnnouncementEffect, RouteEffect, Tally, Validity } from '@portal/contract/routes/routes';
import { isCovered, parsePrefix, validateOrigin, type Vrp, vrpIndexing, type VrpIndex } from '@portal/number-resources';
import { type Breathe, breathing } from '../../platform/breathing.ts';
import type { Announcement, RoutingView } from '../bgp-tables/index.ts';

/** An announcement with its state. */
export type ValidatedAnnouncement = Announcement & { validity: Validity };
/** Announcements with their states, and the index of VRPs by which they were judged: it says which of them decide one (`decidingVrps`). */
export type JudgedAnnouncements = { announcements: ValidatedAnnouncement[]; index: VrpIndex };

/** The same index as `indexVrps`, built while others have their turn. */
export async function indexInTurns<V extends Vrp>(vrps: Iterable<V>, breathe: Breathe = breathing()): Promise<VrpIndex<V>> {
  const { add, index } = vrpIndexing<V>();
  for (const vrp of vrps) {
    add(vrp);
    await breathe();
  }
  return index();
}

/**
 * Validates announcements by VRPs, while others have their turn. An account may have tens of thousands of both, all over the same addresses, so no announcement
 * has a list of the VRPs over it.
 */
export async function validateAnnouncements(announcements: readonly Announcement[], vrps: Iterable<Vrp>): Promise<JudgedAnnouncements> {
  const index = await indexInTurns(vrps);
  return { announcements: await validateBy(index, announcements), index };
}

/** The same by an index, where more than one account is judged by it. */
export async function validateBy(index: VrpIndex, announcements: readonly Announcement[]): Promise<ValidatedAnnouncement[]> {
  const breathe = breathing();
  const judged: ValidatedAnnouncement[] = [];
  for (const each of announcements) {
    judged.push({ ...each, validity: validateOrigin(index, parsePrefix(each.prefix), each.asn) });
    await breathe();
  }
  return judged;
}

const isInvalid = (validity: Validity): boolean => validity === 'invalid-asn' || validity === 'invalid-length';

const countedAs = (validity: Validity): keyof Tally => (validity === 'valid' ? 'valid' : validity === 'not-found' ? 'notFound' : 'invalid');

/** Counts announcements by their state. */
export function tallyOf(validities: Iterable<Validity>): Tally {
  const tally = { valid: 0, invalid: 0, notFound: 0 };
  for (const validity of validities) tally[countedAs(validity)]++;
  return tally;
}

const maxShown = 500;

/** Number of collector peers from which an announcement counts as widely seen; fewer may be a local leak (RIS calls this low visibility). */
export const manyPeers = 10;

const turnsInvalid = (each: AnnouncementEffect): boolean => isInvalid(each.after) && !isInvalid(each.before);
const losesRoa = (each: AnnouncementEffect): boolean => each.before === 'valid' && each.after === 'not-found' && each.peers >= manyPeers;
/** Where an effect stands in the answer. */
const rankOf = (each: AnnouncementEffect): 0 | 1 | 2 | 3 =>
  turnsInvalid(each) ? 0 : losesRoa(each) ? 1 : each.before === each.after ? 3 : 2;

/**
 * Returns the effect of a change of ROAs on announcements, while others have their turn. `touched` are the prefixes of added and removed ROAs: only announcements in them can
 * change. First come those that become invalid, then those that lose their ROA, then other changes, then the rest.
 */
export async function effectOf(
  { collectedAt, announcements }: RoutingView,
  before: Iterable<Vrp>,
  after: Iterable<Vrp>,
  touched: readonly string[],
): Promise<RouteEffect> {
  const breathe = breathing();
  const was = await indexInTurns(before, breathe);
  const becomes = await indexInTurns(after, breathe);
  const places = await indexInTurns(
    [...new Set(touched)].map(prefix => ({ prefix, asn: 0, maxLength: 0 })),
    breathe,
  );
  const [tallyBefore, tallyAfter] = [tallyOf([]), tallyOf([])];
  const near: [AnnouncementEffect[], AnnouncementEffect[], AnnouncementEffect[], AnnouncementEffect[]] = [[], [], [], []];
  let becomeValid = 0;
  for (const announcement of announcements) {
    const prefix = parsePrefix(announcement.prefix);
    const effect = {
      ...announcement,
      before: validateOrigin(was, prefix, announcement.asn),
      after: validateOrigin(becomes, prefix, announcement.asn),
    };
    tallyBefore[countedAs(effect.before)]++;
    tallyAfter[countedAs(effect.after)]++;
    if (isCovered(places, prefix)) {
      near[rankOf(effect)].push(effect);
      if (effect.after === 'valid' && effect.before !== 'valid') becomeValid++;
    }
    await breathe();
  }
  const [{ length: becomeInvalid }, { length: loseRoa }, { length: otherwise }, { length: same }] = near;
  return {
    collectedAt,
    announcements: near.flatMap(some => some.slice(0, maxShown)).slice(0, maxShown),
    total: becomeInvalid + loseRoa + otherwise + same,
    changed: becomeInvalid + loseRoa + otherwise,
    becomeInvalid,
    loseRoa,
    toConfirm: becomeInvalid + loseRoa,
    becomeValid,
    before: tallyBefore,
    after: tallyAfter,
  };
}
