import { settings } from '../../apps/server/src/config.ts';
import { code, page, table } from './markdown.ts';

/** docs/generated/settings.md: every environment variable. */
export const settingsPage = (): string =>
  page(
    'Settings',
    '`apps/server/src/config.ts`',
    'Every setting is an environment variable. A wrong value stops the start with a sentence that names it. A secret is never printed.',
    table(
      ['setting', 'default', 'meaning'],
      Object.values(settings).map(({ name, default: value, meaning, secret }) => [
        code(name),
        code(value),
        secret ? `${meaning} (secret)` : meaning,
      ]),
    ),
  );
