import { createContext, useContext } from 'react';
import type { Portal } from './portal.ts';

export const PortalContext = createContext<Portal | null>(null);

/** The portal's own parts, for the few pages that sign in and out or select accounts. */
export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('This page belongs to the portal');
  return portal;
}
