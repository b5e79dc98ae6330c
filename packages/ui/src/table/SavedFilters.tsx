import { lazy } from 'react';
import { withRetries } from '../code/with-retries.ts';
import type { SavedFilterListProps } from './SavedFilterList.tsx';
import { TableMenu } from './TableMenu.tsx';

const SavedFilterList = lazy(withRetries(async () => ({ default: (await import('./SavedFilterList.tsx')).SavedFilterList })));

/** The filters that a person named, and the way to name those that are set. */
export const SavedFilters = (list: SavedFilterListProps) => (
  <TableMenu label="Saved filters" icon="filter">
    <SavedFilterList {...list} />
  </TableMenu>
);
