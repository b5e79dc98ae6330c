import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Profile } from '../profile.ts';
import type { Database, Tables } from './database/index.ts';
import type { Implementation } from './endpoints.ts';
import type { HttpOptions } from './http.ts';
import type { Log } from './log.ts';
import type { AnyTaskType } from './tasks.ts';

/** What the program is started with. Every module gets the same, at request time and in a task. */
export type ModuleContext = {
  db: Database;
  config: Config;
  profile: Profile;
  release: string;
  clock: () => Date;
  log: Log;
  /** All modules in their order, for a module that collects what the others declare. */
  modules: readonly Module[];
};

/** What handlers of endpoints have besides. */
export type RouteContext = ModuleContext & {
  /** Answers a call of another module's endpoint in the change of this one; the caller was admitted before. */
  perform: (endpointId: string, call: object) => Promise<unknown>;
};

/** What server-rendered pages have besides. */
export type PageContext = ModuleContext & {
  /** Returns the address of a built browser asset by its source, such as `apps/server/web/sign-in.css`. */
  asset: (source: string) => string;
};

/**
 * What modules declare for other modules. A module that collects something from all others adds its field here, in its own files
 * (`declare module '../../platform/module.ts' { interface Contributions { … } }`), and reads it from `context.modules`.
 */
export interface Contributions {}

/** What a module consists of. The server reads it from the list in `modules.ts`; nothing else has to know the module. */
export interface Module extends Contributions {
  /** The name of its folder. */
  name: string;
  /** Its endpoints with their handlers. */
  routes?: (context: RouteContext) => readonly Implementation[];
  /** What it answers outside the contract: server-rendered pages, files for machines. */
  pages?: (http: FastifyInstance, context: PageContext) => void;
  /** How errors are told at addresses with a form of their own; the function answers null for all other addresses. */
  errors?: (context: ModuleContext) => NonNullable<HttpOptions['errorsOf']>;
  /** Its kinds of background work. */
  tasks?: readonly AnyTaskType[];
  /** The tables it owns, by their names in the generated types. */
  tables?: readonly (keyof Tables)[];
}
