import type { Profile } from '../../../profile.ts';
import type { SubmissionView } from '../store/submission-view.ts';
import type { Credentials, Item, WhoisProblem } from '../store/update.ts';

/** The facts that rules look at besides the object. */
export type Context = { view: SubmissionView; credentials: Credentials; profile: Profile };

/** A rule of whois updates: the operations and classes it is for, and its check. */
export type Rule = {
  on: readonly Item['operation'][];
  classes: readonly string[] | 'all';
  /** It doesn't apply to the registry itself. */
  membersOnly?: true;
  check: (item: Item, context: Context) => readonly (WhoisProblem | null)[];
};
