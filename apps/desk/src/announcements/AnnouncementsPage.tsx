import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { announcementCategories, audiences, severities, type StaffAnnouncement } from '@portal/contract/announcements/announcement-shapes';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useMay } from '../shell/use-may.ts';
import { announcementMarks } from './announcement-marks.ts';

const AnnouncementView = later(() => import('./AnnouncementView.tsx'), 'AnnouncementView');
const AnnouncementForm = later(() => import('./AnnouncementForm.tsx'), 'AnnouncementForm');

/** Announcements: a list, one of them, or its form, as the address says. */
export default function AnnouncementsPage() {
  const may = useMay();
  const announcement = useAddress().get('announcement');
  // Who only reads is shown the list.
  const isNew = announcement === 'new';
  if (isNew && may(deskAnnouncements.addAnnouncement)) return <AnnouncementForm />;
  return announcement === null || isNew ? <AnnouncementList /> : <AnnouncementView key={announcement} announcementId={announcement} />;
}

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
  const may = useMay();
  const address = useAddress();
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(deskAnnouncements.listStaffAnnouncements, { query });
  return (
    <Page
      title={pages.deskAnnouncements.title}
      sub="People find announcements in the portal, and get them by e-mail as they prefer."
      actions={
        may(deskAnnouncements.addAnnouncement) && (
          <LinkButton href={`${pages.deskAnnouncements.path}?announcement=new`} variant="primary" icon="plus">
            New announcement
          </LinkButton>
        )
      }
    >
      <Sheet flush aria-label="Announcements">
        <DataTable
          caption="Announcements, newest first"
          columns={columns}
          rows={answer.rows}
          rowId={({ announcementId }) => announcementId}
          {...table}
          total={answer.total}
          loading={stale}
          onOpen={({ announcementId }) => address.go(`${pages.deskAnnouncements.path}?announcement=${announcementId}`)}
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
