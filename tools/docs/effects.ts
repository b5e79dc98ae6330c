import { type Endpoint, secondPersonOf } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { effectWords } from '@portal/contract/effect-words';
import { consequencesOf, effectKeys, effects, effectsOf } from '@portal/contract/effects';
import { accessInWords } from './access.ts';
import { code, page, table } from './markdown.ts';

const yes = (is: boolean): string => (is ? 'yes' : '');
const factorWords = { fresh: 'given within the last minutes', 'as-permission': 'if the permission asks', none: '' } as const;

const effectsTable = (): string =>
  table(
    [
      'effect',
      'it changes',
      'second factor',
      'notice with the freeze link',
      'second person of the account',
      'waits in a cool-down',
      'API keys',
    ],
    effectKeys.map(key => {
      const { factor, notice, secondPerson, waits, byKey } = effects[key];
      return [
        code(key),
        effectWords[key],
        factorWords[factor],
        yes(notice),
        secondPerson ? 'if the account has the rule' : '',
        yes(waits),
        yes(byKey),
      ];
    }),
  );

function approvedBy(endpoint: Endpoint): string {
  const { secondPerson, secondPersonOfClosed, secondPersonWhen, secondRole } = endpoint;
  const registry = secondRole ? `registry with ${code(secondRole)}` : 'registry';
  if (secondPerson) return registry;
  if (secondPersonWhen) return `${registry}, for ${secondPersonWhen}`;
  if (secondPersonOf(endpoint) === 'account') return secondPersonOfClosed ? `account; of a closed one ${secondPersonOfClosed}` : 'account';
  return endpoint.alone ? `no: ${endpoint.alone}` : '';
}

const callsTable = (): string =>
  table(
    ['call', 'effect', 'who', 'second person', 'notice', 'waits', 'scope of API keys'],
    allEndpoints
      .filter(({ method }) => method !== 'GET')
      .map(endpoint => {
        const { notice, waits } = consequencesOf(endpoint);
        const isOfAccount = /:account\b/.test(endpoint.path);
        return [
          code(endpoint.id),
          effectsOf(endpoint).join(', '),
          accessInWords(endpoint),
          approvedBy(endpoint),
          yes(notice && isOfAccount),
          yes(waits && endpoint.access.who !== 'anyone'),
          endpoint.publicApi ? code(endpoint.publicApi.scope) : '',
        ];
      }),
  );

/** docs/generated/effects.md: the effects of each changing call, and their consequences. */
export const effectsPage = (): string =>
  page(
    'Effects',
    '`packages/contract/src/effects.ts` and the endpoints beside it',
    [
      'Every changing call declares what it does to the world. What it asks of its caller follows from that, by this table; the strictest of several effects decides.',
      'A call whose body says `dryRun: true` is rehearsed: its effect is `reading`. Notices go to the corporate contacts and the security address of the account in the path.',
      'API keys were made with a second factor given just then: their calls are not asked for one again.',
    ].join('\n'),
    `${effectsTable()}\n\n## Calls\n\n${callsTable()}`,
  );
