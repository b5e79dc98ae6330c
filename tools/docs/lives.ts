import { api } from '@portal/contract/api';
import { factsOf, type Life } from '@portal/contract/life';
import { lives } from '@portal/contract/lives';
import { page, table } from './markdown.ts';

/** A state as a diagram takes it. */
const node = (state: string): string => state.replaceAll('-', '_');

function diagramOf(life: Life): string {
  const moves = Object.entries(life);
  const targets = new Set(moves.flatMap(([, { from, to }]) => to.filter(state => !from.includes(state) || from.length > 1)));
  const firsts = factsOf(life).states.filter(state => !targets.has(state) && moves.some(([, { from }]) => from.includes(state)));
  const lasts = [...targets].filter(state => moves.every(([, { from }]) => !from.includes(state)));
  const arrows = moves.flatMap(([name, { from, to }]) =>
    from.flatMap(one => to.filter(other => other !== one).map(other => `  ${node(one)} --> ${node(other)}: ${name}`)),
  );
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...firsts.map(state => `  [*] --> ${node(state)}`),
    ...arrows,
    ...lasts.map(state => `  ${node(state)} --> [*]`),
    '```',
  ].join('\n');
}

/** The calls that make each move, by its life and name. */
const callsOf = Map.groupBy(
  Object.values(api).flatMap(group => Object.values(group).flatMap(({ id, moves }) => (moves ? [{ id, moves }] : []))),
  ({ moves }) => `${moves.life.table}.${moves.life.column} ${moves.name}`,
);

const tableOf = (life: Life): string =>
  table(
    ['move', 'from', 'to', 'who', 'does', 'calls'],
    Object.entries(life).map(
      ([
        name,
        {
          from,
          to,
          who,
          does,
          unless,
          life: { table: ofTable, column },
        },
      ]) => [
        name,
        unless ? `${from.join(', ')}; where ${unless.when} ${unless.from.join(', ')}, because ${unless.because}` : from.join(', '),
        to.join(', '),
        who,
        does,
        (callsOf.get(`${ofTable}.${column} ${name}`) ?? []).map(({ id }) => `\`${id}\``).join(', '),
      ],
    ),
  );

/** docs/generated/lives.md: how cases move from state to state. */
export const livesPage = (): string =>
  page(
    'Lives',
    'the `life.ts` of the contract',
    'Calls, buttons and deadlines follow these moves, and the database refuses a change of a state that none of them makes.',
    ...lives.flatMap(life => [`## ${factsOf(life).title}`, diagramOf(life), tableOf(life)]),
  );
