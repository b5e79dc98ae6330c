import { SECOND_MS } from '@portal/contract/days';
import { datedProfile, readPolicy } from './dated-profile.ts';
import { modules } from './modules.ts';
import { MemoryBound } from './platform/memory-bound.ts';
import type { ModuleContext } from './platform/module.ts';
import { openOutsideSystems, type StandIn } from './platform/outside-systems.ts';
import { openSecretBox } from './platform/secret-box.ts';

/** Start parameters of the program. */
type Start = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'release' | 'log'> & { clock?: () => Date };

/** How often a process looks whether it is time to read the policy and the brand again, in ms. */
const LISTEN_MS = 20 * SECOND_MS;

/** Returns the context of all modules, for each role of this process. `close` closes connections to outside systems only. */
export function openContext(start: Start, standIns: readonly StandIn[] = []): ModuleContext & { close: () => Promise<void> } {
  const { db, clock = () => new Date() } = start;
  // Policy changes on a day, without another start.
  const profile = datedProfile(start.profile, { db, clock, say: sentence => start.log.warn(sentence) });
  // So that a process without requests hears of changes too; a failure is that of the next act.
  const listening = setInterval(() => void readPolicy(profile)?.catch(() => {}), LISTEN_MS).unref();
  const outside = openOutsideSystems({ ...start, profile, clock }, standIns);
  const memory = new MemoryBound({ megabytes: start.config.memoryMegabytes, log: start.log });
  return {
    ...start,
    memory,
    profile,
    clock,
    box: openSecretBox(start.config),
    modules,
    ...outside,
    close: async () => {
      clearInterval(listening);
      memory.close();
      await outside.close();
    },
  };
}
