import { dayIn } from '@portal/contract/days';
import { profileAt } from '../dated-profile.ts';
import type { ModuleContext } from './module.ts';

/** The registry as an act sees it: policy, settings, outside systems and time. The same in a request, a task, periodic work and a test. */
export type Registry = ModuleContext & {
  /** The time of the act. */
  readonly now: Date;
  /** The registry's calendar day at that time. */
  readonly today: string;
};

/** Policy and time, as rules of days and deadlines take them. */
export type PolicyNow = Pick<Registry, 'profile' | 'now'>;

/** Policy and settings. */
export type PolicyAndSettings = Pick<Registry, 'profile' | 'config'>;

/** Settings and the box of secrets, for a mail with a link. */
export type LinkMaking = Pick<Registry, 'config' | 'box'>;

/** Returns the registry at this moment. */
export function registryNow(context: ModuleContext): Registry {
  const now = context.clock();
  return {
    ...context,
    profile: profileAt(context.profile, now),
    now,
    get today() {
      return dayIn(context.profile.timeZone, now);
    },
  };
}
