import type { NavigationItem } from '@portal/contract/shell/shell';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';

const FindPalette = lazy(() => import('./FindPalette.tsx').then(module => ({ default: module.FindPalette })));

/** The command palette: pages, accounts, resources of the account, and for registry staff every holder. Loaded when first opened. */
export function FindAnything({ portal, items }: { portal: Portal; items: readonly NavigationItem[] }) {
  const open = useSyncExternalStore(portal.palette.subscribe, portal.palette.get);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <FindPalette portal={portal} items={items} open={open} />
    </Suspense>
  );
}
