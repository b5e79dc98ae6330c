/** The mark of a check by its state. */
export const checkMarks = { met: 'valid', unmet: 'invalid', review: 'warning', open: 'info' } as const;
