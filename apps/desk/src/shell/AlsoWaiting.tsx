import { proposals } from '@portal/contract/proposals/proposals';
import { reading, useKit } from '@portal/app-kit';
import { DateText, Icon, Link, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './Deciding.module.css';
import { useMay } from './use-may.ts';

/** Returns what waits for a second person, as far as the reader sees it. */
export function useWaiting() {
  const { call } = useKit();
  const may = useMay();
  const enabled = may(proposals.listStaffProposals);
  return useQuery({ ...reading(call, proposals.listStaffProposals, {}), enabled }).data?.waiting ?? [];
}

/** Other acts that wait for a second person. */
export function AlsoWaiting({ but }: { but?: string }) {
  const waiting = useWaiting().filter(({ link }) => but === undefined || link !== but);
  if (waiting.length === 0) return null;
  return (
    <Sheet title="Also waiting" meta={<span>{waiting.length}</span>}>
      <ul className={styles.checks}>
        {waiting.slice(0, 6).map(({ proposalId, what, link, proposedBy, isMine, expiresAt }) => (
          <li key={proposalId}>
            <Icon name="clock" />
            <span>
              <Link href={link ?? '/desk/approvals'}>{what}</Link>
              <small>
                {isMine ? 'You' : proposedBy}, until <DateText value={expiresAt} />
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
