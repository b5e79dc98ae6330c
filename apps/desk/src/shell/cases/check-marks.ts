/** The mark of a check by its state. */
export const checkMarks = { met: 'valid', unmet: 'invalid', review: 'warning', open: 'info' } as const;

/** The source of what was found, which members read as "Your answer". */
export const sourceForStaff = (source: string): string => source.replace(/^Your answer/, 'The member’s answer');
