/** The cases that live one life: what one of them is called, where its state is kept, and the states. */
export type LifeFacts<State extends string = string> = {
  /** Heading of docs/generated/lives.md. */
  title: string;
  /** Table and column of the state. The database refuses a change of it that is not a move (`follow_life`). Null: it is derived from other facts. */
  table: string | null;
  column: string | null;
  states: readonly State[];
};

/** One move: from which states, to which, and who makes it. If there are several target states, the decision determines which. */
export type MoveDefinition<State extends string = string> = {
  from: readonly State[];
  to: readonly State[];
  /** A party by its role, `staff`, or `registry`: its rules and clocks. */
  who: string;
  /** The move in words, after its mover: `sends it`. */
  does: string;
  /**
   * The acts that make it besides the calls that name it, by their names in the activity log: periodic work, tasks, reports of other systems, and calls that
   * move the case along with another one.
   */
  by?: readonly string[];
  /** States in which its calls are answered too, and the case stays in its state: it was moved already, or what else they change is of every state. */
  stays?: readonly State[];
  /** An exception: the fewer states from which it can be made then, and why. */
  unless?: { when: string; from: readonly State[]; because: string };
};

/** A move that knows its name and whose life it belongs to. An endpoint names it (`moves`). */
export type Move<State extends string = string> = MoveDefinition<State> & { name: string; life: LifeFacts<State> };

/** The life of a kind of case: its moves by name. */
export type Life<State extends string = string> = Readonly<Record<string, Move<State>>>;

/** Declares the life of a kind of case; see `MoveDefinition`. Every life is listed in `lives.ts`. */
export function life<State extends string, const M extends Readonly<Record<string, MoveDefinition<State>>>>(
  facts: LifeFacts<State>,
  moves: M,
): { readonly [K in keyof M]: M[K] & { name: string; life: LifeFacts<State> } } {
  return Object.fromEntries(Object.entries(moves).map(([name, move]) => [name, { ...move, name, life: facts }])) as {
    readonly [K in keyof M]: M[K] & { name: string; life: LifeFacts<State> };
  };
}

/** Whether this move leads on from this state. */
export const canMove = (move: { from: readonly string[] }, state: string): boolean => move.from.includes(state);

/** The states in which the calls of a move are possible: those from which it leads on, and those in which the case stays. */
export const allowedIn = ({ from, stays = [] }: MoveDefinition): readonly string[] => [...from, ...stays];

/** Whether some move leads from one state to another. */
export const leadsTo = (of: Life, from: string, to: string): boolean =>
  Object.values(of).some(move => move.from.includes(from) && move.to.includes(to));

/** States from which some move leads on, in the order of the life's states. */
export const openStatesOf = <State extends string>(of: Life<State>): readonly State[] =>
  factsOf(of).states.filter(state => Object.values(of).some(({ from }) => from.includes(state)));

/** The moves from one state to another, as the database keeps them: `draft>submitted`, sorted. */
export const stepsOf = (of: Life): string[] =>
  [
    ...new Set(
      Object.values(of).flatMap(({ from, to }) => from.flatMap(one => to.filter(other => other !== one).map(other => `${one}>${other}`))),
    ),
  ].sort();

/** The facts that the moves of a life have in common. */
export function factsOf<State extends string>(of: Life<State>): LifeFacts<State> {
  const [first] = Object.values(of);
  if (!first) throw new Error('A life has moves.');
  return first.life;
}
