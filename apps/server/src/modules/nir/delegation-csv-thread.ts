import { cutCells, cutText } from '../../platform/cut-text.ts';
import { portions } from '../../platform/portions.ts';
import { readDelegationLines } from './delegation-csv.ts';
import type { DelegationLine } from './delegation-line.ts';

/** Yields the rows of a file of delegations. @throws Failure INVALID_REQUEST */
export function* read(csv: string): Generator<DelegationLine[], void> {
  yield* portions(
    readDelegationLines(csv).map(line => ({ ...line, given: cutCells(line.given), problem: line.problem && cutText(line.problem, 300) })),
  );
}
