/** Units of a limit: money in the currency of the registry, or whole days or accounts. */
export type LimitUnit = 'money' | 'days' | 'accounts';

/** Scopes in which acts are counted together: for one account, by one person for all accounts, and by everyone for all accounts. */
export const limitScopes = {
  account: 'for one account, by anyone',
  person: 'by one person, for all accounts',
  everyone: 'by everyone, for all accounts',
} as const;
export type LimitScope = keyof typeof limitScopes;

type Row = {
  title: string;
  /** The rest of a sentence that begins with an amount. */
  counts: string;
  unit: LimitUnit;
  /** Scopes in which it is counted. */
  scopes: readonly LimitScope[];
};

const all = ['account', 'person', 'everyone'] as const;

/**
 * Limits of what one person of the registry does alone to money and to what money decides. Each is counted as it was recorded, by the clock of the server and
 * over the days of the profile (`limitsAlone`), never by a date that a person enters; beyond it a second person approves. One limit counts all acts of its kind,
 * so that an amount can't be split among them.
 */
export const staffLimits = {
  received: {
    title: 'Money received',
    counts: 'recorded as received by hand or from a bank statement, or set aside',
    unit: 'money',
    scopes: all,
  },
  given: { title: 'Money given', counts: 'credited, cancelled, written off, waived, paid back or reversed', unit: 'money', scopes: all },
  time: { title: 'More time', counts: 'of more time to pay', unit: 'days', scopes: all },
  endings: { title: 'Suspensions and closures', counts: 'let be suspended or closed', unit: 'accounts', scopes: ['person', 'everyone'] },
  holidays: {
    title: 'Holidays',
    counts: 'of holidays, on which no account is suspended or closed',
    unit: 'days',
    scopes: ['person', 'everyone'],
  },
} as const satisfies Record<string, Row>;
export type StaffLimit = keyof typeof staffLimits;
export const staffLimitNames = Object.keys(staffLimits) as StaffLimit[];

/** How an endpoint declares its limits: one or several, that a second person approves whatever it is, or the reason why nothing is counted. */
export type DeclaredLimit = StaffLimit | readonly [StaffLimit, ...StaffLimit[]] | 'two people' | { none: string };

/** Returns the limits under which the acts of an endpoint are counted. */
export const limitsOf = ({ limit }: { limit?: DeclaredLimit }): readonly StaffLimit[] =>
  limit === undefined || limit === 'two people' ? [] : typeof limit === 'string' ? [limit] : 'none' in limit ? [] : limit;
