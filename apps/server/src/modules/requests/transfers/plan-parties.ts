import type { Row } from '../request-row.ts';

/** The reader of a plan: each party is addressed as “you”, and registry staff read names. */
export type PlanReader = 'source' | 'recipient' | 'staff';

/** The names of both parties, for one reader. `to` is “the recipient” while a draft names none. */
export type Parties = { reader: PlanReader; from: string; to: string };

/** A sentence about what happens, worded for its reader. */
export type Wording = (parties: Parties) => string;

/** Returns the parties of a move as a reader's sentences name them. */
export const partiesFor = ({ from, row }: { from: string; row: Pick<Row, 'recipientName' | 'form'> }, reader: PlanReader): Parties => ({
  reader,
  from,
  to: row.recipientName ?? (row.form.recipient.trim().toUpperCase() || 'the recipient'),
});

/** Returns a sentence that addresses the recipient as “you”, and names it to everyone else. */
export const toRecipient =
  (own: string, others: (name: string) => string): Wording =>
  ({ reader, to }) =>
    reader === 'recipient' ? own : others(to);

/** “you keep”, or “EXAMPLE-AU keeps”. */
export const keepsIn = ({ reader, from }: Parties): string => (reader === 'source' ? 'you keep' : `${from} keeps`);

/** Returns a sentence with a capital letter at its beginning. */
export const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
