import { api } from '@portal/contract/api';
import { factsOf, type Life, type MoveDefinition } from '@portal/contract/life';
import { lives } from '@portal/contract/lives';
import { page, table } from './markdown.ts';

/** A state as a diagram takes it. */
const node = (state: string): string => state.replaceAll('-', '_');

function diagramOf(life: Life): string {
  const moves = Object.entries(life);
  const targets = new Set(moves.flatMap(([, { from, to }]) => to.filter(state => !from.includes(state) || from.length > 1)));
  const firsts = factsOf(life).states.filter(state => !targets.has(state) && moves.some(([, { from }]) => from.includes(state)));
  const lasts = [...targets].filter(state => moves.every(([, { from }]) => !from.includes(state)));
  const arrows = moves.flatMap(([name, { from, to, stays = [] }]) =>
    [
      ...from.flatMap(one => to.filter(other => other !== one).map(other => [one, other] as const)),
      ...stays.map(one => [one, one] as const),
    ].map(([one, other]) => `  ${node(one)} --> ${node(other)}: ${name}`),
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

/** A move in a table: from where, and in which states its case stays where it is. */
const fromOf = ({ from, unless, stays = [] }: MoveDefinition): string =>
  [
    unless ? `${from.join(', ')}; where ${unless.when} ${unless.from.join(', ')}, because ${unless.because}` : from.join(', '),
    ...(stays.length > 0 ? [`also in ${stays.join(', ')}, where it stays`] : []),
  ].join('; ');

/** The calls that make each move, by its life and name. */
const callsOf = Map.groupBy(
  Object.values(api).flatMap(group => Object.values(group).flatMap(({ id, moves }) => (moves ? [{ id, moves }] : []))),
  ({ moves }) => `${moves.life.table}.${moves.life.column} ${moves.name}`,
);

const tableOf = (life: Life): string =>
  table(
    ['move', 'from', 'to', 'who', 'does', 'calls that name it', 'also made by'],
    Object.entries(life).map(([name, move]) => {
      const calls = callsOf.get(`${move.life.table}.${move.life.column} ${name}`) ?? [];
      const named = (ids: readonly string[]): string => ids.map(id => `\`${id}\``).join(', ');
      return [name, fromOf(move), move.to.join(', '), move.who, move.does, named(calls.map(({ id }) => id)), named(move.by ?? [])];
    }),
  );

/** docs/generated/lives.md: how cases move from state to state. */
export const livesPage = (): string =>
  page(
    'Lives',
    'the `life.ts` of the contract',
    'Calls, buttons and deadlines follow these moves, and the database refuses a change of a state that none of them makes.',
    ...lives.flatMap(life => [`## ${factsOf(life).title}`, diagramOf(life), tableOf(life)]),
  );
