import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Asks a yes-or-no question; null if there is no terminal to answer. */
export type Ask = (question: string) => Promise<boolean | null>;

/** Asks at a terminal. Everything but y and yes is a no, the end of input too; null where input or output is no terminal. */
export const askAt =
  (input: NodeJS.ReadableStream & { isTTY?: boolean }, output: { isTTY: boolean; write: (text: string) => unknown }): Ask =>
  async question => {
    if (!input.isTTY || !output.isTTY) return null;
    output.write(`${question} [y/N] `);
    const lines = createInterface({ input });
    try {
      const [answer] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])) as [string];
      return /^y(?:es)?$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  };
