import type { Task } from '@portal/contract/tasks/tasks';
import { Badge } from '@portal/ui';
import { outcomeMarks, stateMarks } from './task-words.ts';

/** Whether it is over. */
export function TaskState({ task: { state } }: { task: Pick<Task, 'state'> }) {
  const { word, kind, icon } = stateMarks[state];
  return (
    <Badge kind={kind} icon={icon}>
      {word}
    </Badge>
  );
}

/** What came of it; nothing while nothing has. */
export function TaskOutcome({ task: { outcome } }: { task: Pick<Task, 'outcome'> }) {
  if (outcome === null) return null;
  const { word, kind, icon } = outcomeMarks[outcome];
  return (
    <Badge kind={kind} icon={icon}>
      {word}
    </Badge>
  );
}
