import type { NavigationItem } from '@portal/contract/shell/shell';
import { Button, SearchInput, SideNav } from '@portal/ui';
import { withRetries } from '@portal/ui/code/with-retries';
import { useEffect, useState } from 'react';
import styles from './Navigation.module.css';
import { navigationGroups, type OpenCounts, searchedNavigation } from './navigation-groups.ts';

const openPlaces = withRetries(() => import('./listed-under.ts'));

type NavigationProps = { items: readonly NavigationItem[]; path: string; portalName: string; counts: OpenCounts };

/** The contextual navigation, with a search box where it is a drawer. */
export function Navigation({ items, path, portalName, counts }: NavigationProps) {
  const [words, setWords] = useState('');
  const [place, setPlace] = useState(path);
  // Apart, for the first screen doesn't need it: without it, only pages with an entry of their own are marked.
  useEffect(() => {
    void openPlaces().then(
      ({ placeIn }) => setPlace(placeIn(items, path)),
      () => setPlace(path),
    );
  }, [items, path]);
  return (
    <>
      <div className={`only-narrow ${styles.search}`}>
        <SearchInput label="Find a page" value={words} onChange={setWords} size="m" />
      </div>
      <SideNav label={portalName} groups={navigationGroups(searchedNavigation(items, words), place, words.trim() !== '', counts)} />
    </>
  );
}

/** Replaces a navigation that couldn't be read: pages can still be found by name. */
export function MissingNavigation({ onRetry }: { onRetry: () => void }) {
  return (
    <div aria-live="polite" className={styles.missing}>
      <p>The navigation couldn’t be loaded. Use the search at the top to find a page.</p>
      <Button size="s" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
