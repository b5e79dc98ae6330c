import { allEndpoints } from '@portal/contract/api';
import { projectFiles } from '../project-files.ts';
import { code, page, table } from './markdown.ts';

/** Returns the places where the server itself, rather than an endpoint, opens a change: `action: 'demo.load'` or `ownActivity('documents.sweep', …)` in its source. */
async function otherActions(): Promise<string[][]> {
  const files = await projectFiles(/^apps\/server\/src\/.*(?<!\.test)\.ts$/);
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:action: |ownActivity\(\s*)'([a-z][\w-]*(?:\.[\w-]+)+)'(?:,\s*(?:summary: )?(?:'([^']*)'|`([^`]*)`))?/g)].map(
      ([, action, plain, filled]) => [
        code(action!),
        (plain ?? filled ?? '').replace(/\$\{[^}]*\}/g, '…'),
        code(path.replace('apps/server/src/', '')),
      ],
    ),
  );
}

/** docs/generated/activities.md: every action the activity log can name. */
export const activitiesPage = async (): Promise<string> =>
  page(
    'Activities',
    'the contract and `action:` in `apps/server/src`',
    'What the activity log names. A refused attempt leaves the same action with the code of the refusal.',
    table(
      ['action', 'line in the log', 'opened by'],
      [
        ...allEndpoints.flatMap(({ id, activity, method, path }) => (activity ? [[code(id), activity, code(`${method} ${path}`)]] : [])),
        ...(await otherActions()),
      ],
    ),
  );
