/** Working hours in words: `11 h 30`, `48 min`, `3 days` from two working days on. */
export function hoursInWords(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60);
  if (minutes >= 16 * 60) return `${Math.round(minutes / 480)} days`;
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}
