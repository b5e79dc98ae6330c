import { datedProfile } from './dated-profile.ts';
import { modules } from './modules.ts';
import type { ModuleContext } from './platform/module.ts';
import { openOutsideSystems, type StandIn } from './platform/outside-systems.ts';
import { openSecretBox } from './platform/secret-box.ts';

/** Start parameters of the program. */
type Start = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'release' | 'log'> & { clock?: () => Date };

/** Returns the context of all modules, for each role of this process. `close` closes connections to outside systems only. */
export function openContext(start: Start, standIns: readonly StandIn[] = []): ModuleContext & { close: () => Promise<void> } {
  const { db, clock = () => new Date() } = start;
  // Policy changes on a day, without another start.
  const profile = datedProfile(start.profile, { db, clock, say: sentence => start.log.warn(sentence) });
  return {
    ...start,
    profile,
    clock,
    box: openSecretBox(start.config),
    modules,
    ...openOutsideSystems({ ...start, profile, clock }, standIns),
  };
}
