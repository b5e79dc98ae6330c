import { Page, useKit, useRefusal } from '@portal/app-kit';
import { type CaseNotes, staffCases } from '@portal/contract/staff/cases';
import { caseNameOf } from '@portal/contract/staff/case-words';
import { Breadcrumb, Button, ButtonRow, DateText, formatDate, StateMark } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import styles from './Case.module.css';
import { useDeskKeys } from './desk-keys.ts';
import { HandOver } from './HandOver.tsx';
import { Key } from './Key.tsx';
import { MemberView } from './MemberView.tsx';
import { proposedWords } from './second-words.ts';
import { stateOf } from './state-words.ts';

/** Who has the next move instead of the registry, and until when; `until` is null where no day is set. */
export type WaitsFor = { name: string; until: string | null };

/** The ways from a case to its neighbours in the queue, and back to it; null at an end. */
type Ways = { next: (() => void) | null; previous: (() => void) | null; back: () => void };

/** The head of the page of a case, with its keys: what it is, its state, and what one does with the case as a whole. */
export function CaseHead({
  queue,
  notes,
  waitsFor = null,
  title,
  heading,
  crumbs,
  children,
}: {
  queue: Ways;
  notes: CaseNotes;
  waitsFor?: WaitsFor | null;
  title: string;
  heading: ReactNode;
  crumbs: { label: ReactNode; href?: string }[];
  children: ReactNode;
}) {
  const { router } = useKit();
  const [shown, setShown] = useState<'hand-over' | 'member' | null>(null);
  const close = () => setShown(null);
  const {
    case: { accountName },
    colleagues,
  } = notes;
  const canHandOver = useRefusal(staffCases.handOverCase) === null && colleagues.length > 0;
  const act = (name: 'hand-over' | 'member', can: boolean) => (can ? () => setShown(name) : null);
  useDeskKeys({
    j: queue.next,
    k: queue.previous,
    u: queue.back,
    o: accountName === null ? null : () => router.go(`/desk/accounts/${encodeURIComponent(accountName)}`),
    m: act('member', accountName !== null),
    h: act('hand-over', canHandOver),
  });
  return (
    <Page
      title={title}
      heading={heading}
      sub={<HeadMarks notes={notes} waitsFor={waitsFor} />}
      breadcrumb={<Breadcrumb items={crumbs} />}
      actions={
        <ButtonRow>
          {accountName !== null && (
            <Button aria-keyshortcuts="m" onClick={() => setShown('member')}>
              Member’s view <Key name="m" />
            </Button>
          )}
          {canHandOver && (
            <Button aria-keyshortcuts="h" onClick={() => setShown('hand-over')}>
              Hand over <Key name="h" />
            </Button>
          )}
          {queue.next && (
            <Button aria-keyshortcuts="j" onClick={queue.next}>
              Next case <Key name="j" />
            </Button>
          )}
        </ButtonRow>
      }
    >
      {children}
      <HandOver notes={notes} open={shown === 'hand-over'} onClose={close} />
      {accountName !== null && <MemberView accountName={accountName} open={shown === 'member'} onClose={close} />}
    </Page>
  );
}

/** Returns who has the next move, in words. */
function nextMoveOf({ state, second, accountName, requestedBy }: CaseNotes['case'], waitsFor: WaitsFor | null): string {
  if (state === 'needs-info') return waitsFor?.name ?? accountName ?? requestedBy;
  if (second) return second.mayConfirm ? 'yours, to confirm' : 'a second person';
  return 'the registry';
}

/** The state of a case, whose move is next, and who has it. */
function HeadMarks({ notes: { case: line }, waitsFor }: { notes: CaseNotes; waitsFor: WaitsFor | null }) {
  const { state, words } = stateOf(line);
  const until = line.state === 'needs-info' ? (waitsFor?.until ?? null) : null;
  return (
    <span className={styles.marks}>
      <StateMark state={state}>{words}</StateMark>
      {line.isOpen && (
        <span className="small">
          Next move: <b>{nextMoveOf(line, waitsFor)}</b>
          {until !== null && (
            <>
              , until <DateText value={until} shape="date" />
            </>
          )}
          {line.second && `. ${proposedWords(line.second)}`}
        </span>
      )}
      <span className="quiet small">
        {line.handler ? (line.isOpen ? `${line.handler} has it` : `Handled by ${line.handler}`) : line.isOpen ? 'No one has it yet' : ''}
        {line.handler || line.isOpen ? '. ' : ''}Sent by {line.requestedBy} <DateText value={line.requestedAt} />
      </span>
    </span>
  );
}

/** Returns why a letter that decides does nothing: who has the next move, and until when. */
export function noActWords({ case: line }: CaseNotes, waitsFor: WaitsFor | null): string {
  const name = caseNameOf(line);
  if (!line.isOpen) return `${name} is closed.`;
  const until =
    line.state === 'needs-info' && waitsFor?.until
      ? ` until ${formatDate(waitsFor.until, { timeZone: 'UTC', hourCycle: 'h23' }, 'date')}`
      : '';
  const who = nextMoveOf(line, waitsFor);
  return `${name} can’t be decided like this now. ${who.charAt(0).toUpperCase()}${who.slice(1)} has the next move${until}.`;
}
