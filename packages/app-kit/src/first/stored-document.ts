import { savesData } from './connection.ts';

type Navigation = Pick<PerformanceNavigationTiming, 'name' | 'transferSize'>;

/**
 * Updates the browser's cached copy of this page's HTML, once the page is complete. A copy that was shown without asking the server is requested
 * again, so that it is at most one load old; if the page was reached by another address (after a sign-in), its own is cached for the next load.
 */
export function refreshStoredDocument(
  navigation: Navigation | undefined = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined,
  { href }: Pick<Location, 'href'> = window.location,
): void {
  if (!navigation) return;
  const address = href.replace(/#.*/, '');
  const isOwn = navigation.name.replace(/#.*/, '') === address;
  if (isOwn ? navigation.transferSize > 0 : savesData()) return;
  // The cached copy stays if the connection fails.
  fetch(address, { cache: isOwn ? 'no-cache' : 'default', priority: 'low' }).catch(() => undefined);
}
