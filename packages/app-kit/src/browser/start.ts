import type { Environment } from '@portal/contract/shell/shell';
import { environmentInPage, readEnvironment } from '../session/environment.ts';

/** Starts an application with the environment that the server wrote into the page, or reads it first. Without one the page says `unavailable`. */
export function startWithEnvironment(start: (environment: Environment) => Promise<void>, unavailable: () => void): void {
  const environment = environmentInPage();
  if (environment) void start(environment);
  else readEnvironment().then(start, unavailable);
}

/** Shows a plain message in place of a page that can't be loaded. */
export function showUnavailable(element: Element | null, words: string): void {
  const paragraph = document.createElement('p');
  paragraph.setAttribute('role', 'alert');
  paragraph.textContent = words;
  element?.replaceChildren(paragraph);
}
