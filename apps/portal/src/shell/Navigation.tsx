import type { NavigationItem } from '@portal/contract/shell/shell';
import { SearchInput, SideNav } from '@portal/ui';
import { useState } from 'react';
import { navigationGroups, searchedNavigation } from './navigation-groups.ts';
import styles from './Navigation.module.css';

/** The contextual navigation, with a search box where it is a drawer. */
export function Navigation({ items, path, product }: { items: readonly NavigationItem[]; path: string; product: string }) {
  const [words, setWords] = useState('');
  return (
    <>
      <div className={`only-narrow ${styles.search}`}>
        <SearchInput label="Find a page" value={words} onChange={setWords} size="m" />
      </div>
      <SideNav label={`My${product}`} groups={navigationGroups(searchedNavigation(items, words), path, words.trim() !== '')} />
    </>
  );
}
