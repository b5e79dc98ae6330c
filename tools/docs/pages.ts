import { sitePages } from '@portal/contract/pages';
import { accessInWords } from './access.ts';
import { code, page, table } from './markdown.ts';

const real = sitePages.filter(({ redirectTo }) => redirectTo === undefined);
export const notBuilt = real.filter(({ built }) => !built).length;

/** docs/generated/pages.md: the site map of both apps, with built and unbuilt pages. */
export const pagesPage = (): string =>
  page(
    'Pages',
    '`packages/contract/src/pages.ts`',
    `${real.length} pages and ${sitePages.length - real.length} redirects: **${real.length - notBuilt} built, ${notBuilt} not built**. What is not built is routed, guarded and in the navigation, and says in one sentence that it is not there yet. The second number may only shrink (\`tools/docs/pages.test.ts\`).`,
    table(
      ['page', 'title', 'app', 'who', 'in the navigation', 'only for', 'built'],
      sitePages.map(({ path, title, app, access, nav = [], onlyFor = '', built, redirectTo }) => [
        code(path),
        redirectTo ? `→ ${code(redirectTo)}` : title,
        app,
        accessInWords({ access }),
        nav.join(' › '),
        onlyFor,
        built ? 'yes' : 'no',
      ]),
    ),
  );
