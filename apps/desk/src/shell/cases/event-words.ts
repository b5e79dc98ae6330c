/** Events of a case, as lines that a name follows. */
export const eventWords: Readonly<Record<string, string>> = {
  submitted: 'Sent by',
  offered: 'Offered by',
  acknowledged: 'Acknowledged by',
  'in-review': 'Taken into review by',
  question: 'Question from',
  answer: 'Answer from',
  message: 'Message from',
  note: 'Note by',
  reserved: 'Numbers reserved',
  approved: 'Approved by',
  'awaiting-fee': 'Transfer fee pending',
  'fee-paid': 'Transfer fee paid',
  completed: 'Completed',
  rejected: 'Rejected by',
  withdrawn: 'Withdrawn by',
  declined: 'Declined by',
  expired: 'Expired',
  reminded: 'Reminder sent',
  'on-hold': 'On hold',
};

/** Names an event as a line that a name may follow: `AS65539 reserved`. */
export const eventLine = ({ kind, words, by }: { kind: string; words: string; by: string | null }): string =>
  kind === 'reserved' && words !== ''
    ? `${words} reserved`
    : by === null
      ? (eventWords[kind] ?? kind).replace(/ (by|from)$/, '')
      : (eventWords[kind] ?? kind);

/** Events that are words of staff to one party or both. */
export const said: readonly string[] = ['question', 'message', 'reminded', 'on-hold'];
