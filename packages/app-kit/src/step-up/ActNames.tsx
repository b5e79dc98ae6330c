import { actObjectOf } from '@portal/contract/act-objects';
import styles from './StepUpDialog.module.css';
import type { AskedAct } from './step-ups.ts';

/** The title of the page on the screen, without the name of the portal. */
const pageTitle = (): string => document.title.replace(/ · [^·]*$/, '');

/** Names the changes that wait: read first by a screen reader, as the description of the dialog. */
export function ActNames({ id, acts }: { id: string; acts: readonly AskedAct[] }) {
  return (
    <div className={styles.act} id={id}>
      <span className={styles.label}>To carry out</span>
      {acts.map(({ call: { act, endpoint, input } }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list only grows
        <p key={index}>
          <b>{act?.name ?? 'Send what you entered'}</b>
          <span>{act?.effect ?? actObjectOf(endpoint.id, input)}</span>
        </p>
      ))}
      <span className={styles.label}>On the page “{pageTitle()}”</span>
    </div>
  );
}
