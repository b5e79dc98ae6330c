import { type Failure, refuse } from '../../platform/failure.ts';
import { parseJson, Refusal } from './protocol.ts';

/** Runs a check of the protocol. @throws Failure what `refused` makes of the sentence of a refusal */
export async function orRefused<Answer>(check: () => Answer | Promise<Answer>, refused: (why: string) => Failure): Promise<Answer> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Refusal) throw refused(error.message);
    throw error;
  }
}

export const ballotRefused = (why: string): Failure => refuse('BALLOT_REFUSED', { why });
export const messageRefused = (why: string): Failure => refuse('TRUSTEE_MESSAGE_REFUSED', { why });
export const notReady = (why: string): Failure => refuse('BALLOT_NOT_READY', { why });

/** A message of a trustee as values. @throws Refusal */
export const messageJson = (text: string, what: string) => parseJson(text, what, { length: 1_000_000, depth: 10, values: 50_000 });
