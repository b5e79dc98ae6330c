import { daysBetween } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import type { PolicyChange, PolicyDesk } from '@portal/contract/policy/policy';
import { policyRow, type PolicyValueName, policyValues, policyValueWords } from '@portal/contract/policy/policy-values';
import { formatDate, type State } from '@portal/ui';

export const changeHref = (changeId: string): string => `${pages.deskPolicy.path}?change=${changeId}`;
/** Whether members plan with a value of the change, or it decides what they get. */
export const tellsMembers = ({ values }: PolicyChange): boolean => values.some(({ name }) => policyRow(name).members);

/** How far the announcement of a change to members is. */
export function announcementWords({ announcement }: PolicyChange): string {
  switch (announcement?.state) {
    case 'published':
      return 'published to members';
    case 'scheduled':
      return 'it is published later, at the time that its writer chose';
    case 'taken-back':
      return 'the announcement was withdrawn. Write another one';
    case 'draft':
      return 'the draft isn’t published yet';
    case undefined:
      return 'no announcement is written';
  }
}

export const valueHref = (name: PolicyValueName): string => `${pages.deskPolicy.path}?value=${name}`;
/** The form, with values to begin with. */
export const prepareHref = (values: readonly { name: PolicyValueName; value?: string }[] = []): string => {
  const query = new URLSearchParams({
    prepare: values.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)).join('|') || 'new',
  });
  return `${pages.deskPolicy.path}?${query.toString()}`;
};

/** Reads the values that the form begins with from its address. */
export const preparedIn = (text: string): { name: PolicyValueName; value: string | null }[] =>
  text.split('|').flatMap(part => {
    const [name = '', value] = part.split('=');
    return Object.hasOwn(policyValues, name) ? [{ name: name as PolicyValueName, value: value ?? null }] : [];
  });

/** Whether later changes in force replaced all values of a change. */
export const isReplaced = ({ changeId, validFrom, values }: PolicyChange, { changes }: Pick<PolicyDesk, 'changes'>): boolean =>
  values.every(({ name }) =>
    changes.some(
      other =>
        other.state === 'in-force' &&
        other.changeId !== changeId &&
        other.validFrom > validFrom &&
        other.values.some(value => value.name === name),
    ),
  );

/** The state of a change, as a mark. @param waits it waits for a second person; whether the reader can be that person */
export function markOf(
  change: PolicyChange,
  desk: Pick<PolicyDesk, 'changes'>,
  waits: { isYours: boolean } | null,
): { state: State; words: string } {
  switch (change.state) {
    case 'prepared':
      if (!waits) return { state: 'info', words: 'Not sent yet' };
      return { state: 'pending', words: waits.isYours ? 'Your move' : 'Second person' };
    case 'confirmed':
      return { state: 'valid', words: 'Confirmed' };
    case 'in-force':
      return isReplaced(change, desk) ? { state: 'closed', words: 'Replaced' } : { state: 'valid', words: 'In force' };
    case 'fixed':
      return { state: 'closed', words: 'Fixed by the file' };
    case 'withdrawn':
      return { state: 'closed', words: 'Withdrawn' };
    case 'discarded':
      return { state: 'closed', words: 'Discarded' };
  }
}

/** A day in words, for a drawing. */
export const dayWords = (day: string): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

/** `2 values change`, or the one that does. */
export const changedWords = ({ values }: PolicyChange): string =>
  values.length === 1 ? policyRow(values[0]!.name).title : `${values.length} values`;

/** `One number changes` or `3 numbers change`, the title of the list of them. */
export const numbersTitle = (count: number): string => {
  const words = ['', 'One number changes', 'Two numbers change', 'Three numbers change', 'Four numbers change'];
  return words[count] ?? `${count} numbers change`;
};

/** A step of a value over time: from a day on, null for the value of the profile file. */
export type ValueStep = { from: string | null; value: string; changeId: string | null; isProposed: boolean };

/** A value over time, from the file on; a change that isn’t confirmed is proposed. */
export function stepsOf(name: PolicyValueName, desk: PolicyDesk, proposed?: PolicyChange): ValueStep[] {
  const value = desk.values.find(each => each.name === name)!;
  const counting = desk.changes.filter(
    change =>
      change.state === 'confirmed' ||
      change.state === 'in-force' ||
      (change.changeId === proposed?.changeId && change.state === 'prepared'),
  );
  const changes = counting.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
  return [
    { from: null, value: value.inFile, changeId: null, isProposed: false },
    ...changes.flatMap(change =>
      change.values
        .filter(each => each.name === name && !change.fixed.includes(name))
        .map(({ after }) => ({
          from: change.validFrom,
          value: after,
          changeId: change.changeId,
          isProposed: change.state === 'prepared',
        })),
    ),
  ];
}

/** Returns the prepared changes of a value that no one has confirmed yet, by day. */
export const preparedFor = (name: PolicyValueName, desk: Pick<PolicyDesk, 'changes'>): { changeId: string; day: string; value: string }[] =>
  desk.changes
    .filter(({ state, fixed }) => state === 'prepared' && !fixed.includes(name))
    .flatMap(({ changeId, validFrom, values }) =>
      values.filter(each => each.name === name).map(({ after }) => ({ changeId, day: validFrom, value: after })),
    )
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));

/** `in 41 days`, `tomorrow`, `today`, `12 days ago`. */
export function distance(today: string, day: string): string {
  const days = daysBetween(today, day);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  return days > 0 ? `in ${days} days` : days === -1 ? 'yesterday' : `${-days} days ago`;
}

/** The difference of two values as a share, `+25 %`; null where there is none to say. */
export function shareWords(before: string, after: string): string | null {
  const [was, is] = [Number(before), Number(after)];
  if (!Number.isFinite(was) || was === 0 || !Number.isFinite(is)) return null;
  const share = (is / was - 1) * 100;
  return `${share > 0 ? '+' : share < 0 ? '−' : ''}${Math.abs(share).toFixed(Math.abs(share) < 10 ? 1 : 0)} %`;
}

/** A value without the words around it, for a drawing. */
export const plainValue = (name: PolicyValueName, value: string): string => policyValueWords(name, value, '').trim();
