import { type RequestMove, requestLife } from '@portal/contract/requests/life';
import { page, table } from './markdown.ts';

type Life = Readonly<Record<string, RequestMove>>;

/** A state as a diagram takes it. */
const node = (state: string): string => state.replaceAll('-', '_');

function diagramOf(life: Life): string {
  const moves = Object.entries(life);
  const targets = new Set(moves.flatMap(([, { to }]) => to));
  const first = moves.flatMap(([, { from }]) => from).find(state => !targets.has(state));
  const lasts = [...targets].filter(state => moves.every(([, { from }]) => !from.includes(state)));
  const arrows = moves.flatMap(([name, { from, to }]) =>
    from.flatMap(one => to.filter(other => other !== one).map(other => `  ${node(one)} --> ${node(other)}: ${name}`)),
  );
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...(first ? [`  [*] --> ${node(first)}`] : []),
    ...arrows,
    ...lasts.map(state => `  ${node(state)} --> [*]`),
    '```',
  ].join('\n');
}

const tableOf = (life: Life): string =>
  table(
    ['move', 'from', 'to', 'who', 'does'],
    Object.entries(life).map(([name, { from, to, who, does, ofTwoParties }]) => [
      name,
      ofTwoParties
        ? `${from.join(', ')}; where a recipient takes part ${ofTwoParties.from.join(', ')}, because ${ofTwoParties.because}`
        : from.join(', '),
      to.join(', '),
      who,
      does,
    ]),
  );

/** docs/generated/lives.md: how cases move from state to state. */
export const livesPage = (): string =>
  page(
    'Lives',
    'the `life.ts` of the contract',
    'Calls, buttons and deadlines follow these moves. A change that makes another one fails.',
    '## Requests',
    diagramOf(requestLife),
    tableOf(requestLife),
  );
