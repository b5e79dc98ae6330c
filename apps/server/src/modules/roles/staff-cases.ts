import type { Change, Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';

/**
 * Returns why registry staff decide before a closed account opens again, to be read after “because”, such as `REQ-12 is open: Recovery of 192.0.2.0/24`; null without a reason.
 * Its contacts read it.
 */
export type DecidedBeforeOpening = (read: Read, accountName: string) => Promise<string | null>;

/** Open cases that people of registry staff have taken, of one module. */
export type StaffCases = {
  /** Each kind of case that staff decide says whether one of them keeps a closed account from being opened by its contacts; or why none does. */
  beforeOpening: DecidedBeforeOpening | { never: string };
  /** Number of open cases by the login that has them. */
  open: (read: Pick<Read, 'rows'>) => Promise<readonly { loginId: string; cases: number }[]>;
  /** Hands all open cases of one person to another; returns how many. */
  handOver: (change: Change, from: string, to: string) => Promise<number>;
  /** The kinds of cases, as the desk names them, and how one that is open goes to a colleague. It was found and locked. */
  kinds: readonly string[];
  handOne: (change: Change, caseId: string, handed: HandedCase) => Promise<void>;
};
/** A case that someone hands over: logins, and the words of its internal history. */
export type HandedCase = { by: string; to: string; words: string };

declare module '../../platform/module.ts' {
  interface Contributions {
    /** The open cases that people of registry staff have taken. */
    staffCases?: StaffCases;
    /** Of a module without cases of its own: why registry staff decide before a closed account opens again. */
    decidedBeforeOpening?: DecidedBeforeOpening;
  }
}

/** Returns the first reason of the modules why registry staff decide before a closed account opens again; null without one. */
export async function whyDecidedBeforeOpening(read: Read, accountName: string, modules: readonly Module[]): Promise<string | null> {
  for (const { staffCases, decidedBeforeOpening } of modules)
    for (const decides of [staffCases?.beforeOpening, decidedBeforeOpening]) {
      const why = typeof decides === 'function' ? await decides(read, accountName) : null;
      if (why) return why;
    }
  return null;
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

/** Hands one open case of a kind over; false for kinds that no one takes. */
export async function handCaseOver(
  change: Change,
  modules: readonly Module[],
  { kind, caseId, ...handed }: HandedCase & { kind: string; caseId: string },
): Promise<boolean> {
  const found = modules.find(({ staffCases }) => staffCases?.kinds.includes(kind))?.staffCases;
  await found?.handOne(change, caseId, handed);
  return found !== undefined;
}
