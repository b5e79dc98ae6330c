/** Header in which every answer to a call of the portal names the release of the process that answered. */
export const releaseHeader = 'registry-release';

/** Returns whether a release (major.minor.patch) comes after another one. What isn't three numbers comes after nothing. */
export function isNewerRelease(release: string, than: string): boolean {
  const [these, those] = [numbersOf(release), numbersOf(than)];
  if (!these || !those) return false;
  const different = these.findIndex((number, index) => number !== those[index]);
  return different >= 0 && these[different]! > those[different]!;
}

const numbersOf = (release: string): number[] | null =>
  /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(release) ? release.split('.').map(Number) : null;
