import { accountList } from '@portal/contract/data-quality/account-list';
import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { type AccountSheet, desk } from '@portal/contract/staff/desk';
import { type EarlierRiskMark, maxEarlierMarks, maxRiskMarks, type RiskMark, riskMarks } from '@portal/contract/staff/risk-marks';
import { Badge, Button, DateText, Sheet } from '@portal/ui';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';
import { useMay } from '../shell/use-may.ts';
import { riskMarksOf } from './account-words.ts';
import { AddRiskMark } from './AddRiskMark.tsx';
import styles from './Picture.module.css';

type Props = { picture: AccountPicture; sheet: AccountSheet };

/** Marks to look at before one decides about an account: those that checks find, each with the facts that make it, and those that colleagues set. Members don’t see them. */
export function AccountRisks({ picture, sheet }: Props) {
  const found = riskMarksOf(picture, sheet);
  const set = sheet.marks ?? [];
  const add = useRef<HTMLButtonElement>(null);
  const count = useRef(set.length);
  useEffect(() => {
    // The button that opened the dialog went with the mark, and the focus with it.
    if (set.length < count.current && document.activeElement === document.body) add.current?.focus();
    count.current = set.length;
  }, [set.length]);
  return (
    <Sheet
      flush
      id="risks"
      title="Risk marks"
      meta={
        <Badge kind="warning" icon="lock">
          Registry only
        </Badge>
      }
      className={styles.risks}
      footer={<AddMark sheet={sheet} button={add} />}
    >
      {found.length + set.length === 0 ? (
        <p className={`quiet small ${styles.none}`}>
          No marks. Checks of contacts, payments, mailboxes and the account’s state set them, and so can you.
        </p>
      ) : (
        <ul>
          {found.map(({ title, because }) => (
            <li key={title}>
              <b>{title}</b>
              <span>{because} Set by check.</span>
            </li>
          ))}
          {set.map(mark => (
            <SetMark key={mark.riskMarkId} mark={mark} accountName={sheet.account.accountName} />
          ))}
        </ul>
      )}
      <EarlierMarks marks={sheet.earlierMarks ?? []} />
    </Sheet>
  );
}

/** Marks that are over: who removed them and why, or that their last day was. */
function EarlierMarks({ marks }: { marks: readonly EarlierRiskMark[] }) {
  if (marks.length === 0) return null;
  return (
    <details className={styles.earlierMarks}>
      <summary>Earlier marks ({marks.length === maxEarlierMarks ? `the latest ${marks.length}` : marks.length})</summary>
      <ul>
        {marks.map(({ riskMarkId, title, reason, setBy, setAt, endsOn, removedBy, removedAt, removalReason }) => (
          <li key={riskMarkId}>
            <b>{title}</b>
            <span>
              <bdi>{reason}</bdi>
              {/[.!?]$/.test(reason) ? ' ' : '. '}
              Set by {setBy} on <DateText value={setAt} shape="date" />,{' '}
              {removedBy && removedAt ? (
                <>
                  removed by {removedBy} on <DateText value={removedAt} shape="date" />: <bdi>{removalReason}</bdi>
                </>
              ) : (
                <>
                  ended on <DateText value={endsOn} shape="date" />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A mark that a colleague set. */
function SetMark({ mark, accountName }: { mark: RiskMark; accountName: string }) {
  const { riskMarkId, title, reason, endsOn, setBy } = mark;
  const may = useMay();
  const [removing, setRemoving] = useState(false);
  return (
    <li>
      <b>{title}</b>
      <span>
        <bdi>{reason}</bdi>
        {/[.!?]$/.test(reason) ? ' ' : '. '}
        Set by {setBy}, ends <DateText value={endsOn} shape="date" />
      </span>
      {may(riskMarks.removeRiskMark) && (
        <Button size="s" variant="quiet" icon="trash" aria-label={`Remove the mark ${title}`} onClick={() => setRemoving(true)} />
      )}
      {removing && (
        <ReasonDialog
          endpoint={riskMarks.removeRiskMark}
          body={riskMarks.removeRiskMark.body}
          params={{ accountName, riskMarkId }}
          name="remove-mark"
          title={`Remove “${title}”?`}
          act="Remove"
          keep="Cancel"
          ifEmpty="Enter a reason. Only colleagues can find it."
          done={`“${title}” is removed.`}
          refresh={[desk.getAccountSheet, accountList.listStaffAccounts]}
          onClose={() => setRemoving(false)}
        >
          <p>The mark is removed from the account immediately. It can’t be restored: to have it back, add it again.</p>
        </ReasonDialog>
      )}
    </li>
  );
}

/** Adds a mark, for those whose roles let them. */
function AddMark({ sheet, button }: { sheet: AccountSheet; button: RefObject<HTMLButtonElement | null> }) {
  const { account, marks, today } = sheet;
  const may = useMay();
  const [adding, setAdding] = useState(false);
  if (marks === null) return <span>You’re of this account, so marks that colleagues set aren’t shown to you.</span>;
  return (
    <>
      {may(riskMarks.addRiskMark) && (
        <Button
          ref={button}
          size="s"
          icon="plus"
          refusal={marks.length >= maxRiskMarks ? { reason: `An account can have ${maxRiskMarks} marks. Remove one first.` } : null}
          onClick={() => setAdding(true)}
        >
          Add mark
        </Button>
      )}
      <span>Each mark has a reason, a person and an end date</span>
      {adding && <AddRiskMark accountName={account.accountName} today={today} onClose={() => setAdding(false)} />}
    </>
  );
}
