import {
  billingCalendarValues,
  limitsAloneValues,
  profileValues,
  requestPolicyValues,
  retentionValues,
} from '../../apps/server/src/profile.ts';
import type { ProfileValue } from '../../apps/server/src/profile-value.ts';
import { code, page, table } from './markdown.ts';

const origins = { own: 'its own', named: 'named', usual: '', lab: 'none of the example’s' } as const;

const rowsOf = (values: Record<string, ProfileValue<unknown>>): string =>
  table(
    ['value', 'is', 'example', 'in production', 'meaning'],
    Object.entries(values).map(([key, { kind, example, origin, meaning }]) => [
      code(key),
      kind,
      code(JSON.stringify(example)),
      origins[origin],
      meaning,
    ]),
  );

/** docs/generated/profile.md: every value of the registry profile. */
export const profilePage = (): string =>
  page(
    'Profile',
    '`apps/server/src/profile.ts`',
    'Brand and policy of a registry are one JSON file, which REGISTRY_PROFILE names; `registry profile` prints one to start from. What is wrong in it stops the start with a sentence that names it.',
    'What the file leaves out has the example’s value. With `NODE_ENV=production` the registry has to name what members read (“named”), and the made-up values of the example have to be replaced by its own (“its own”).',
    rowsOf(profileValues),
    '## billingCalendar',
    'Days around the last day of a membership term, the one on which its number resources are counted. More time for one account, and holidays, move them.',
    rowsOf(billingCalendarValues),
    '## limitsAlone',
    'What one member of staff does alone; beyond it a second one approves. [What each counts](limits.md).',
    rowsOf(limitsAloneValues),
    '## requestPolicy',
    'Numbers of the policy for requests and transfers. Lengths are prefix lengths: a shorter one is a larger block.',
    rowsOf(requestPolicyValues),
    '## retention',
    'Months for which personal data is kept; a periodic task then deletes it, unless a legal hold keeps it.',
    rowsOf(retentionValues),
  );
