import type { Read } from '../../../platform/database/index.ts';
import type { Module } from '../../../platform/module.ts';

declare module '../../../platform/module.ts' {
  interface Contributions {
    /** Returns what an account loses of it on closing, in words such as `4 ROAs`; null if nothing. */
    lostOnClosing?: (read: Read, accountName: string) => Promise<string | null>;
  }
}

/** Returns what an account loses when it closes, as the modules count it now. */
export async function lostOnClosing(read: Read, accountName: string, modules: readonly Module[]): Promise<string[]> {
  const counted = await Promise.all(modules.flatMap(module => (module.lostOnClosing ? [module.lostOnClosing(read, accountName)] : [])));
  return counted.filter(words => words !== null);
}
