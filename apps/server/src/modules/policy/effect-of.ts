import type { PolicyChange, PolicyMet } from '@portal/contract/policy/policy';
import type { StaffPermission } from '@portal/contract';
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';

/** A change of a value: the profile on the last day before it counts and on the first day on which it does, the living profile with the values of all days, and the time of the look. */
export type PolicyChanged = {
  name: PolicyValueName;
  before: Profile;
  after: Profile;
  ofAllDays: Profile;
  now: Date;
  today: string;
  validFrom: string;
};

export type AnnouncementState = NonNullable<PolicyChange['announcement']>['state'];

/** A fact that is affected. `needs`: who sees it elsewhere holds one of these permissions; others see it counted, not listed. */
export type AffectedRow = PolicyMet['rows'][number] & { needs: readonly StaffPermission[] };

/** The effect of a change of a value, besides its name: an estimate. Rows are all those for which it is different, or those that keep what they have. */
type Found = Omit<PolicyMet, 'name' | 'rows' | 'unseen'> & { rows: AffectedRow[] };
/** Returns what a change of a value affects now. */
export type EffectOf = (read: Pick<Read, 'rows'> & Read, changed: PolicyChanged) => Promise<Found>;

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Announcements that another module wrote: how far each is, and how one is taken back that no one has read. */
    writtenAnnouncements?: {
      statesOf: (read: Pick<Read, 'rows'>, ids: readonly string[]) => Promise<Map<string, AnnouncementState>>;
      /** Returns whether it is out already. */
      takeBackUnread: (change: Change, announcementId: number, reason: string) => Promise<boolean>;
    };
    /** Effects of changes of the policy on the facts that it owns, by value. */
    policyEffects?: Partial<Record<PolicyValueName, EffectOf>>;
  }
}
