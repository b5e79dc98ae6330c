import type { DeskHome } from '@portal/contract/staff/desk-home';
import { pages } from '@portal/contract/pages';
import { formatCount, Icon, type IconName, Link } from '@portal/ui';
import { Key } from '../shell/cases/Key.tsx';
import styles from './Home.module.css';

type Row = { count: number | null; one: string; many: string; href: string; icon: IconName; warns: boolean; letter?: string };

/** Numbers that call for someone, each leading to its list. Zeros are left out; with nothing to say one line says so. */
export function Reports({ reports, approvals }: { reports: DeskHome['reports']; approvals: DeskHome['approvals'] }) {
  const mayApprove = approvals?.filter(each => each.mayApprove).length ?? null;
  const rows: Row[] = [
    {
      count: mayApprove,
      one: 'change waits for you as second person',
      many: 'changes wait for you as second person',
      href: pages.deskApprovals.path,
      letter: 'e',
      icon: 'check',
      warns: true,
    },
    {
      count: reports.ticketsMine,
      one: 'ticket of yours waits',
      many: 'tickets of yours wait',
      href: `${pages.deskTickets.path}?owner=mine`,
      icon: 'ticket',
      warns: true,
    },
    {
      count: reports.ticketsWaiting,
      one: 'ticket waits for the registry',
      many: 'tickets wait for the registry',
      href: pages.deskTickets.path,
      letter: 'i',
      icon: 'ticket',
      warns: false,
    },
    {
      count: reports.bankLines,
      one: 'payment matches nothing yet',
      many: 'payments match nothing yet',
      href: pages.deskPayments.path,
      icon: 'billing',
      warns: true,
    },
    {
      count: reports.lameServers,
      one: 'name server is lame',
      many: 'name servers are lame',
      href: pages.deskLameServers.path,
      icon: 'reverse',
      warns: true,
    },
    { count: reports.rpkiAlarms, one: 'alarm of RPKI', many: 'alarms of RPKI', href: pages.deskRpki.path, icon: 'shield', warns: true },
    {
      count: reports.setAside,
      one: 'piece of work is set aside',
      many: 'pieces of work are set aside',
      href: pages.deskSetAside.path,
      icon: 'warning',
      warns: true,
    },
  ];
  const shown = rows.filter(({ count }) => count !== null && count > 0);
  if (rows.every(({ count }) => count === null)) return null;
  if (shown.length === 0)
    return (
      <p className={styles.calm}>
        <Icon name="valid" /> Nothing else calls for you.
      </p>
    );
  return (
    <ul className={styles.reports} aria-label="Reports">
      {shown.map(({ count, one, many, href, icon, warns, letter }) => (
        <li key={many}>
          <Link href={href} className={styles.report} data-warns={warns || undefined} aria-keyshortcuts={letter}>
            <Icon name={icon} />
            <b>{formatCount(count!)}</b> <span>{count === 1 ? one : many}</span>
            {letter && <Key name={letter} />}
          </Link>
        </li>
      ))}
    </ul>
  );
}
