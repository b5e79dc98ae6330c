import { type Html, html } from '../../../platform/http/html.ts';

/** Formats times for one person. */
export type LocalTimes = {
  /** IANA name. */
  timeZone: string;
  /** An instant (ISO 8601) as `20 Nov 2026, 09:31`, or its day alone. */
  at(iso: string, shape?: 'date' | 'date-time'): Html;
  /** The same as text, where no element is possible. */
  words(iso: string, shape?: 'date' | 'date-time'): string;
};

/**
 * Writes times as the person's settings say, in the registry's official time zone when they follow the device, which the server does not know.
 */
export function localTimes(
  settings: { timeZone?: string | undefined; hourCycle?: 'system' | 'h12' | 'h23' | undefined },
  officialTimeZone: string,
): LocalTimes {
  const chosen = settings.timeZone ?? 'system';
  const timeZone = chosen === 'system' || !isTimeZone(chosen) ? officialTimeZone : chosen;
  const hourCycle = settings.hourCycle === 'h12' ? 'h12' : 'h23';
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' });
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: hourCycle === 'h12' ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle,
  });
  const words: LocalTimes['words'] = (iso, shape = 'date-time') => {
    const instant = new Date(iso);
    const date = day.format(instant).replace('Sept', 'Sep');
    return shape === 'date' ? date : `${date}, ${time.format(instant).replaceAll('\u202F', ' ')}`;
  };
  return {
    timeZone,
    words,
    at: (iso, shape) => html`<time class="nw" datetime="${new Date(iso).toISOString()}">${words(iso, shape)}</time>`,
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}
