import { Page, useAnswer, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { search } from '@portal/contract/search/search';
import { type DeskHome, deskHome } from '@portal/contract/staff/desk-home';
import { Banner, ButtonRow, formatCount, LinkButton } from '@portal/ui';
import { caseLink } from '../shell/case-link.ts';
import { useDeskKeys } from '../shell/cases/desk-keys.ts';
import { Key } from '../shell/cases/Key.tsx';
import { waitsForOthers } from '../shell/cases/second-words.ts';
import { useMay } from '../shell/use-may.ts';
import { Approvals } from './Approvals.tsx';
import { CaseLists } from './CaseLists.tsx';
import { Figures } from './Figures.tsx';
import { HomeFind } from './HomeFind.tsx';
import styles from './Home.module.css';

import { Pools } from './Pools.tsx';
import { Pulse } from './Pulse.tsx';
import { Queue } from './Queue.tsx';
import { Reminders } from './Reminders.tsx';
import { Reports } from './Reports.tsx';

/** /desk: the morning of registry staff. Parts that the person's roles don't open are not in the answer, and so not on the page. */
export default function HomePage() {
  const { router } = useKit();
  const home = useAnswer(deskHome.getDeskHome, {});
  const { cases, approvals, machines, pools, failed } = home;
  const open = cases?.rows.filter(row => !waitsForOthers(row)) ?? [];
  const next = open.find(({ isMine, second }) => isMine || second !== null);
  const oldest = open.find(({ handler, second }) => handler === null && second === null);
  const to = (row: typeof next) => (row ? () => router.go(caseLink(row)) : null);
  const may = useMay();
  const list = (page: (typeof pages)['deskRequests' | 'deskTickets' | 'deskApprovals']) => (may(page) ? () => router.go(page.path) : null);
  useDeskKeys(
    { j: to(next ?? open[0]), f: to(oldest), u: list(pages.deskRequests), i: list(pages.deskTickets), e: list(pages.deskApprovals) },
    { j: next ? 'Open my next case' : 'Open the case that waits longest', u: 'Open the queue' },
  );
  return (
    <Page
      title={pages.deskHome.title}
      sub={subOf(home)}
      actions={
        (next ?? oldest) && (
          <ButtonRow>
            {oldest && (
              <LinkButton href={caseLink(oldest)} aria-keyshortcuts="f">
                Oldest unassigned <Key name="f" />
              </LinkButton>
            )}
            {next && (
              <LinkButton variant="primary" href={caseLink(next)} aria-keyshortcuts="j">
                Open my next case <Key name="j" />
              </LinkButton>
            )}
          </ButtonRow>
        )
      }
    >
      <div className={styles.page}>
        {failed.length > 0 && (
          <Banner kind="warning" title="Some of this page couldn’t be loaded.">
            The rest is complete. Reload the page in a minute.
          </Banner>
        )}
        {may(search.findEverywhere) && <HomeFind />}
        {home.reminders.length > 0 && <Reminders reminders={home.reminders} />}
        <Reports reports={home.reports} approvals={approvals} />
        {cases && <Queue cases={cases} />}
        {machines && <Pulse machines={machines} at={home.at} />}
        <div className={styles.pair}>
          {cases && <CaseLists cases={cases} />}
          {approvals && approvals.length > 0 && <Approvals approvals={approvals} />}
          {pools && <Pools pools={pools} />}
        </div>
        <Figures home={home} />
      </div>
    </Page>
  );
}

const dayWords = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' });

function subOf({ at, cases }: DeskHome): string {
  const day = dayWords.format(new Date(at)).replace(',', '').replace('Sept', 'Sep');
  if (!cases) return `${day}.`;
  const { withUs, late, free, waitingOnMembers } = cases;
  if (withUs === 0) return `${day}. No open cases are with us.${waitingOnMembers > 0 ? ` ${waits(waitingOnMembers)}` : ''}`;
  return `${day}. ${withUs === 1 ? 'One case is' : `${formatCount(withUs)} cases are`} with us, ${formatCount(late)} of them late and ${formatCount(free)} unassigned. ${waits(waitingOnMembers)}`;
}

const waits = (count: number): string => (count === 1 ? '1 is waiting for a member.' : `${formatCount(count)} are waiting for members.`);
