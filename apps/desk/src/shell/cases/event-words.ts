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
  reserved: 'A block is held for it',
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

/** Events that are words of staff to one party or both. */
export const said: readonly string[] = ['question', 'message', 'reminded', 'on-hold'];
