import { allEndpoints } from '@portal/contract/api';
import { type DeclaredLimit, limitScopes, limitsOf, type LimitScope, staffLimitNames, staffLimits } from '@portal/contract/staff-limits';
import { limitsAloneValues } from '../../apps/server/src/profile.ts';
import { code, page, table } from './markdown.ts';

const limited = allEndpoints.filter(({ limit }) => limit !== undefined);
const callsOf = (of: (limit: DeclaredLimit) => boolean): string =>
  limited
    .filter(({ limit }) => of(limit!))
    .map(({ id }) => code(id))
    .join(', ');

const limitsTable = (): string =>
  table(
    ['limit', 'counts', 'in', 'days', ...Object.values(limitScopes), 'calls'],
    staffLimitNames.map(name => {
      const { title, counts, unit, scopes } = staffLimits[name];
      const example = limitsAloneValues[name].example as Record<string, string | number>;
      return [
        `${title}, ${code(name)}`,
        counts,
        unit,
        String(unit === 'days' ? limitsAloneValues.timeDays.example : limitsAloneValues.days.example),
        ...(Object.keys(limitScopes) as LimitScope[]).map(scope =>
          (scopes as readonly LimitScope[]).includes(scope) ? String(example[scope]) : '',
        ),
        callsOf(limit => limitsOf({ limit }).includes(name)),
      ];
    }),
  );

const uncountedTable = (): string =>
  table(
    ['call', 'why nothing is counted'],
    limited.flatMap(({ id, limit }) => (typeof limit === 'object' && 'none' in limit ? [[code(id), limit.none]] : [])),
  );

/** docs/generated/limits.md: what one member of staff does alone, and what each limit counts. */
export const limitsPage = (): string =>
  page(
    'Limits of one person',
    '`packages/contract/src/staff-limits.ts`, the endpoints beside it and the profile',
    [
      'Up to these limits one member of staff does alone what moves money; beyond one of them a second one approves ([decision 222](../decisions/0222-limits-count-what-was-recorded.md)).',
      'Each counts what was recorded in the days before, by the clock of the server; a date that a person enters counts for nothing.',
      'What two people did counts for its account, and not for its person. Days and amounts are those of the example registry: its [profile](profile.md) has others.',
    ].join('\n'),
    limitsTable(),
    `## Always two people\n\n${callsOf(limit => limit === 'two people')}`,
    `## Money, and no limit\n\n${uncountedTable()}`,
  );
