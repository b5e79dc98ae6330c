import type { ReactNode } from 'react';
import { formatRange } from './Count.tsx';

/** Text for machines: handles, object text, hashes, document numbers, number resources. Not translated. */
export function Mono({ children, nowrap = true }: { children: ReactNode; nowrap?: boolean }) {
  return (
    <span className={nowrap ? 'mono nw' : 'mono'} translate="no">
      {typeof children === 'string' ? formatRange(children) : children}
    </span>
  );
}
