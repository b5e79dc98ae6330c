export type { RepeatOptions, TaskItems } from './member-tasks.ts';
export { tasksModule } from './module.ts';
export { listSetAside, type WorkQueue } from './set-aside.ts';
