/** Groups of values, in the order of the page. */
export const policyGroups = {
  answers: 'Answers and deadlines',
  sizes: 'Sizes and needs',
  fees: 'Fees beside the schedule',
  calendar: 'Days around the end of a term',
  limits: 'What one person may do alone',
} as const;
export type PolicyGroup = keyof typeof policyGroups;

/** How a value is written: whole numbers of what it counts, a prefix length of IPv4, an amount of money, or a share from 0 to 1. */
export type PolicyUnit = 'hours' | 'days' | 'months' | 'years' | 'addresses' | 'percent' | 'accounts' | 'prefix' | 'money' | 'share';

type Row = {
  group: PolicyGroup;
  title: string;
  unit: PolicyUnit;
  /** Members read it, or it decides what they get: a draft of an announcement to them is written when a change of it is confirmed. */
  members?: true;
  /** Days from the confirmation of a change until it counts at least; 1 without it. */
  notice?: number;
};

/** Members plan with these: they are known a month before. */
const known = { members: true, notice: 30 } as const;

/**
 * Values of the registry profile that change on a day: staff propose, a second person confirms. Each is read for every act, so that it counts from its day on in every
 * process. A value that a process reads when it starts is not among them, nor are the days of invoices, suspensions and closings: members were told theirs by the
 * calendar of the day on which their term was invoiced (decision 298).
 */
export const policyValues = {
  'requestPolicy.promiseHours': { group: 'answers', title: 'Working hours to an answer of the registry', unit: 'hours', members: true },
  'requestPolicy.answerDays': { group: 'answers', title: 'Time to answer a question of the registry', unit: 'days', members: true },
  'requestPolicy.draftDays': { group: 'answers', title: 'Lifetime of a request draft', unit: 'days', members: true },
  'requestPolicy.acknowledgeDays': { group: 'answers', title: 'Time to acknowledge a transfer', unit: 'days', members: true },
  'requestPolicy.holdDays': { group: 'answers', title: 'Days for which a transfer hands over what it holds', unit: 'days', members: true },
  'requestPolicy.preApprovalMonths': { group: 'answers', title: 'Validity of a pre-approval', unit: 'months', members: true },
  'requestPolicy.quarantineDays': { group: 'answers', title: 'Quarantine of returned space', unit: 'days' },

  'requestPolicy.ipv4Limit': { group: 'sizes', title: 'IPv4 limit of an account from the last pool', unit: 'prefix', ...known },
  holdYears: { group: 'sizes', title: 'Transfer ban on space from the last pool', unit: 'years', ...known },
  'requestPolicy.lirNow': { group: 'sizes', title: 'LIR: addresses used or needed now', unit: 'addresses', ...known },
  'requestPolicy.lirYear': { group: 'sizes', title: 'LIR: addresses planned for within a year', unit: 'addresses', ...known },
  'requestPolicy.multihomingNow': { group: 'sizes', title: 'Multihoming: share of the block used immediately', unit: 'percent', ...known },
  'requestPolicy.multihomingYear': {
    group: 'sizes',
    title: 'Multihoming: share of the block used within a year',
    unit: 'percent',
    ...known,
  },

  'requestPolicy.transferFeeShare': { group: 'fees', title: 'Transfer fee, as a share of the annual fee', unit: 'share', ...known },
  'requestPolicy.acquisitionFee': { group: 'fees', title: 'Fee of a merger or acquisition', unit: 'money', ...known },
  'requestPolicy.transferFeeDays': { group: 'fees', title: 'Time to pay a transfer or acquisition fee', unit: 'days', ...known },
  reactivationFee: { group: 'fees', title: 'Fee to reactivate a closed account', unit: 'money', ...known },
  reactivationDays: { group: 'fees', title: 'Time to pay a reactivation', unit: 'days', ...known },

  'billingCalendar.reminderDays': { group: 'calendar', title: 'Reminder before the end of the term', unit: 'days', ...known },
  mostEndingsPerDay: { group: 'calendar', title: 'Suspensions and closures of one day without staff', unit: 'accounts' },

  'limitsAlone.given.account': { group: 'limits', title: 'Money given, for one account', unit: 'money' },
  'limitsAlone.given.person': { group: 'limits', title: 'Money given, by one person', unit: 'money' },
  'limitsAlone.given.everyone': { group: 'limits', title: 'Money given, by everyone together', unit: 'money' },
  'limitsAlone.received.account': { group: 'limits', title: 'Money received, for one account', unit: 'money' },
  'limitsAlone.received.person': { group: 'limits', title: 'Money received, by one person', unit: 'money' },
  'limitsAlone.received.everyone': { group: 'limits', title: 'Money received, by everyone together', unit: 'money' },
  'limitsAlone.days': { group: 'limits', title: 'Period over which money is added up', unit: 'days' },
  'limitsAlone.time.account': { group: 'limits', title: 'Extra time to pay, for one account', unit: 'days' },
  'limitsAlone.time.person': { group: 'limits', title: 'Extra time to pay, by one person', unit: 'days' },
  'limitsAlone.time.everyone': { group: 'limits', title: 'Extra time to pay, by everyone together', unit: 'days' },
  'limitsAlone.endings.person': { group: 'limits', title: 'Suspensions and closures let through, by one person', unit: 'accounts' },
  'limitsAlone.endings.everyone': {
    group: 'limits',
    title: 'Suspensions and closures let through, by everyone together',
    unit: 'accounts',
  },
  'limitsAlone.holidays.person': { group: 'limits', title: 'Holidays added, by one person', unit: 'days' },
  'limitsAlone.holidays.everyone': { group: 'limits', title: 'Holidays added, by everyone together', unit: 'days' },
  'limitsAlone.timeDays': { group: 'limits', title: 'Period over which time and holidays are added up', unit: 'days' },
} as const satisfies Record<string, Row>;

export type PolicyValueName = keyof typeof policyValues;
export const policyValueNames = Object.keys(policyValues) as [PolicyValueName, ...PolicyValueName[]];

/** Returns the row of a value, with its usual parts. */
export const policyRow = (name: PolicyValueName): Row => policyValues[name];

/** Days from the confirmation of a change of these values until it counts, at least. */
export const noticeOf = (names: readonly PolicyValueName[]): number => Math.max(1, ...names.map(name => policyRow(name).notice ?? 1));

/** A change is confirmed, or withdrawn, so many hours before its day begins at least: by then every process has read it. */
export const policyLeadHours = 1;

const units: Readonly<Partial<Record<PolicyUnit, readonly [one: string, more: string]>>> = {
  hours: ['hour', 'hours'],
  days: ['day', 'days'],
  months: ['month', 'months'],
  years: ['year', 'years'],
  addresses: ['address', 'addresses'],
  accounts: ['account', 'accounts'],
};

/** A number with gaps that don’t break, as the pages write it. */
const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0');

/** Returns an amount or a share as it is written: without zeros before it, an amount with its cents, a share without zeros after it. */
export function plainDecimal(unit: PolicyUnit, text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const before = whole.replace(/^0+(?=\d)/, '');
  if (unit === 'money') return `${before}.${fraction.padEnd(2, '0')}`;
  const after = fraction.replace(/0+$/, '');
  return after === '' ? before : `${before}.${after}`;
}

/** Returns a value in words: `16 hours`, `/23`, `20 %`, `AUD 1 000.00`. @param value as decimal text */
export function policyValueWords(name: PolicyValueName, value: string, currency: string): string {
  const { unit } = policyRow(name);
  if (unit === 'prefix') return `/${value}`;
  if (unit === 'percent') return `${value} %`;
  if (unit === 'share') return `${Math.round(Number(value) * 10_000) / 100} %`;
  if (unit === 'money') {
    const [whole, cents = ''] = value.split('.');
    return `${currency}\u00a0${grouped(whole!)}.${cents.padEnd(2, '0')}`;
  }
  const [one, more] = units[unit]!;
  return `${grouped(value)} ${value === '1' ? one : more}`;
}
