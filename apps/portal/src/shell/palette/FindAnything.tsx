import { optionalPart } from '@portal/app-kit/page/later';
import type { NavigationItem } from '@portal/contract/shell/shell';
import { useState, useSyncExternalStore } from 'react';
import type { Portal } from '../../portal.ts';

const FindPalette = optionalPart(() => import('./FindPalette.tsx'), 'FindPalette');

/** The command palette: pages, accounts, resources of the account, and for registry staff every holder. Loaded when first opened. */
export function FindAnything({ portal, items }: { portal: Portal; items: readonly NavigationItem[] }) {
  const open = useSyncExternalStore(portal.palette.subscribe, portal.palette.get);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  if (!wanted) return null;
  const lost = () => {
    portal.palette.set(false);
    setWanted(false);
  };
  return <FindPalette portal={portal} items={items} open={open} onLost={lost} />;
}
