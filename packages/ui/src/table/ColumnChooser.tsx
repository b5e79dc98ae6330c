import { lazy } from 'react';
import { withRetries } from '../code/with-retries.ts';
import type { ColumnListProps } from './ColumnList.tsx';
import { TableMenu } from './TableMenu.tsx';

const ColumnList = lazy(withRetries(async () => ({ default: (await import('./ColumnList.tsx')).ColumnList })));

/** Which columns are shown, and in which order. */
export const ColumnChooser = (list: ColumnListProps) => (
  <TableMenu label="Columns" icon="columns">
    <ColumnList {...list} />
  </TableMenu>
);
