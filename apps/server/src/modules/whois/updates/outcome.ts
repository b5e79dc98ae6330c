import type { WhoisOutcome as ContractOutcome, WhoisProblem as ContractProblem } from '@portal/contract/whois/whois';
import { parseObject } from '@portal/rpsl';
import type { WhoisOutcome, WhoisProblem } from '../store/update.ts';

/** Findings as sent to clients, with attribute names. `text` is the checked text. */
export function problemMessages(problems: readonly WhoisProblem[], text: string | null): ContractProblem[] {
  if (problems.length === 0) return [];
  // What is about the whole object needs no line of it, however long it is.
  const isPlaced = problems.some(({ line, attribute }) => line !== null || attribute !== null);
  const attributes = text === null || !isPlaced ? [] : (parseObject(text).object?.attributes ?? []);
  const lines = attributes.map(({ line }) => line);
  return problems.map(({ severity, code, attribute, line, message, maintainers = [], objects = [], count }) => ({
    severity,
    code,
    // The line is reliable; an index counts in the reordered object.
    attribute:
      (line === null ? undefined : attributes[lastUpTo(lines, line)]?.name) ??
      (attribute === null ? null : (attributes[attribute]?.name ?? null)),
    line,
    message,
    maintainers: [...maintainers],
    objects: [...objects],
    count: count ?? objects.length,
  }));
}

/** Place of the last of ascending numbers that is no larger than `most`; -1 where there is none. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const outcomeMessage = (outcome: WhoisOutcome, text: string): ContractOutcome => ({
  ...outcome,
  problems: problemMessages(outcome.problems, text),
});

/** Returns the errors of an update in one sentence. */
export const errorsOf = ({ problems }: WhoisOutcome): string =>
  problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
    .join('; ');
