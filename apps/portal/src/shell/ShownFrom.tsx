import { DateText } from '@portal/ui';
import { useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';
import styles from './ShownFrom.module.css';

/** Shows the age of the page, while it shows answers of the last load. It overlays a corner, so that nothing moves when it disappears. */
export function ShownFrom({ portal: { shownFrom } }: { portal: Pick<Portal, 'shownFrom'> }) {
  const shown = useSyncExternalStore(shownFrom.subscribe, shownFrom.get);
  if (!shown) return null;
  return (
    <p className={styles.note}>
      As of <DateText value={new Date(shown.at).toISOString()} shape="time" />
      {shown.failed ? '. It couldn’t be updated. Reload the page to try again.' : ', updating'}
    </p>
  );
}
