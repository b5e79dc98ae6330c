import type { Change, Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';

/** Open cases that people of registry staff have taken, of one module. */
export type StaffCases = {
  /** Number of open cases by the login that has them. */
  open: (read: Pick<Read, 'rows'>) => Promise<readonly { loginId: string; cases: number }[]>;
  /** Hands all open cases of one person to another; returns how many. */
  handOver: (change: Change, from: string, to: string) => Promise<number>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** The open cases that people of registry staff have taken. */
    staffCases?: StaffCases;
  }
}

/** Open cases of all modules by login. */
export async function openCasesOf(read: Pick<Read, 'rows'>, modules: readonly Module[]): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const { staffCases } of modules)
    for (const { loginId, cases } of (await staffCases?.open(read)) ?? []) counted.set(loginId, (counted.get(loginId) ?? 0) + cases);
  return counted;
}

/** Hands all open cases of a person to a colleague. */
export async function handOverCases(
  change: Change,
  modules: readonly Module[],
  { from, to }: { from: string; to: string },
): Promise<number> {
  let cases = 0;
  for (const { staffCases } of modules) cases += (await staffCases?.handOver(change, from, to)) ?? 0;
  return cases;
}
