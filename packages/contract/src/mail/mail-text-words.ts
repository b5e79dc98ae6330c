/** Everything in braces in a text. */
const inBraces = /\{([^{}\n]*)\}/g;

/** A problem of a mail's text, in a sentence. */
export type TextProblem = { field: 'subject' | 'body'; message: string };

const listed = (words: readonly string[]): string => words.map(word => `{${word}}`).join(', ');

/** The names in braces in a text, each once. */
const wordsInBraces = (text: string): string[] => [...new Set([...text.matchAll(inBraces)].map(([, name]) => name!))];

/**
 * Checks a text against the words that its mail has. A word that the mail doesn't have, a lone brace and a required word that is left out are refused by name; so is a link in
 * the subject, and a word of several lines there.
 */
export function problemsOfText(
  { subject, body }: { subject: string; body: string },
  words: readonly { word: string; required: boolean; sample: string }[],
): TextProblem[] {
  const known = words.map(({ word }) => word);
  const problems: TextProblem[] = [];
  for (const [field, text] of [
    ['subject', subject],
    ['body', body],
  ] as const) {
    const unknown = wordsInBraces(text).filter(word => !known.includes(word));
    if (unknown.length > 0)
      problems.push({
        field,
        message: `This mail doesn’t have ${listed(unknown)}. ${known.length === 0 ? 'It has no words in braces' : `It has ${listed(known)}`}`,
      });
    else if (/[{}]/.test(text.replace(inBraces, ''))) problems.push({ field, message: 'Close each brace, as in {accountName}' });
  }
  if (wordsInBraces(subject).includes('link'))
    problems.push({ field: 'subject', message: 'The link can’t be in the subject: it is a secret' });
  const used = new Set(wordsInBraces(`${subject} ${body}`));
  const missing = words.filter(({ word, required }) => required && !used.has(word)).map(({ word }) => word);
  if (missing.length > 0) problems.push({ field: 'body', message: `Use ${listed(missing)}: without it people can’t act on the mail` });
  return problems;
}

/** Fills a text. `{link}` becomes a mark that a link is there. A paragraph whose words are all empty is left out. */
export function fillWith(
  { subject, body }: { subject: string; body: string },
  values: Readonly<Record<string, string>>,
): { subject: string; body: string } {
  const fill = (text: string): string => text.replace(inBraces, (written, word: string) => values[word] ?? written);
  return {
    subject: fill(subject).replace(/\s*[\r\n]+\s*/g, ' '),
    body: body
      .split(/\n{2,}/)
      .map(fill)
      .filter(paragraph => paragraph.trim() !== '')
      .join('\n\n'),
  };
}
