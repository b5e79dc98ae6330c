import type { PlannedAnnouncement, PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
import { objectInWords } from '@portal/contract/requests/request-words';
import { type AddressRange, containsRange, parseRange, printRange } from '@portal/number-resources';
import type { State } from '@portal/ui';

/** Whether an object can go as planned, in two or three words; `needs`: someone has to act first. */
export type PlanCheck = { state: State; words: string; needs: boolean };

const ranks = { valid: 0, 'not-found': 1, invalid: 2 } as const;
/** Objects that announcements depend on. */
const routed: ReadonlySet<PlannedEffect['what']> = new Set(['delegation', 'registration', 'roa', 'route']);
const ready: PlanCheck = { state: 'valid', words: 'Ready', needs: false };
const unknown: PlanCheck = { state: 'info', words: 'Routing unknown', needs: false };
const zoneChecks: Record<NonNullable<PlannedEffect['zone']>, PlanCheck> = {
  ok: ready,
  warning: { state: 'warning', words: 'Answers with faults', needs: false },
  lame: { state: 'warning', words: 'Doesn’t answer', needs: true },
  unchecked: { state: 'info', words: 'Not checked yet', needs: false },
};
const needs = (words: string, state: State = 'warning'): PlanCheck => ({ state, words, needs: true });

/**
 * Returns a function that says what each object of a plan needs before completion, by what collectors see today: announcements that get worse, and those of what ends or is split. Objects that no
 * announcement depends on are ready, and reverse zones whose name servers answered the last check, or that end.
 */
export function checksOf({ collectedAt, rows, total }: TransferPlan['announcements']): (effect: PlannedEffect) => PlanCheck {
  const seen = rows.map(row => ({ ...row, range: parseRange(row.prefix) }));
  return ({ what, name, act, zone }) => {
    if (zone) return act === 'ends' ? ready : zoneChecks[zone];
    const space = routed.has(what) ? spaceOf(name) : null;
    if (space === null) return ready;
    const inside = seen.filter(({ range, asn }) => containsRange(space.range, range) && (space.asn === null || space.asn === asn));
    const worse = inside.filter(getsWorse);
    if (worse.length > 0 && what !== 'registration') return turningWorse(worse);
    const isAnnounced = what === 'route' ? inside.some(({ prefix }) => prefix === printRange(space.range)) : inside.length > 0;
    if (isAnnounced && (what === 'route' || what === 'registration') && act === 'ends') return needs('Still announced');
    if (isAnnounced && what === 'route' && act === 'changes') return needs('Announce the parts');
    // Of many announcements those that get worse are listed first; others may be missing.
    return collectedAt === null || (total > rows.length && what !== 'roa') ? unknown : ready;
  };
}

const getsWorse = ({ before, after }: PlannedAnnouncement): boolean => ranks[after] > ranks[before];

/** The announcements of which validators think less after completion. */
export const gettingWorse = ({ announcements }: TransferPlan): PlannedAnnouncement[] => announcements.rows.filter(getsWorse);

/** The objects of a plan that someone has to act on before completion, each with what it needs. */
export function needsOf(plan: TransferPlan): { name: string; words: string }[] {
  const check = checksOf(plan.announcements);
  return plan.effects.flatMap(effect => {
    const { needs: isNeeded, words } = check({ ...effect, act: actOf(effect) });
    return isNeeded ? [{ name: objectInWords(effect.name), words }] : [];
  });
}

/** Returns what a party accepts with a plan: `198.18.0.0/19 from AS64500 becomes Not found`. */
export function risksOf(plan: TransferPlan): string[] {
  const states = { valid: 'Valid', invalid: 'Invalid', 'not-found': 'Not found' } as const;
  return gettingWorse(plan).map(({ prefix, asn, after }) => `${prefix} from AS${asn} becomes ${states[after]}`);
}

/** Returns what happens to an object by the plan that is chosen for it. What the block only names, a contact or a geofeed, stays what it is when another takes its place. */
export function actOf({ what, plan, act }: PlannedEffect): PlannedEffect['act'] {
  if (plan === null) return act;
  return plan === 'end' && isNamed(what) ? 'changes' : actsOfPlans[plan];
}
const actsOfPlans = { move: 'moves', end: 'ends', hold: 'holds' } as const;

/** Returns whether the block only names it: a contact, a geofeed. */
export const isNamed = (what: PlannedEffect['what']): boolean => what === 'contact' || what === 'geofeed';

function turningWorse(worse: readonly PlannedAnnouncement[]): PlanCheck {
  const isInvalid = worse.some(({ after }) => after === 'invalid');
  return needs(isInvalid ? 'Turns invalid' : 'No ROA afterwards', isInvalid ? 'invalid' : 'warning');
}

/** The addresses in the name of an object, and the AS number; null where it has no addresses. */
function spaceOf(name: string): { range: AddressRange; asn: number | null } | null {
  const asn = /AS(\d+)/i.exec(name);
  const addresses = name.replace(/\s*AS\d+\s*/i, '');
  const text = /^[\da-f:.]+\/\d{1,3}/i.exec(addresses)?.[0] ?? (addresses.includes(' - ') ? addresses : null);
  return text === null ? null : { range: parseRange(text), asn: asn && Number(asn[1]) };
}
