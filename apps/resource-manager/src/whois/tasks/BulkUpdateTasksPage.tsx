import { Page } from '@portal/app-kit';
import { LinkButton, Sheet } from '@portal/ui';
import { TasksTable } from './TasksTable.tsx';

/** /task/bulk-updates-list */
export default function BulkUpdateTasksPage() {
  return (
    <Page
      title="Bulk update tasks"
      sub="Changes of many whois objects, with what came of each object."
      actions={<LinkButton href="/resources/bulk-whois-updates">New bulk update</LinkButton>}
    >
      <Sheet flush aria-label="Bulk update tasks">
        <TasksTable kind="bulk" />
      </Sheet>
    </Page>
  );
}
