import type { ReactNode } from 'react';

/** What a machine reads: handles, object text, hashes, document numbers. Not translated. */
export function Mono({ children, nowrap = true }: { children: ReactNode; nowrap?: boolean }) {
  return (
    <span className={nowrap ? 'mono nw' : 'mono'} translate="no">
      {children}
    </span>
  );
}
