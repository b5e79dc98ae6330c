import type { Config } from '../config.ts';
import type { Profile } from '../profile.ts';
import type { AdmittedAccount, Caller } from './http/caller.ts';
import type { Change, Database } from './database/index.ts';

/** A demo person as their login knows them. */
export type DemoLogin = { loginId: string; fullName: string; email: string };

/** More of the demo registry, added by modules in their own files: `declare module '../../platform/demo.ts' { interface DemoContributions { … } }`. */
export interface DemoContributions {}

/** The demo registry while it is loaded: its people and accounts are there. */
export type DemoRegistry = DemoContributions & {
  db: Database;
  config: Config;
  profile: Profile;
  today: Date;
  loginOf: (username: string) => DemoLogin;
  /** Returns a demo person as a caller. */
  callerOf: (username: string) => Caller;
  /** Runs a change that no one is the author of, such as the demo's own. `happenedAt` is when it happened for the activity log, which tells an account's years. */
  change: <Result>(
    line: { action: string; summary: string; accountName?: string; happenedAt?: string },
    run: (change: Change) => Promise<Result>,
  ) => Promise<Result>;
  /** Runs a change as a demo person makes it in an account. */
  changeAs: (work: DemoWork) => Promise<void>;
};

/** Work of a demo person in an account, with its activity line. */
export type DemoWork = {
  person: string;
  accountName: string;
  action: string;
  summary: string;
  /** Days before today on which it happened, for the activity log; today without. */
  daysAgo?: number;
  /** Rows have that day as well, and not the day on which the demo registry is loaded. */
  dated?: true;
  run: (change: Change, as: { account: AdmittedAccount; caller: Caller }) => Promise<unknown>;
};

/** The part of a module in the demo registry: its file `demo.ts`. Parts run in the order of the line-up, so that each finds those of the modules before it. */
export type DemoPart = {
  /** Adds what is there from the beginning. */
  addDemo?: (registry: DemoRegistry) => Promise<void>;
  /** Adds what people are in the middle of, so that the pages of a first visit have something to show. Tests begin without it. */
  addDemoLife?: (registry: DemoRegistry) => Promise<void>;
};
