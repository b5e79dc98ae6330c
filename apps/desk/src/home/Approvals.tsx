import type { DeskHome } from '@portal/contract/staff/desk-home';
import { pages } from '@portal/contract/pages';
import { DateText, formatCount, Icon, Link, LinkButton, Sheet } from '@portal/ui';
import styles from './Home.module.css';

const MOST = 5;

/** Changes that wait for a second person: those of the reader, and those that they decide. */
export function Approvals({ approvals }: { approvals: NonNullable<DeskHome['approvals']> }) {
  return (
    <Sheet
      flush
      title="Waits for a second person"
      meta={formatCount(approvals.length)}
      actions={<Link href={pages.deskApprovals.path}>{pages.deskApprovals.title}</Link>}
    >
      <ul>
        {approvals.slice(0, MOST).map(({ proposalId, what, link, proposedBy, isMine, expiresAt, mayApprove }) => (
          <li key={proposalId} className={styles.line}>
            <span className={styles.lineIcon}>
              <Icon name="check" />
            </span>
            <div className={styles.grow}>
              <Link href={link ?? pages.deskApprovals.path} className={styles.strong}>
                {what}
              </Link>
              <span className={styles.quiet}>
                {isMine ? 'You proposed it' : `Proposed by ${proposedBy}`}, until <DateText value={expiresAt} shape="day-time" />
              </span>
            </div>
            {mayApprove && (
              <LinkButton size="s" href={link ?? pages.deskApprovals.path} aria-label={`Review ${what}`}>
                Review
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
