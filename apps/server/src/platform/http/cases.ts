import type { Endpoint } from '@portal/contract';
import { allowedIn, type Move } from '@portal/contract/life';
import type { Change } from '../database/index.ts';
import type { Failure } from '../failure.ts';
import type { PolicyNow } from '../registry.ts';
import type { AdmittedAccount, Caller } from './caller.ts';

/** A call that moves a case, before its function runs. */
export type Moving = {
  change: Change;
  caller: Caller;
  /** The account of the path; none in a call of registry staff. */
  account?: AdmittedAccount;
  params: Readonly<Record<string, string>>;
  body: unknown;
  /** The call is rehearsed for a second person, or carried out after one approved it. */
  hasSecondPerson: boolean;
  registry: PolicyNow;
};

/**
 * How the calls of a group find the cases that they move. A call whose endpoint names a move (`moves`) gets the case as `row`: found, locked until the change
 * ends, and in a state from which the move is possible. Everything else that a call refuses is refused by its function.
 */
export type CasesOf<Row> = {
  /** The state of a case, or of the part of it that the move is of. */
  stateOf: (row: Row, move: Move) => string;
  /** Finds the case that the caller may move, and locks it. @throws Failure NOT_FOUND, and whatever forbids every move to the caller */
  lock: (moving: Moving, move: Move) => Promise<Row>;
  /** The refusal of a move that isn't possible in the state of the case, with the case as the caller sees it. */
  refusal: (row: Row, moving: Moving, move: Move) => Promise<Failure>;
  /**
   * The fewer states in which the move is possible for this case: an `unless` of its life, whose turn it is, a time that is over. It can't add to those that the
   * life declares.
   */
  within?: (row: Row, move: Move, moving: Moving) => readonly string[];
};

/** Finds the case that is moved, and locks it. @throws Failure as `lock` and `refusal` of its cases */
async function caseToMove<Row>(cases: CasesOf<Row>, move: Move, moving: Moving): Promise<Row> {
  const row = await cases.lock(moving, move);
  const state = cases.stateOf(row, move);
  const isWithin = cases.within?.(row, move, moving).includes(state) ?? true;
  if (!isWithin || !allowedIn(move).includes(state)) throw await cases.refusal(row, moving, move);
  return row;
}

/** The function of an endpoint, before the compiler knows which. */
type ActFunction = ((act: never) => Promise<unknown>) & { readFirst?: unknown };

/** Returns the function of an endpoint with the lock and the check of its move before it. */
export function movingCase<Row>({ moves }: Endpoint, handler: ActFunction, cases: CasesOf<Row>): ActFunction {
  if (!moves) return handler;
  const moved = async (act: Moving): Promise<unknown> => handler({ ...act, row: await caseToMove(cases, moves, act) } as never);
  return Object.assign(moved, handler.readFirst !== undefined && { readFirst: handler.readFirst }) as ActFunction;
}

/** The part of the argument of a function that moves a case that only a call over HTTP has. */
type OfCall = 'row' | 'query' | 'traceId' | 'hasSecondPerson';

/** Moves a case without a call over HTTP, in the demo registry or a test: it is locked, checked and moved as in a call, as if a second person had approved. */
export async function moveCase<Row, A extends Moving & { row: Row }, Answer>(
  cases: CasesOf<Row>,
  move: Move,
  handler: (act: A) => Promise<Answer>,
  given: Omit<A, OfCall>,
): Promise<Answer> {
  const moving = { query: undefined, traceId: '', hasSecondPerson: true, ...given } as unknown as Moving;
  return handler({ ...moving, row: await caseToMove(cases, move, moving) } as A);
}
