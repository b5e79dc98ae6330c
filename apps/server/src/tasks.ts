import { modules } from './modules.ts';
import type { AnyTaskType } from './platform/tasks.ts';

/** Every kind of background work. */
export const taskTypes: readonly AnyTaskType[] = modules.flatMap(({ tasks }) => tasks ?? []);
