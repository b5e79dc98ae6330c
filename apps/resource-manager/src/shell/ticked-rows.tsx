import { CopyButton } from '@portal/ui';
import { type ReactNode, useState } from 'react';

/** The ticked rows of a table, for `DataTable`, and the button that copies their names as a list. */
export function useTickedRows(): { selected: ReadonlySet<string>; onChange: (rows: ReadonlySet<string>) => void; actions: ReactNode } {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  return {
    selected: ticked,
    onChange: setTicked,
    actions: (
      <CopyButton text={[...ticked].join('\n')} label="Copy as a list">
        Copy as a list
      </CopyButton>
    ),
  };
}
