const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

const monthNamed = (name: string): number => (name.length < 3 ? 0 : months.findIndex(month => month.startsWith(name.toLowerCase())) + 1);

/**
 * Returns the day that a person wrote, as `2026-11-25`; null if it is none. Day and month as two numbers are read day first, with dots only: with strokes they are the month first for half of
 * all readers.
 */
export function dayOf(text: string): string | null {
  const written = text.trim().replaceAll(/\s+/g, ' ');
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(written);
  const dotted = /^(\d\d?)\. ?(\d\d?)\. ?(\d{4})$/.exec(written);
  const named = /^(\d\d?)\.? ([a-z]+)\.?,? (\d{4})$/i.exec(written);
  const monthFirst = /^([a-z]+)\.? (\d\d?),? (\d{4})$/i.exec(written);
  const [year, month, day] = iso
    ? [iso[1], Number(iso[2]), Number(iso[3])]
    : dotted
      ? [dotted[3], Number(dotted[2]), Number(dotted[1])]
      : named
        ? [named[3], monthNamed(named[2]!), Number(named[1])]
        : monthFirst
          ? [monthFirst[3], monthNamed(monthFirst[1]!), Number(monthFirst[2])]
          : [];
  if (!year || !month || !day) return null;
  const at = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const instant = new Date(`${at}T00:00:00Z`);
  // The 31st of a month that has none would be the 1st of the next.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(at) ? at : null;
}
