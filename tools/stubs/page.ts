import { Draft, type Stub } from './draft.ts';
import { kebab, pascal, sentence } from './names.ts';
import { insertAtEnd, rowOf } from './source-text.ts';

const siteMap = 'packages/contract/src/pages.ts';
/** By app: the beginning of its rows in the site map, the folder of its pages, and the beginning of its addresses. */
const apps = {
  portal: { row: 'portal', pages: 'pages/', address: '/', access: 'access: contact' },
  'resource-manager': { row: 'framed', pages: '', address: '/resources/', access: 'access: contact' },
  desk: { row: 'desk', pages: '', address: '/desk/', access: "access: staff('memberships')" },
} as const;
type App = keyof typeof apps;
const appNames = Object.keys(apps) as App[];

/** The view of a page: of its row in the site map, which is written too when the app is named. */
export const page: Stub = async (root, [name = '', folder = '', given]) => {
  const draft = new Draft(root);
  if (!/^[a-z]\w*$/.test(name) || !/^[a-z][a-z-]*$/.test(folder) || (given !== undefined && !appNames.includes(given as App)))
    throw new Error(
      `Name the page, the folder of its domain and, for a page without a row in ${siteMap}, its app (${appNames.join(', ')}): npm run new page helperList contacts portal.`,
    );
  const present = rowOf(await draft.read(siteMap), name);
  if (!present && !given)
    throw new Error(`${siteMap} has no row "${name}". Name the app too (${appNames.join(', ')}), and the row is written.`);
  const app = present ? appNames.find(each => present.startsWith(`\n  ${name}: ${apps[each].row}(`)) : (given as App);
  if (!app) throw new Error(`The row "${name}" of ${siteMap} is no page with a view.`);
  // `deskHelpers` is the page `/desk/helpers`.
  const words = app === 'desk' ? name.replace(/^desk(?=[A-Z])/, '').replace(/^./, letter => letter.toLowerCase()) : name;
  const title = /title: '((?:[^'\\]|\\.)*)'/.exec(present ?? '')?.[1] ?? sentence(words);
  const component = `${pascal(name)}Page`;
  const file = `apps/${app}/src/${apps[app].pages}${folder}/${component}.tsx`;

  if (!present) {
    const { row, address, access } = apps[app];
    const written = `  ${name}: ${row}({ path: '${address}${kebab(words)}', title: '${title}', ${access} }),`;
    await draft.change(siteMap, text => text.replace('\n  notFound: ', `\n${written}\n  notFound: `));
  }
  draft.create(
    file,
    `import { Page } from '@portal/app-kit';

export default function ${component}() {
  return <Page title="${title.replaceAll('"', '&quot;')}" />;
}
`,
  );
  const views = `apps/${app}/src/views.ts`;
  await draft.change(views, text => {
    const opening = /const (?:views|loaders)\b[^=]*=(?=[^>])[^{]*\{|const (?:views|loaders)\b.*= \{/.exec(text);
    if (!opening) throw new Error(`${views} has no list of views.`);
    const view = `() => import('${file.replace(`apps/${app}/src`, '.')}')`;
    return insertAtEnd(text, opening[0], `  ${name}: ${view},`);
  });
  return draft.write([
    `write ${file}: useAnswer reads, useChange changes, useRefusal explains`,
    ...(present ? [] : [`say in ${siteMap} who may open it and where the navigation shows it`]),
    'npm run docs, then npm run check and npm run e2e',
  ]);
};
