/** Everything in braces in a text. */
const inBraces = /\{([^{}\n]*)\}/g;

/** Characters that are no text: control characters but line breaks and tabs, and what turns the direction of the text around it. */
const notText = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

type Text = { subject: string; body: string };

/** A problem of a mail's text, in a sentence. */
export type TextProblem = { field: 'subject' | 'body'; message: string };

/** The rules of a kind of mail: the text of the program, and the words that a text may fill in. */
export type TextRules = { program: Text; words: readonly { word: string; required: boolean }[] };

const listed = (words: readonly string[]): string => words.map(word => `{${word}}`).join(', ');

/** The names in braces in a text, each once, in the order of their first use. */
export const wordsInBraces = (text: string): string[] => [...new Set([...text.matchAll(inBraces)].map(([, name]) => name!))];

/**
 * Checks a text against the words that its mail has. A word that the mail doesn't have, a lone brace, a link in the subject and characters that are no text
 * are refused; so is a required word that is left out, or moved from where the text of the program has it: a subject shows one line of it, and answers by
 * e-mail are sorted by what it begins with.
 */
export function problemsOfText({ subject, body }: Text, { program, words }: TextRules): TextProblem[] {
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
    else if (notText.test(text)) problems.push({ field, message: 'Enter text without control characters' });
  }
  if (wordsInBraces(subject).includes('link'))
    problems.push({ field: 'subject', message: 'The link can’t be in the subject: it is a secret' });
  const required = words.filter(word => word.required).map(({ word }) => word);
  const inBody = required.filter(word => wordsInBraces(program.body).includes(word));
  for (const [field, text, wanted] of [
    ['subject', subject, required.filter(word => !inBody.includes(word))],
    ['body', body, inBody],
  ] as const) {
    const missing = wanted.filter(word => !wordsInBraces(text).includes(word));
    if (missing.length > 0)
      problems.push({ field, message: `Use ${listed(missing)}: without ${missing.length === 1 ? 'it' : 'them'} the mail says too little` });
  }
  return problems;
}

/** Addresses of the web and of e-mail, also those that mail programs make a link of by themselves. A word to fill in can be part of one. */
const placesIn = ({ subject, body }: Text): string[] =>
  `${subject}\n${body}`
    .replace(inBraces, 'x')
    .toLowerCase()
    .split(/[\s<>()"“”]+/)
    .map(part => part.replace(/[.,;:!?]+$/, ''))
    .filter(part => /:\/\/|@|[\p{L}\d]\.\p{L}{2}/u.test(part));

/**
 * Returns whether a text names an address of the web or of e-mail that none of the others has. People trust what the registry's mails lead to, so a second
 * person reads it.
 */
export const namesNewAddress = (text: Text, others: readonly Text[]): boolean => {
  const known = new Set(others.flatMap(placesIn));
  return placesIn(text).some(place => !known.has(place));
};

/** Fills a text in one pass: values are never read as texts with words. A paragraph that its words leave empty is left out. */
export function fillWith({ subject, body }: Text, valueOf: (word: string) => string): Text {
  // The name of the portal need not begin with My: `{product}` is all of it, also in texts from before it was a value of its own.
  const fill = (text: string): string => text.replaceAll('My{product}', '{product}').replace(inBraces, (_, word: string) => valueOf(word));
  return {
    // A line break in a value must not become a header of its own.
    subject: fill(subject)
      .replace(/\s*[\r\n]+\s*/g, ' ')
      .trim(),
    body: body
      .split('\n\n')
      .map(fill)
      .filter(paragraph => paragraph.trim() !== '')
      .join('\n\n'),
  };
}
