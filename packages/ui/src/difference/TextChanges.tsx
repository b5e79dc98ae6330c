import { BeforeAfter } from './BeforeAfter.tsx';
import styles from './TextChanges.module.css';
import { differencesOf, type Text } from './text-differences.ts';

/** The paragraphs in which two texts differ. */
export function TextChanges({ before, after }: { before: Text; after: Text }) {
  return (
    <div className={styles.changes}>
      {differencesOf(before, after).map((change, index) => (
        <BeforeAfter key={`${index} ${change.after ?? ''}`} before={change.before ?? ''} after={change.after ?? ''} />
      ))}
    </div>
  );
}
