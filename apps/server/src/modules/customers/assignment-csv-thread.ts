import { cutCells, cutText } from '../../platform/cut-text.ts';
import { portions } from '../../platform/portions.ts';
import { type AssignmentLine, readRows } from './assignment-csv.ts';

/** Yields the rows of a file of assignments. @throws Failure INVALID_REQUEST */
export function* read(csv: string): Generator<AssignmentLine[], void> {
  yield* portions(
    readRows(csv).map(line => ({ ...line, given: cutCells(line.given), problem: line.problem && cutText(line.problem, 300) })),
  );
}
