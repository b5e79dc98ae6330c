import { DAY_MS } from '@portal/contract/days';
import { addressGroup } from '../../../platform/line-server.ts';

/** After this many days over the limit, an address is refused until the server restarts. */
const DAYS_UNTIL_FOR_GOOD = 10;

/** Values of the registry profile. */
type Limited = { personalLookupsPerDay: number };

/** Counts by the profile of their registry: a process has one of each. */
const limits = new WeakMap<Limited, PersonalLimit>();

/**
 * Returns the limit of personal data of a registry: one for port 43, RDAP and the pages of whois of this process, so that what an address is shown by one counts for all.
 * @param profile the profile itself, not a copy: the limit is found by it
 */
export function personalLimitOf(profile: Limited, clock: () => Date): PersonalLimit {
  let limit = limits.get(profile);
  if (!limit) limits.set(profile, (limit = limitPersonalData(profile, clock)));
  return limit;
}

/** Counts the personal data shown to each client address per UTC day, IPv6 by /64. In memory: each process counts its own answers. */
function limitPersonalData(profile: Limited, clock: () => Date) {
  let day = -1;
  const shown = new Map<string, number>();
  const blockedDays = new Map<string, number>();
  const today = (): void => {
    const now = Math.floor(clock().getTime() / DAY_MS);
    if (now === day) return;
    day = now;
    shown.clear();
  };
  return {
    /** Returns whether the address is refused now, and whether permanently. */
    refuses: (address: string): { forGood: boolean } | null => {
      today();
      const group = addressGroup(address);
      const forGood = (blockedDays.get(group) ?? 0) >= DAYS_UNTIL_FOR_GOOD;
      return forGood || (shown.get(group) ?? 0) > profile.personalLookupsPerDay ? { forGood } : null;
    },
    /** Counts objects with personal data that were shown to the address. */
    count: (address: string, objects: number): void => {
      const perDay = profile.personalLookupsPerDay;
      if (objects === 0) return;
      today();
      const group = addressGroup(address);
      const before = shown.get(group) ?? 0;
      shown.set(group, before + objects);
      if (before <= perDay && before + objects > perDay) blockedDays.set(group, (blockedDays.get(group) ?? 0) + 1);
    },
  };
}

export type PersonalLimit = ReturnType<typeof limitPersonalData>;
