/** Formatters by zone: creating one takes much longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
/** About as many as there are zones; names that differ in case count separately. */
const MAX_FORMATTERS = 500;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Milliseconds by which a zone is ahead of UTC at an instant. */
export function offsetAt(timeZone: string, instant: number): number {
  const parts = formatterOf(timeZone).formatToParts(instant);
  const of = (type: string): number => Number(parts.find(part => part.type === type)!.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(instant / 1000) * 1000;
}

/** The instant of a local date and time in a zone, given as if it were UTC. A local time that doesn't exist uses the offset before the gap. */
export function instantOfLocal(timeZone: string, local: number): number {
  const first = local - offsetAt(timeZone, local);
  return local - offsetAt(timeZone, first);
}
