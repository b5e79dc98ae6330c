/** Formatters by their zone: making one takes much longer than asking it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
/** About as many as there are zones; names that differ in capitals count again. */
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

/** Milliseconds by which the clocks of a zone are ahead of UTC at an instant. */
export function offsetAt(timeZone: string, instant: number): number {
  const parts = formatterOf(timeZone).formatToParts(instant);
  const of = (type: string): number => Number(parts.find(part => part.type === type)!.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(instant / 1000) * 1000;
}

/** The instant at which clocks of a zone show a date and time, given as if it were UTC. A time that the clocks skip counts by the offset before it. */
export function instantOfLocal(timeZone: string, local: number): number {
  const first = local - offsetAt(timeZone, local);
  return local - offsetAt(timeZone, first);
}
