import { reading, useKit, useSession } from '@portal/app-kit';
import { lastVisit } from '@portal/contract/home/last-visit';
import { DateText, Link, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './contacts/list/People.module.css';

const some = (count: number, who: string): string[] => (count === 0 ? [] : [`${count} by ${who}`]);

/** Others' changes since the person's last visit. Requested after the page was drawn, and shown only if there are any. */
export function SinceLastVisit() {
  const { account } = useSession();
  const { call } = useKit();
  const { data } = useQuery(reading(call, lastVisit.getSinceLastVisit, { account: account!.accountName }));
  if (!data?.since || data.lines.length === 0) return null;
  const counts = [
    ...some(data.byContacts, 'colleagues'),
    ...some(data.byStaff, 'registry staff'),
    ...some(data.byTheRegistry, 'the registry itself'),
  ];
  return (
    <Sheet
      title="Since you were last here"
      meta={
        <span className="small quiet">
          <DateText value={data.since} />: {counts.join(', ')}
        </span>
      }
      actions={
        <Link className="small" href="/member-account-settings/activity-logs">
          All activity
        </Link>
      }
      flush
    >
      <ul className={styles.list}>
        {data.lines.map(({ activityId, at, by, summary }) => (
          <li key={activityId}>
            <span className={styles.words}>{summary}</span>
            <span className="small quiet">
              {by}, <DateText value={at} />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
