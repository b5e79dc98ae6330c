import type { Change } from '../../../platform/database/index.ts';
import { isReadable } from './readable-name.ts';
import { announce } from '../sessions/session-validity.ts';

/** The names of a person; the user name isn't one of them and never changes. */
export type LoginNames = { fullName: string; displayName: string; nickname: string };

export const LONGEST_NAME = 100;
const labels: Record<keyof LoginNames, string> = { fullName: 'full name', displayName: 'display name', nickname: 'nickname' };

/** Why the names are not accepted, by field; empty when they are. Only the full name has to be given. */
export function nameProblems(names: LoginNames): Partial<Record<keyof LoginNames, string>> {
  const wrong: Partial<Record<keyof LoginNames, string>> = {};
  for (const field of ['fullName', 'displayName', 'nickname'] as const) {
    const name = names[field];
    if (!isReadable(name)) wrong[field] = `Enter the ${labels[field]} on one line, without invisible characters.`;
    else if (Array.from(name).length > LONGEST_NAME) wrong[field] = `A ${labels[field]} has at most ${LONGEST_NAME} characters.`;
  }
  if (names.fullName === '') wrong.fullName = 'Enter your full name.';
  return wrong;
}

/** Stores the names of a person, as accepted by `nameProblems`. */
export async function changeNames(change: Change, loginId: string, names: LoginNames): Promise<void> {
  await change.updateTable('login').set(names).where('loginId', '=', loginId).execute();
  await announce(change, { login: loginId });
}
