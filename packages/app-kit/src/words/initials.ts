/** Up to two letters of a name, of the first word and the last. */
export function initialsOf(fullName: string): string {
  const words = fullName.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map(word => /^./u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase();
}
