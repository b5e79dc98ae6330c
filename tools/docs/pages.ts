import { sitePages } from '@portal/contract/pages';
import { accessInWords } from './access.ts';
import { code, page, table } from './markdown.ts';

const real = sitePages.filter(({ redirectTo }) => redirectTo === undefined);

/** docs/generated/pages.md: the site map of all apps. */
export const pagesPage = (): string =>
  page(
    'Pages',
    '`packages/contract/src/pages.ts`',
    `${real.length} pages and ${sitePages.length - real.length} redirects.`,
    table(
      ['page', 'title', 'app', 'who', 'in the navigation', 'only for'],
      sitePages.map(({ path, title, app, access, nav = [], onlyFor = '', redirectTo }) => [
        code(path),
        redirectTo ? `→ ${code(redirectTo)}` : title,
        app,
        accessInWords({ access }),
        nav.join(' › '),
        onlyFor,
      ]),
    ),
  );
