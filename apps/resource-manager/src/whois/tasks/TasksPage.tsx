import { Page } from '@portal/app-kit';
import { Sheet } from '@portal/ui';
import { TasksTable } from './TasksTable.tsx';

/** /task/list */
export default function TasksPage() {
  return (
    <Page title="Tasks" sub="Work in the background. That a task is over says nothing of what came of it: both stand here.">
      <Sheet flush aria-label="Tasks">
        <TasksTable kind="all" />
      </Sheet>
    </Page>
  );
}
