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
  /** Runs a change without an author, such as the demo's own. `happenedAt` is when it happened for the activity log, so that an account has years of history. */
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
  /** How many days ago it happened, for the activity log; today if left out. */
  daysAgo?: number;
  /** Rows get that day as well, not the day on which the demo registry is loaded. */
  dated?: true;
  run: (change: Change, as: { account: AdmittedAccount; caller: Caller }) => Promise<unknown>;
};

/** The part of a module in the demo registry: its file `demo.ts`. Parts run in the order of the modules, so that each finds what those before it added. */
export type DemoPart = {
  /** Adds the initial data. */
  addDemo?: (registry: DemoRegistry) => Promise<void>;
  /** Adds work in progress, so that the pages have something to show on a first visit. Tests start without it. */
  addDemoLife?: (registry: DemoRegistry) => Promise<void>;
};
