import { hasHighLatency } from './connection.ts';

/** Marks the document while its web font is not loaded (packages/ui/src/tokens.css). */
const mark = 'typefaceLater';

/** True for a document from the browser's cache, whose files are cached too. Browsers that report the connection report this as well. */
const isFromStore = (): boolean =>
  (performance.getEntriesByType('navigation')[0] as { deliveryType?: string } | undefined)?.deliveryType === 'cache';

/**
 * Asks for the typeface of the first words (`<meta name="typeface">`, which the server leaves out with Save-Data). On a long line it would keep
 * the page's code waiting, so it comes once the page is whole, unless the page comes from the store: its placeholder is as wide and high.
 */
export function requestTypeface(waits = hasHighLatency() && !isFromStore()): void {
  const href = document.querySelector<HTMLMetaElement>('meta[name=typeface]')?.content;
  if (!href) return;
  if (waits) {
    document.documentElement.dataset[mark] = '';
    return;
  }
  const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'font', crossOrigin: '', fetchPriority: 'low', href });
  document.head.append(link);
}

/** Shows the page in its web font, which is loaded if necessary. */
export const showTypeface = (): void => void delete document.documentElement.dataset[mark];
