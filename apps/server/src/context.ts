import { modules } from './modules.ts';
import type { ModuleContext } from './platform/module.ts';
import { openOutsideSystems, type StandIn } from './platform/outside-systems.ts';
import { openSecretBox } from './platform/secret-box.ts';

/** What the program is started with. */
type Start = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'release' | 'log'> & { clock?: () => Date };

/** Returns what every module is handed, in each role of this process. `close` gives back what systems outside hold open, and no more. */
export function openContext(start: Start, standIns: readonly StandIn[] = []): ModuleContext & { close: () => Promise<void> } {
  const { clock = () => new Date() } = start;
  return { ...start, clock, box: openSecretBox(start.config), modules, ...openOutsideSystems({ ...start, clock }, standIns) };
}
