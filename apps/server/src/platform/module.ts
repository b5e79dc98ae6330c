import type { StaffPermission } from '@portal/contract';
import type { Attention } from '@portal/contract/home/home';
import type { SearchHit } from '@portal/contract/search/search';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Profile } from '../profile.ts';
import type { ActNames } from './act-names.ts';
import type { ModuleWords, WordedActivity } from './activity-words.ts';
import type { AttentionSubject } from './attention.ts';
import type { ActivityInfo, Database, JsonValue, Read, Tables } from './database/index.ts';
import type { DemoPart } from './demo.ts';
import type { Search } from './finder.ts';
import type { AdmittedAccount } from './http/caller.ts';
import type { HttpOptions } from './http/http.ts';
import type { Implementation } from './http/implementation.ts';
import type { PublicTurn } from './http/public-turns.ts';
import type { KeptData } from './kept-data.ts';
import type { Log } from './log.ts';
import type { MemoryBound } from './memory-bound.ts';
import type { SecretBox } from './secret-box.ts';

/** The context of a module: one value for requests, tasks and periodic work. */
export type ModuleContext = {
  db: Database;
  config: Config;
  profile: Profile;
  release: string;
  clock: () => Date;
  log: Log;
  /** Seals what must not be readable in a copy of the database. */
  box: SecretBox;
  /** All modules in their order, for a module that collects what the others declare. */
  modules: readonly Module[];
  /** Returns the adapter of a system outside; it is opened when the first one asks. */
  outside: <Port>(system: OutsideSystem<Port>) => Port;
  /** Holds this process below the memory that it may take. */
  memory: MemoryBound;
};

/** Additional context of endpoint handlers. */
export type RouteContext = ModuleContext & {
  /** Answers a call of another module's endpoint in the change of this one; the caller was admitted before. */
  perform: (endpointId: string, call: object) => Promise<unknown>;
};

/** Additional context of what answers strangers. */
export type AnsweringContext = ModuleContext & {
  /** Returns the database for one question: all of it is read on one server, a replica where `readsFrom` says so. `db` is the primary. */
  dbForQuestion: () => Database;
};

/** Additional context of server-rendered pages. */
export type PageContext = AnsweringContext & {
  /** Returns the address of a built browser asset by its source, such as `apps/server/web/sign-in.css`. */
  asset: (source: string) => string;
  /** Does what costs more than a page that is kept, for anyone who isn't signed in. */
  publicTurn: PublicTurn;
};

/** An outside system that a module reaches through an adapter, such as a mail server. The lowest module that needs it declares it with its interface (`Port`). */
export type OutsideSystem<Port> = {
  name: string;
  /** Chooses the adapter by the settings. */
  open: (start: Pick<ModuleContext, 'config' | 'profile' | 'log' | 'clock'>) => Port;
  /** Releases what the adapter holds open. */
  close?: (port: Port) => void | Promise<void>;
};

/** Result of a task; success by default. */
type Ended = { outcome: 'success' | 'partial' | 'failed'; error?: string } | void;
type RunTask<Input> = (work: {
  db: Database;
  taskId: number;
  input: Input;
  activity: ActivityInfo;
  context: ModuleContext;
  progress: (done: number, total: number) => Promise<void>;
}) => Promise<Ended>;

/**
 * Kinds of workers, each with places of its own, so that a system that is silent holds up only what asks it: members' work, mails, checks of name servers,
 * scans for viruses, and calls of other systems.
 */
export const runnerKinds = ['members', 'mail', 'checks', 'scans', 'systems'] as const;

/** Background work with a page of its own: its name, input and work. */
export type TaskType<Input> = {
  name: WordedActivity;
  summary: string;
  input: z.ZodType<Input>;
  /** Workers that do it; members' without it. */
  runner?: (typeof runnerKinds)[number];
  run: RunTask<Input>;
};
/** A task type in a list of types with different inputs: each reads its own input from what was stored. */
export type AnyTaskType = Omit<TaskType<never>, 'input'> & { input: z.ZodType };

/** Periodic work: run once for all workers, and retried when it fails. */
export type PeriodicWork = {
  /** `contacts.runContactDeadlines`: what operators see in `registry status`, logs and metrics. */
  name: string;
  /** Minutes from one run to the next. */
  every: 1 | 2 | 5 | 10 | 60;
  /** `noted` is the result of the last successful run, such as how far it got; null before the first. */
  run: (context: ModuleContext, noted: JsonValue | null) => Promise<JsonValue | void>;
};

/**
 * Something published or sent regularly, which can fall behind. Its module declares it; `/readyz`, `/metrics` and the desk show its age.
 */
export type Feed = {
  /** One of `feedNames` of the contract. */
  name: keyof Config['feedMinutes'];
  /** Its name for people. */
  title: string;
  /** The role that makes it: `/readyz?role=` says when it is too old. */
  role: Config['roles'][number];
  /** Maximum age in minutes, unless FEED_MINUTES says otherwise; 0: unlimited. */
  usual: (config: Config) => number;
  /** Returns the ISO instant up to which it is complete; null if it was never made. Called often, so it must use an index. */
  asOf: (context: ModuleContext) => Promise<string | null>;
};

/**
 * Work that waits for its turn: of accounts, receivers or systems outside. The module that does it declares it; `/metrics` shows how much waits and since when. How it is fair and
 * bounded is in the README of `modules/tasks`.
 */
export type Backlog = {
  /** `webhooks.deliveries`: its module and what it holds. */
  name: string;
  /** Counts what waits, and since when the oldest does. Asked often: it answers from an index of what waits. */
  waiting: (read: Read) => Promise<{ count: number; since: string | null }>;
};

/**
 * Where `dbForQuestion` reads. `replica`: for strangers, who see no write of their own; a replica may be behind by REPLICA_LAG_SECONDS. `primary`: everything else.
 */
export type ReadsFrom = 'replica' | 'primary';

/** A server in processes of its own role, beside HTTP. */
export type RoleServer = {
  role: Config['roles'][number];
  readsFrom: ReadsFrom;
  open: (context: AnsweringContext) => Promise<{
    /** Announced when it is ready. */
    announcement: string;
    /** Its lines for /metrics. */
    metrics: () => readonly string[];
    close: () => Promise<unknown>;
  }>;
};

/**
 * Returns what needs the caller's or account's attention in a module: deadlines, pending requests. It checks permissions itself and returns only what
 * the caller may see.
 */
type FindAttention = (subject: AttentionSubject, context: ModuleContext) => Promise<Attention[]>;

/**
 * Returns a module's search hits in an account. It checks permissions itself, finds only what the caller can open, and uses an index or only the account's rows.
 */
export type Find = (search: Search & { account: AdmittedAccount }, context: ModuleContext) => Promise<SearchHit[]>;
/** Returns a module's search hits across all members, for registry staff who hold one of these permissions. */
export type FindEverywhere = {
  permissions: readonly StaffPermission[];
  find: (search: Search, context: ModuleContext) => Promise<SearchHit[]>;
};

/**
 * Contributions of modules to other modules. A module that collects something from all others adds its field here, in its own files
 * (`declare module '../../platform/module.ts' { interface Contributions { … } }`), and reads it from `context.modules`.
 */
export interface Contributions {}

/** Returns the context of what answers, with the database that its questions read. */
export const readingFrom = (readsFrom: ReadsFrom, context: ModuleContext): AnsweringContext => ({
  ...context,
  dbForQuestion: readsFrom === 'replica' ? () => context.db.forQuestion() : () => context.db,
});

/** One module. The server reads it from the list in `modules.ts`; nothing else needs to know the module. */
export interface Module extends Contributions {
  /** The name of its folder. */
  name: string;
  /** The folders in it, lowest first: each imports only from those before it. The import rules read this list. */
  folders?: readonly string[];
  /** Its endpoints with their handlers. */
  routes?: (context: RouteContext) => readonly Implementation[];
  /** Answers outside the contract: server-rendered pages, files for machines. */
  pages?: { readsFrom: ReadsFrom; serve: (http: FastifyInstance, context: PageContext) => void };
  /** Errors at addresses with a format of their own; the function returns null for all other addresses. */
  errors?: (context: ModuleContext) => NonNullable<HttpOptions['errorsOf']>;
  /** Returns what currently prevents a role from working, for operators: shown by /readyz. */
  notReady?: (context: ModuleContext) => Promise<readonly { role: Config['roles'][number]; problem: string }[]>;
  /** Its lines for /metrics, in the text format of Prometheus. */
  metrics?: (context: ModuleContext) => Promise<readonly string[]>;
  /** Its feeds: published or sent, and able to fall behind. */
  feeds?: readonly Feed[];
  /** Work of its that waits for its turn. */
  backlogs?: readonly Backlog[];
  /** Its kinds of background work. */
  tasks?: readonly AnyTaskType[];
  /** Its periodic work. */
  schedule?: readonly PeriodicWork[];
  /** Starts the listeners of every worker; the returned function stops them. */
  listen?: (context: ModuleContext) => Promise<() => Promise<unknown>>;
  /** Its servers beside HTTP. */
  servers?: readonly RoleServer[];
  /** Returns what needs attention in an account: home shows it, most harmful first. */
  attention?: FindAttention;
  /** Returns search hits for the command palette. */
  find?: Find;
  /** The same over all members, for registry staff. */
  findEverywhere?: FindEverywhere;
  /** Names of its things, for the question about an act. */
  actNames?: ActNames;
  /** Words of the activity log for its activities and tables. */
  words?: ModuleWords;
  /** The tables it owns, by their names in the generated types. */
  tables?: readonly (keyof Tables)[];
  /** Personal data in its tables: why it is kept and until when. The privacy page lists it. */
  keeps?: readonly KeptData[];
  /** Loads its part of the demo registry: `() => import('./demo.ts')`, so that no other start reads it. */
  demo?: () => Promise<DemoPart>;
}
