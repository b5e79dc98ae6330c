import { Page } from '@portal/app-kit';
import { Sheet } from '@portal/ui';
import { taskReads, TasksTable } from './TasksTable.tsx';

export const reads = taskReads;

/** /task/list */
export default function TasksPage() {
  return (
    <Page title="Tasks" sub="Progress and result of each background task.">
      <Sheet flush aria-label="Tasks">
        <TasksTable kind="all" />
      </Sheet>
    </Page>
  );
}
