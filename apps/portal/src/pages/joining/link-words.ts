import type { ServiceFailure } from '@portal/app-kit';

/** From half an hour on in hours, below in minutes; rounded up. */
function waitWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [count, unit] = minutes < 90 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The message for a refused request. A limit has the time until the next is possible. */
export function refusedWords(failure: ServiceFailure): string {
  const seconds = failure.status === 429 ? /(\d+) seconds/.exec(failure.message)?.[1] : undefined;
  if (seconds === undefined) return failure.message;
  return `You can send five requests in 24 hours. Try again in about ${waitWords(Number(seconds))}.`;
}
