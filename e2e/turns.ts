import { DAY_MS } from '@portal/contract/days';

/** Returns which of some turns today's is: what takes too long for every run has its turn once in so many days. A setting of the environment repeats one. */
export const turnOfDay = (turns: number, setting: string): number =>
  Number(process.env[setting] ?? Math.floor(Date.now() / DAY_MS) % turns);
