import type { Download, QueryOf } from '@portal/contract';
import type { TaskDetail, TaskItem, tasks } from '@portal/contract/tasks/tasks';
import type { Config } from '../../config.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import type { Profile } from '../../profile.ts';

/** Values from which a task that repeats or undoes another one is made. */
export type RepeatOptions = { taskId: number; mode: TaskDetail['mode']; limits: Config };

/** The items of a task, as its module stores them. */
export type TaskItems = {
  /** Returns the number of items in each state, and the most frequent error. */
  summarise: (read: Pick<Read, 'rows'>, taskId: number) => Promise<Pick<TaskDetail, 'counts' | 'failures'>>;
  list: (
    read: Pick<Read, 'rows'>,
    taskId: number,
    query: QueryOf<typeof tasks.listTaskItems>,
  ) => Promise<{ rows: TaskItem[]; total: number }>;
  /** Returns the results of all items as a file. `at`: when the task ended, or was requested. */
  report: (
    read: Read,
    task: { taskId: number; accountName: string; at: string },
    format: QueryOf<typeof tasks.getTaskReport>['format'],
    profile: Profile,
  ) => Promise<Download> | Download;
  /** After a cancellation: the remaining items won't be done. */
  skipPending: (change: Change, taskId: number) => Promise<void>;
  /** Enqueues a task for the failed items and returns its number. */
  retry?: (change: Change, account: AdmittedAccount, options: RepeatOptions) => Promise<number>;
  /** Enqueues a task that undoes the done items and returns its number. */
  undo?: (change: Change, account: AdmittedAccount, options: RepeatOptions) => Promise<number>;
};

/** A kind of task that people of an account see in their list. */
export type MemberTask = {
  /** Name of its task type. */
  name: string;
  /** Display name. */
  kind: string;
  /** The page of such a task, below `/task/My<product>/`. */
  page: string;
  /** Whether it changes many objects together. */
  bulk: boolean;
  /** Null if the task has no items. */
  items: TaskItems | null;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its kinds of tasks that people of an account see. All others are internal: outgoing mail, the system's own work. */
    memberTasks?: readonly MemberTask[];
  }
}

/** The kinds of tasks of all modules, by name. */
export class TaskKinds {
  readonly #kinds: ReadonlyMap<string, MemberTask>;
  constructor(modules: readonly Module[]) {
    this.#kinds = new Map(modules.flatMap(({ memberTasks = [] }) => memberTasks.map(kind => [kind.name, kind] as const)));
  }
  get names(): string[] {
    return [...this.#kinds.keys()];
  }
  get bulkNames(): string[] {
    return [...this.#kinds.values()].filter(({ bulk }) => bulk).map(({ name }) => name);
  }
  of(name: string): MemberTask {
    const kind = this.#kinds.get(name);
    if (!kind) throw new Error(`There is no task type ${name}`);
    return kind;
  }
}
