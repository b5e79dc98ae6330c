import type { ModuleContext, OutsideSystem } from './module.ts';
import { tracedPort } from './telemetry/spans.ts';

/** An adapter that replaces the one the settings choose. Only `standIn` creates one, so that the port matches the system. */
export type StandIn = { system: object; port: unknown };
export const standIn = <Port>(system: OutsideSystem<Port>, port: Port): StandIn => ({ system, port });

/** Opens each outside system on first use, once per process. `close` closes those that were opened. */
export function openOutsideSystems(
  start: Pick<ModuleContext, 'config' | 'profile' | 'log' | 'clock'>,
  standIns: readonly StandIn[],
): { outside: ModuleContext['outside']; close: () => Promise<void> } {
  const ports = new Map<object, unknown>(standIns.map(({ system, port }) => [system, port]));
  const closing: (() => void | Promise<void>)[] = [];
  return {
    outside: <Port>(system: OutsideSystem<Port>): Port => {
      if (!ports.has(system)) {
        const port = system.open(start);
        ports.set(system, tracedPort(system.name, port));
        closing.push(() => system.close?.(port));
      }
      return ports.get(system) as Port;
    },
    close: async () => {
      for (const close of closing.splice(0)) await close();
    },
  };
}
