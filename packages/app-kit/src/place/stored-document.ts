import { savesData } from './connection.ts';

type Navigation = Pick<PerformanceNavigationTiming, 'name' | 'transferSize'>;

/**
 * Brings the browser's copy of this page's HTML up to date, once the page is whole. A copy that was shown without asking the server is asked
 * for again, so that it is one load old at most; where the page came by another address (from a sign-in), its own is stored for the next load.
 */
export function refreshStoredDocument(
  navigation: Navigation | undefined = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined,
  { href }: Pick<Location, 'href'> = window.location,
): void {
  if (!navigation) return;
  const address = href.replace(/#.*/, '');
  const isOwn = navigation.name.replace(/#.*/, '') === address;
  if (isOwn ? navigation.transferSize > 0 : savesData()) return;
  // What is stored stays when the line is gone.
  fetch(address, { cache: isOwn ? 'no-cache' : 'default', priority: 'low' }).catch(() => undefined);
}
