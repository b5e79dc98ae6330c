import type { PolicyChange, PolicyDesk } from '@portal/contract/policy/policy';
import { policyRow, policyValueWords } from '@portal/contract/policy/policy-values';
import { dayWords } from './policy-words.ts';
import { type TimeScale, timeScaleOf, WIDTH } from '../shell/time-scale.ts';

/** So many changes are drawn, the latest; the list below has all. */
const DRAWN = 8;
/** A letter of a label is about so wide, and a label has at most so many. */
const [LETTER, MOST_LETTERS] = [6.4, 54];
/** Letters that a label keeps at least: its day, a word of its title, and its value. */
const LEAST_LETTERS = 26;
/** Years that a scale gets more at most, for the words of its last change. */
const MORE_YEARS = 4;

/** Returns the changes that count or may count, in the order of their days. */
export const drawnChanges = ({ changes }: Pick<PolicyDesk, 'changes'>): PolicyChange[] =>
  changes
    .filter(({ state }) => state === 'in-force' || state === 'confirmed' || state === 'prepared')
    .toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : one.validFrom > other.validFrom ? 1 : 0))
    .slice(-DRAWN);

/** A change beside its place on the line: its day, and what changes. A long title is cut, never the day, the value or how many more there are. @param most letters there is room for */
export function changeLabel(change: PolicyChange, currency: string, most = MOST_LETTERS): string {
  const [only, ...others] = change.values;
  const day = `${dayWords(change.validFrom)}: `;
  const rest = others.length === 0 ? `, ${policyValueWords(only!.name, only!.after, currency)}` : ` and ${others.length} more`;
  const { title } = policyRow(only!.name);
  const room = most - day.length - rest.length;
  return `${day}${title.length > room ? `${title.slice(0, Math.max(1, room - 1)).trimEnd()}…` : title}${rest}`;
}

/** The same as a sentence, with each value. */
export function changeSentence({ validFrom, values, state }: PolicyChange, currency: string): string {
  const changed = values.map(({ name, after }) => `${policyRow(name).title} ${policyValueWords(name, after, currency)}`).join(', ');
  return `From ${dayWords(validFrom)}: ${changed}${state === 'prepared' ? ', not confirmed' : ''}`;
}

type Label = { change: PolicyChange; words: string; x: number; row: number };

/** Places changes on a line of time, each with its words to its right: before the line of today if they have the room, and in a row above those that would cross them. */
export function labelledOn(
  changes: readonly PolicyChange[],
  { today, currency }: Pick<PolicyDesk, 'today' | 'currency'>,
): { scale: TimeScale; labels: Label[]; rows: number } {
  const days = [today, ...changes.map(({ validFrom }) => validFrom)];
  const wordsOf = (change: PolicyChange, { x }: TimeScale): string => {
    const room = Math.floor((x(today) - x(change.validFrom) - 12) / LETTER);
    return changeLabel(change, currency, room >= LEAST_LETTERS ? Math.min(room, MOST_LETTERS) : MOST_LETTERS);
  };
  const endOf = (change: PolicyChange, on: TimeScale): number => on.x(change.validFrom) + 12 + wordsOf(change, on).length * LETTER;
  let scale = timeScaleOf(days);
  for (let more = 1; more <= MORE_YEARS && changes.some(change => endOf(change, scale) > WIDTH); more++) scale = timeScaleOf(days, more);
  const labels: Label[] = [];
  for (const change of changes.toReversed()) {
    const end = endOf(change, scale);
    const crossed = labels.filter(label => label.x < end);
    labels.unshift({
      change,
      words: wordsOf(change, scale),
      x: scale.x(change.validFrom),
      row: Math.max(-1, ...crossed.map(({ row }) => row)) + 1,
    });
  }
  return { scale, labels, rows: Math.max(0, ...labels.map(({ row }) => row)) + 1 };
}
