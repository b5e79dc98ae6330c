import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { Badge, Sheet } from '@portal/ui';
import { riskMarksOf } from './account-words.ts';
import styles from './Picture.module.css';

/** Marks to look at before one decides about an account, each with the facts that make it. Members don’t see them. */
export function AccountRisks({ picture, sheet }: { picture: AccountPicture; sheet: AccountSheet }) {
  const marks = riskMarksOf(picture, sheet);
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
    >
      {marks.length === 0 ? (
        <p className={`quiet small ${styles.none}`}>
          No marks. They are set by checks of contacts, payments, mailboxes and the account’s state.
        </p>
      ) : (
        <ul>
          {marks.map(({ title, because }) => (
            <li key={title}>
              <b>{title}</b>
              <span>{because}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
