import type { WaitingCase } from '@portal/contract/restraints/restraints';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';

/** Cases of a module that move holdings of accounts. They wait while one of their accounts is restrained. */
export type RestrainedCases = {
  /** Returns the open cases of an account that wait while it is restrained. */
  waiting: (read: Pick<Read, 'rows'>, accountName: string) => Promise<WaitingCase[]>;
  /** Notifies the other accounts of these cases that they wait, without the reason. */
  notifyWaiting?: (change: Change, accountName: string) => Promise<void>;
  /** Lets these cases go on: their deadlines get back the time, and the other accounts are notified. */
  goOn?: (change: Change, accountName: string) => Promise<void>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its cases that wait while an account is restrained. */
    restrainedCases?: RestrainedCases;
  }
}

/** Returns the open cases of an account that wait while it is restrained, of all modules. */
export async function waitingCases(read: Pick<Read, 'rows'>, modules: readonly Module[], accountName: string): Promise<WaitingCase[]> {
  const found: WaitingCase[] = [];
  for (const { restrainedCases } of modules) if (restrainedCases) found.push(...(await restrainedCases.waiting(read, accountName)));
  return found;
}

/** Notifies others that cases of an account wait. */
export async function notifyWaiting(change: Change, modules: readonly Module[], accountName: string): Promise<void> {
  for (const { restrainedCases } of modules) await restrainedCases?.notifyWaiting?.(change, accountName);
}

/** Lets the cases of an account go on. */
export async function goOnWithCases(change: Change, modules: readonly Module[], accountName: string): Promise<void> {
  for (const { restrainedCases } of modules) await restrainedCases?.goOn?.(change, accountName);
}
