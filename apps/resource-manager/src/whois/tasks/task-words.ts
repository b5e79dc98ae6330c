import { pagePath, pages } from '@portal/contract/pages';
import type { Task } from '@portal/contract/tasks/tasks';
import type { BadgeKind, IconName } from '@portal/ui';

type Mark = { word: string; kind: BadgeKind; icon: IconName };

/** Marks for whether a task has ended, regardless of its result. */
export const stateMarks: Record<Task['state'], Mark> = {
  queued: { word: 'Queued', kind: 'neutral', icon: 'waiting' },
  running: { word: 'Running', kind: 'line', icon: 'running' },
  completed: { word: 'Finished', kind: 'neutral', icon: 'check' },
  cancelled: { word: 'Cancelled', kind: 'neutral', icon: 'minus' },
  expired: { word: 'Expired', kind: 'neutral', icon: 'clock' },
};

/** Marks for the result of an ended task. */
export const outcomeMarks: Record<NonNullable<Task['outcome']>, Mark> = {
  success: { word: 'Completed', kind: 'valid', icon: 'valid' },
  partial: { word: 'Partly completed', kind: 'warning', icon: 'warning' },
  failed: { word: 'Failed', kind: 'invalid', icon: 'invalid' },
};

/** Returns whether a task has not ended. */
export const isOpen = ({ state }: Pick<Task, 'state'>): boolean => state === 'queued' || state === 'running';

/** The page of a task over whole objects, such as an upload. */
export const hrefOfObjectsTask = (taskId: number, product: string): string =>
  `${pagePath(pages.taskWhoisModifyObjects.path, product)}?id=${taskId}`;
/** Returns the page of a bulk update's task. */
export const hrefOfBulkTask = (taskId: number, product: string): string => `${pagePath(pages.taskWhoisModify.path, product)}?id=${taskId}`;

/** `42 s`, `3 min 5 s`, `2 h 10 min`; empty for negative or missing values. */
export function spanWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Seconds a task took, or has been taking; null before it began. */
export const secondsOf = ({ startedAt, finishedAt }: Pick<Task, 'startedAt' | 'finishedAt'>, now: number): number | null =>
  startedAt === null ? null : ((finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt)) / 1000;
