/** The recent median time to a first answer of general tickets; empty if unknown. */
export function medianWords(minutes: number | null): string {
  if (minutes === null) return '';
  const span =
    minutes < 90
      ? `${Math.max(1, minutes)} minutes`
      : minutes < 48 * 60
        ? `${Math.round(minutes / 60)} hours`
        : `${Math.round(minutes / 1440)} days`;
  return `Half of recent questions were answered within ${span}.`;
}
