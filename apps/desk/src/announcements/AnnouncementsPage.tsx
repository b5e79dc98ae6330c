import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { announcementCategories, audiences, severities, type StaffAnnouncement } from '@portal/contract/announcements/announcement-shapes';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { lazy } from 'react';
import { announcementMarks } from './announcement-marks.ts';

const AnnouncementView = lazy(() => import('./AnnouncementView.tsx').then(module => ({ default: module.AnnouncementView })));
const AnnouncementForm = lazy(() => import('./AnnouncementForm.tsx').then(module => ({ default: module.AnnouncementForm })));

/** Announcements: a list, one of them, or its form, as the address says. */
export default function AnnouncementsPage() {
  const announcement = useAddress().get('announcement');
  if (announcement === 'new') return <AnnouncementForm />;
  return announcement === null ? <AnnouncementList /> : <AnnouncementView key={announcement} announcementId={announcement} />;
}

const pageSize = 20;
const columns: Column<StaffAnnouncement>[] = [
  {
    id: 'title',
    label: 'Announcement',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ announcementId, title }) => <Link href={`${pages.deskAnnouncements.path}?announcement=${announcementId}`}>{title}</Link>,
    text: ({ title }) => title,
  },
  {
    id: 'category',
    label: 'Category',
    fixed: true,
    cell: ({ category, severity }) => `${announcementCategories[category]}, ${severities[severity].toLowerCase()}`,
  },
  { id: 'audience', label: 'For', fixed: true, wrap: true, cell: ({ audience }) => audiences[audience] },
  { id: 'people', label: 'People', fixed: true, align: 'end', cell: ({ people }) => people },
  {
    id: 'at',
    label: 'Published',
    fixed: true,
    cell: ({ publishAt }) => (publishAt ? <DateText value={publishAt} /> : <span className="quiet">not yet</span>),
  },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state }) => <StateMark state={announcementMarks[state].state}>{announcementMarks[state].words}</StateMark>,
  },
];

function AnnouncementList() {
  const address = useAddress();
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  const { answer, stale } = useSteadyAnswer(deskAnnouncements.listStaffAnnouncements, {
    query: { offset: (page - 1) * pageSize, limit: pageSize },
  });
  return (
    <Page
      title={pages.deskAnnouncements.title}
      sub="People find announcements in the portal, and get them by e-mail as they prefer."
      actions={
        <LinkButton href={`${pages.deskAnnouncements.path}?announcement=new`} variant="primary" icon="plus">
          New announcement
        </LinkButton>
      }
    >
      <Sheet flush aria-label="Announcements">
        <DataTable
          caption="Announcements, newest first"
          columns={columns}
          rows={answer.rows}
          rowId={({ announcementId }) => announcementId}
          state={{ ...emptyTableState, page }}
          onStateChange={next => address.set({ page: next.page > 1 ? String(next.page) : null }, { step: true })}
          total={answer.total}
          pageSize={pageSize}
          loading={stale}
          empty={
            <EmptyState title="No announcements yet" picture={false}>
              A new announcement is a draft until you give it a time.
            </EmptyState>
          }
        />
      </Sheet>
    </Page>
  );
}
