import { monthsAfter } from '@portal/contract/days';
import type { RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { dayInWords } from '../../../platform/attention.ts';
import type { RequestPolicy } from '../../../profile.ts';
import type { AccountFacts } from './account.ts';
import { check, metIf } from './check.ts';

/** Checks how long an event lasts. What has ended can't be asked for any more. */
export const durationCheck = (
  { startsOn, endsOn }: RequestForm,
  { today }: AccountFacts,
  { temporaryMonths }: RequestPolicy,
): RequestCheck =>
  check(
    'months',
    startsOn === '' || endsOn === '' ? 'open' : metIf(endsOn <= monthsAfter(startsOn, temporaryMonths) && endsOn >= today),
    'Duration',
    startsOn === '' || endsOn === ''
      ? 'First or last day not given'
      : `${dayInWords(startsOn)} to ${dayInWords(endsOn)}${endsOn < today ? ', which is over' : ''}`,
    'Your answer',
    `Up to ${temporaryMonths} months`,
  );
