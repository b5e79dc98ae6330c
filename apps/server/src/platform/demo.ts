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
  /** Stages of a demo region, which follow each other in the order of the modules. */
  regionStages?: readonly RegionStage[];
};

/** How large a demo region is. The same plan makes the same rows. */
export type RegionPlan = {
  seed: number;
  /** The day on which it was begun, in the registry's time zone; days of its rows are counted from it. */
  today: string;
  accounts: number;
  /** Whois objects besides those of the registry. */
  objects: number;
  zones: number;
  tickets: number;
  /** Lines of the activity log. */
  activities: number;
};

/** A demo region while it is made. */
export type Region = Pick<DemoRegistry, 'db' | 'config' | 'profile' | keyof DemoContributions> & {
  plan: RegionPlan;
  /** Statistics file with the holders and their numbers; null: they are made up. */
  statistics: string | null;
  /** Dump or table of announcements; null: those of the region's route objects. */
  announcements: string | null;
  /** Returns a sequence of numbers from 0 to below a limit, always the same for the plan's seed and a name. */
  random: (name: string) => Random;
};

/** Returns a whole number from 0 to below a limit. */
export type Random = (below: number) => number;

/** Writes a part of a stage in the change that records the part as done, and returns how many rows it wrote. */
export type RegionPart = (change: Change) => Promise<number>;

/** A stage of a demo region. It is done part by part: a run that was ended goes on with the first part that isn’t recorded as done. */
export type RegionStage = {
  name: string;
  /** Name beside its progress: `People`. */
  title: string;
} & (
  | {
      /** The parts: the same ones, whether some of them are done already or not. */
      parts: (region: Region) => Promise<readonly RegionPart[]>;
    }
  | {
      /** Work in changes of its own, which changes nothing where it is done already. Returns how many rows it wrote. */
      work: (region: Region, onProgress: (done: number, total: number) => void) => Promise<number>;
    }
);
