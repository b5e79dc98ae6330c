import type { WhoisOutcome as ContractOutcome, WhoisProblem as ContractProblem } from '@portal/contract/whois/whois';
import { parseObject } from '@portal/rpsl';
import type { WhoisOutcome, WhoisProblem } from '../store/update.ts';

/** Findings as sent to clients, with attribute names. `text` is the checked text. */
export function problemMessages(problems: readonly WhoisProblem[], text: string | null): ContractProblem[] {
  if (problems.length === 0) return [];
  const attributes = text === null ? [] : (parseObject(text).object?.attributes ?? []);
  return problems.map(({ severity, code, attribute, line, message, maintainers = [], objects = [], count }) => ({
    severity,
    code,
    // The line is reliable; an index counts in the reordered object.
    attribute:
      attributes.findLast(each => line !== null && each.line <= line)?.name ??
      (attribute === null ? null : (attributes[attribute]?.name ?? null)),
    line,
    message,
    maintainers: [...maintainers],
    objects: [...objects],
    count: count ?? objects.length,
  }));
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
