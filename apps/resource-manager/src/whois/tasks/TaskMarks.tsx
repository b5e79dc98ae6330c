import type { Task } from '@portal/contract/tasks/tasks';
import { Badge } from '@portal/ui';
import { outcomeMarks, stateMarks } from './task-words.ts';

/** Whether the task has ended. */
export function TaskState({ task: { state } }: { task: Pick<Task, 'state'> }) {
  const { word, kind, icon } = stateMarks[state];
  return (
    <Badge kind={kind} icon={icon}>
      {word}
    </Badge>
  );
}

/** The result; nothing while there is none. */
export function TaskOutcome({ task: { outcome } }: { task: Pick<Task, 'outcome'> }) {
  if (outcome === null) return null;
  const { word, kind, icon } = outcomeMarks[outcome];
  return (
    <Badge kind={kind} icon={icon}>
      {word}
    </Badge>
  );
}
