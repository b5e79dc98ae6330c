import { isLongLine } from './line.ts';

/** Where the document says that its typeface is still to come (packages/ui/src/tokens.css). */
const mark = 'typefaceLater';

/**
 * Asks for the typeface of the first words (`<meta name="typeface">`, which the server leaves out with Save-Data). On a long line it would keep
 * the page's code waiting, so it comes once the page is whole, unless this browser has it: its placeholder is as wide and high.
 */
export async function askForTypeface(isLong = isLongLine()): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name=typeface]')?.content;
  if (!href) return;
  if (!isLong) {
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'font', crossOrigin: '', fetchPriority: 'low', href });
    document.head.append(link);
    return;
  }
  document.documentElement.dataset[mark] = '';
  try {
    if ((await fetch(href, { cache: 'only-if-cached', mode: 'same-origin' })).ok) showTypeface();
  } catch {
    // Not in the store.
  }
}

/** Shows the page in its typeface, which is loaded if it has not been. */
export const showTypeface = (): void => void delete document.documentElement.dataset[mark];
