import { policy } from '@portal/contract/policy/policy';
import { proposals } from '@portal/contract/proposals/proposals';
import { reading, useKit } from '@portal/app-kit';
import { DateText, Icon, Link, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../shell/use-may.ts';
import styles from './Policy.module.css';
import { changeHref } from './policy-words.ts';

/** Returns what waits for a second person, as far as the reader sees it. */
export function useWaiting() {
  const { call } = useKit();
  const may = useMay();
  const enabled = may(proposals.listStaffProposals);
  return useQuery({ ...reading(call, proposals.listStaffProposals, {}), enabled }).data?.waiting ?? [];
}

/** Changes of the policy that wait for a second person, by their id: whether the reader can be that person. */
export type WaitingChanges = ReadonlyMap<string, { isYours: boolean }>;

/** Returns the changes of the policy that wait for a second person. */
export function useWaitingChanges(): WaitingChanges {
  const acts = useMay()(policy.confirmPolicyChange);
  const changes = useWaiting().filter(({ link }) => link?.startsWith(changeHref('')));
  return new Map(
    changes.map(({ link, isMine, needsRole }) => [link!.slice(changeHref('').length), { isYours: acts && !isMine && needsRole === null }]),
  );
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
