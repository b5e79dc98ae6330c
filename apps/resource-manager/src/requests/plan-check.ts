import type { PlannedAnnouncement, PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
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
    const worse = inside.filter(({ before, after }) => ranks[after] > ranks[before]);
    if (worse.length > 0 && what !== 'registration') return gettingWorse(worse);
    const isAnnounced = what === 'route' ? inside.some(({ prefix }) => prefix === printRange(space.range)) : inside.length > 0;
    if (isAnnounced && (what === 'route' || what === 'registration') && act === 'ends') return needs('Still announced');
    if (isAnnounced && what === 'route' && act === 'changes') return needs('Announce the parts');
    // Of many announcements those that get worse are listed first; others may be missing.
    return collectedAt === null || (total > rows.length && what !== 'roa') ? unknown : ready;
  };
}

function gettingWorse(worse: readonly PlannedAnnouncement[]): PlanCheck {
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
