import { type BrowserApp, createBrowserApp } from '@portal/app-kit';
import { loadDocument } from '@portal/app-kit/place/load-document';
import { isDeskPath } from '@portal/contract/pages';
import type { Environment } from '@portal/contract/shell/shell';

/** Creates the parts of the desk. Its errors appear in its banner. */
export function createDesk(environment: Environment): BrowserApp {
  return createBrowserApp(environment, {
    arrive({ path, search, hash }) {
      if (isDeskPath(path)) return 'page';
      // Pages of the portal have another document: the address is right already, it is loaded.
      loadDocument({ path, search, hash });
      return 'nothing';
    },
  });
}
