import type { ReactNode } from 'react';

/** Text for machines: handles, object text, hashes, document numbers. Not translated. */
export function Mono({ children, nowrap = true }: { children: ReactNode; nowrap?: boolean }) {
  return (
    <span className={nowrap ? 'mono nw' : 'mono'} translate="no">
      {children}
    </span>
  );
}
