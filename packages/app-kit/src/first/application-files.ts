import { whenIdle } from './ahead.ts';
import { withRetries } from '@portal/ui/code/with-retries';

/** Files of the application, which the server names in the HTML: its own script, and all that it and the page at this address will ask for, in the order in which to ask. */
type Files = { entry: string; all: string[] };

function filesInPage(): Files | null {
  const text = document.getElementById('files')?.textContent;
  return text ? (JSON.parse(text) as Files) : null;
}

/** After the document is parsed: the application looks for its root element. */
function documentRead(): Promise<unknown> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise(resolve => document.addEventListener('readystatechange', resolve, { once: true }));
}

/**
 * Asks for the application's files, and starts it. The HTML names them as data: as links they would be on their way before the first script has asked
 * for what the page reads, and a browser has six requests at a time over HTTP/1.1.
 * @param drawn resolves once the picture of the last load is drawn: nothing is compiled beside it; null without one
 * @param load imports a module
 * @throws TypeError when it does not come; the caller loads the document anew
 */
export async function startApplication(
  drawn: Promise<unknown> | null,
  load: (entry: string) => Promise<unknown> = importModule,
): Promise<void> {
  const files = filesInPage();
  if (!files) return;
  for (const href of files.all) document.head.append(linkTo(href, drawn !== null));
  await Promise.all([drawn?.then(() => new Promise<void>(whenIdle)), documentRead()]);
  await load(files.entry);
}

const importModule = (entry: string): Promise<unknown> => withRetries(() => import(/* @vite-ignore */ entry) as Promise<unknown>)();

const isSheet = (file: string): boolean => file.endsWith('.css');

/** A module is compiled as it arrives, a script only read. */
function linkTo(href: string, isReadOnly: boolean): HTMLLinkElement {
  const link = document.createElement('link');
  link.crossOrigin = '';
  if (isSheet(href)) Object.assign(link, { rel: 'preload', as: 'style' });
  else if (isReadOnly) Object.assign(link, { rel: 'preload', as: 'script' });
  else link.rel = 'modulepreload';
  link.href = href;
  return link;
}
