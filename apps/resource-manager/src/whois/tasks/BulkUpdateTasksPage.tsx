import { Page } from '@portal/app-kit';
import { LinkButton, Sheet } from '@portal/ui';
import { TasksTable } from './TasksTable.tsx';

/** /task/bulk-updates-list */
export default function BulkUpdateTasksPage() {
  return (
    <Page
      title="Bulk update tasks"
      sub="Bulk changes and the result for each object."
      actions={<LinkButton href="/resources/bulk-whois-updates">New bulk update</LinkButton>}
    >
      <Sheet flush aria-label="Bulk update tasks">
        <TasksTable kind="bulk" />
      </Sheet>
    </Page>
  );
}
