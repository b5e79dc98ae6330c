import type { World } from './world.ts';

/** Numbers that were drawn for one act: it chooses with them among what there is when it is done. */
export type Dice = {
  /** A number below n. */
  below: (n: number) => number;
  /** One of these; undefined of none. */
  pick: <T>(of: readonly T[]) => T | undefined;
  /** True so many times in a hundred. */
  chance: (percent: number) => boolean;
};

export function diceOf(numbers: readonly number[]): Dice {
  let next = 0;
  const below = (n: number): number => numbers[next++ % numbers.length]! % n;
  return { below, pick: of => (of.length === 0 ? undefined : of[below(of.length)]), chance: percent => below(100) < percent };
}

/** The outcome of an act that finds nothing to act on. */
export const idle = 'nothing to do';

/** One act of the registry's people or machines. It answers how it ended: `ok`, or the code of the refusal. */
export type Act = { name: string; weight: number; run: (world: World, dice: Dice) => Promise<string> };

/** Returns the outcome that an answer of the API says. @throws Error for a defect */
export function outcomeOf(answer: { status: number; errors?: readonly { code: string; message: string }[] | undefined }): string {
  if (answer.status >= 500) throw new Error(`${answer.status}: ${JSON.stringify(answer.errors)}`);
  return answer.errors?.[0]?.code ?? 'ok';
}
