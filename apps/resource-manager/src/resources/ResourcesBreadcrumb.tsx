import { Breadcrumb } from '@portal/ui';

/** Breadcrumb from Resources to a page. */
export function ResourcesBreadcrumb({ page }: { page: string }) {
  return <Breadcrumb items={[{ label: 'Resources', href: '/resources/summary' }, { label: page }]} />;
}
