/**
 * Returns the day it is in a time zone, YYYY-MM-DD. Terms, closings and votes turn on the day of the registry's own zone, wherever the
 * server or the member is.
 */
export const dayIn = (timeZone: string, instant: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant);
