import { expect, test } from 'vitest';
import { acts, play } from './play.ts';

/** `5x20000`: seeds 1 to 5, so many moves each (docs/adding/test.md). A few of the first seed are part of each run. */
const asked = process.env['STATEFUL'] ?? '';
const [seeds = 1, count = 100] = asked.split('x').filter(Boolean).map(Number);

for (let seed = 1; seed <= seeds; seed++)
  test(`whatever members, staff and machines do, what is true at every instant stays true: seed ${seed}`, {
    timeout: 150_000 + count * 1000,
  }, async () => {
    const { moves, seconds, outcomes } = await play({ seed, count });
    if (asked !== '')
      console.log(
        `seed ${seed}: ${moves} moves in ${seconds.toFixed(0)} s`,
        Object.fromEntries([...outcomes].map(([act, ends]) => [act, Object.fromEntries(ends)])),
      );
    // Nearly every act was drawn, where there were moves enough.
    expect(outcomes.size).toBeGreaterThan(acts.length * (count < 1000 ? 0.5 : 0.9));
  });
