import type { ServiceFailure } from '@portal/app-kit';
import { accessRequests } from '@portal/contract/contacts/access-requests';

/** What was typed as an account name, as the registry writes it, or what is wrong with it. */
export function readAccountName(
  typed: string,
): { accountName: string; problem?: undefined } | { accountName?: undefined; problem: string } {
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { problem: 'Write the name of the account' };
  const read = accessRequests.linkAccount.body!.safeParse({ accountName: text });
  return read.success ? read.data : { problem: read.error.issues[0]?.message ?? 'This is no account name' };
}

/** Half hours and more in hours, less in minutes; never less than is left. */
function waitWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [count, unit] = minutes < 90 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Why a request was not taken, in words. The limit names the time until the next is possible. */
export function refusedWords(failure: ServiceFailure): string {
  const seconds = failure.status === 429 ? /(\d+) seconds/.exec(failure.message)?.[1] : undefined;
  if (seconds === undefined) return failure.message;
  return `Five requests within 24 hours are possible. The next one is in about ${waitWords(Number(seconds))}.`;
}
