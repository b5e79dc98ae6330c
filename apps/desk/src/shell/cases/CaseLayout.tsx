import type { KitRefusal } from '@portal/app-kit';
import type { ReactNode } from 'react';
import { PartLook } from './part-look.ts';
import styles from './Case.module.css';
import { CaseNotesSheets } from './CaseNotesSheets.tsx';
import { type Act, Decision } from './Decision.tsx';

/**
 * The lay-out of every case: facts that the rule needs, then the conversation; beside them the account, documents, history and notes; the acts in a bar that stays on the screen.
 * @param about what is decided, at the beginning of the bar
 */
export function CaseLayout({
  facts,
  conversation,
  beside,
  acts,
  refusal,
  overtaken,
  about,
}: {
  facts: ReactNode;
  conversation?: ReactNode;
  beside: ReactNode;
  acts: readonly Act[];
  refusal: KitRefusal | null;
  overtaken: string | null;
  about?: ReactNode;
}) {
  return (
    <PartLook value="sheet">
      <div className={styles.columns}>
        <div className={styles.column}>
          {facts}
          {conversation}
        </div>
        <div className={styles.column}>
          {beside}
          <CaseNotesSheets />
        </div>
      </div>
      <Decision acts={acts} refusal={refusal} overtaken={overtaken} about={about} />
    </PartLook>
  );
}
