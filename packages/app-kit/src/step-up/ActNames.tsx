import { SkeletonLines } from '@portal/ui';
import { wordsOfAsked } from './asked-words.ts';
import styles from './StepUpDialog.module.css';
import type { AskedAct } from './step-ups.ts';

/** The title of the page on the screen, without the name of the portal. */
const pageTitle = (): string => document.title.replace(/ · [^·]*$/, '');

/** Returns the words for an act before the registry was asked: those it said to this page, never those that a page of another origin hands on. */
const knownBefore = ({ challenge, call, isForeign }: AskedAct): string | null =>
  isForeign ? null : (wordsOfAsked(challenge.asked) ?? call.act?.name ?? 'Send what you entered');

/** Whether an effect says what the name of its act says already: “Change 1 route.” below “change 1 route”. */
const isSame = (effect: string, words: string | null): boolean => effect.replace(/\.$/, '').toLowerCase() === words?.toLowerCase();

/**
 * Names the changes that wait: read first by a screen reader, as the description of the dialog. @param said what the registry says of each; null until it has answered
 */
export function ActNames({ id, acts, said }: { id: string; acts: readonly AskedAct[]; said: readonly string[] | null }) {
  return (
    <div className={styles.act} id={id}>
      <span className={styles.label}>To carry out</span>
      {acts.map((act, index) => {
        const words = said?.[index] ?? knownBefore(act);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the list only grows
          <p key={index}>
            {words === null ? <SkeletonLines lines={1} /> : <b>{words}</b>}
            {!act.isForeign && act.call.act?.effect && !isSame(act.call.act.effect, words) && <span>{act.call.act.effect}</span>}
          </p>
        );
      })}
      <span className={styles.label}>On the page “{pageTitle()}”</span>
    </div>
  );
}
