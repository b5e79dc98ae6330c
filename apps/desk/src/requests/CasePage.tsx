import { Page, useAnswer, useKit, usePlace } from '@portal/app-kit';
import { findPage, pages } from '@portal/contract/pages';
import { staffCases } from '@portal/contract/staff/cases';
import { type DeskRequest, deskKinds } from '@portal/contract/staff/desk';
import { EmptyState, Link } from '@portal/ui';
import { useState } from 'react';
import styles from '../shell/cases/Case.module.css';
import { CaseHead, noActWords } from '../shell/cases/CaseHead.tsx';
import { OpenCaseContext, type Passed } from '../shell/cases/open-case.ts';
import { ReplyContext } from '../shell/InsertTemplate.tsx';
import { CaseBody } from './CaseBody.tsx';
import { CaseRail } from './CaseRail.tsx';
import { named as parseName } from './queue-words.ts';
import { useCaseQueue } from './use-case-queue.ts';
import { useWaitsFor } from './use-waits-for.ts';
import { caseNameOf } from '@portal/contract/staff/case-words';

/** One case of any kind, with the queue that it was opened from. */
export default function CasePage() {
  const { environment } = useKit();
  const named = parseName(findPage(usePlace().path, environment.product).params['request'] ?? null);
  if (named === null)
    return (
      <Page title={pages.deskCase.title}>
        <EmptyState
          title="There is no case at this address"
          action={<Link href={pages.deskRequests.path}>Open the queue</Link>}
          picture={false}
        />
      </Page>
    );
  return <Case key={`${named.kind}-${named.requestId}`} named={named} />;
}

function Case({ named }: { named: Pick<DeskRequest, 'kind' | 'requestId'> }) {
  const queue = useCaseQueue(named);
  const notes = useAnswer(staffCases.getCase, { kind: named.kind, caseId: named.requestId });
  const { notify } = useKit();
  const waitsFor = useWaitsFor(notes.case);
  const [passed, setPassed] = useState<Passed | null>(null);
  const [now] = useState(() => Date.now());
  const { case: line } = notes;
  const name = caseNameOf(line);
  const account = line.accountName ?? line.orgName;
  return (
    <OpenCaseContext
      value={{
        named: { kind: named.kind, caseId: named.requestId },
        next: queue.next,
        passed,
        onPassed: setPassed,
        onNoAct: () => notify({ kind: 'info', text: noActWords(notes, waitsFor) }),
      }}
    >
      <ReplyContext value={{ kind: named.kind, account: line.accountName, request: line.reference, contact: line.requestedBy || null }}>
        <div className={styles.page}>
          <CaseRail queue={queue} open={named} now={now} />
          <div className={styles.body}>
            <CaseHead
              queue={queue}
              notes={notes}
              waitsFor={waitsFor}
              title={`${name}, ${account}`}
              heading={`${account}: ${line.asked || deskKinds[named.kind]}`}
              crumbs={[
                { label: pages.deskHome.title, href: pages.deskHome.path },
                { label: pages.deskRequests.title, href: pages.deskRequests.path + queue.search },
                { label: <span className="mono">{name}</span> },
              ]}
            >
              <CaseBody />
            </CaseHead>
          </div>
        </div>
      </ReplyContext>
    </OpenCaseContext>
  );
}
