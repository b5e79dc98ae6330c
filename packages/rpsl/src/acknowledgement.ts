import { parseObject } from './object.ts';

/** Result of one object of a submission, for the acknowledgement. */
export type Acknowledged = {
  state: 'ok' | 'unchanged' | 'failed' | 'skipped';
  /** The operation; null if it failed. */
  done: 'create' | 'modify' | 'delete' | null;
  /** It is there already, so a failed update was to change it. */
  isThere: boolean;
  /** It was to be deleted, whether or not its text says so. */
  deletes?: boolean;
  class: string;
  shown: string;
  /** The text as sent. */
  text: string;
  problems: readonly { severity: 'error' | 'warning' | 'info'; line: number | null; message: string }[];
};

type Operation = 'create' | 'modify' | 'delete';
type Counts = Record<Operation | 'unchanged', number> & { failed: Record<Operation, number>; notObjects: number };

const rule = '~'.repeat(52);
const words = { create: 'Create', modify: 'Modify', delete: 'Delete' } as const;
const isDelete = ({ deletes = false, text }: Acknowledged): boolean => deletes || /^delete\s*:/im.test(text);
const operationOf = (item: Acknowledged): Operation => item.done ?? (isDelete(item) ? 'delete' : item.isThere ? 'modify' : 'create');
const isNoObject = ({ class: name, state }: Acknowledged): boolean => name === '' && state === 'failed';
const isRefused = (item: Acknowledged): boolean => (item.state === 'failed' || item.state === 'skipped') && !isNoObject(item);

/**
 * The acknowledgement of a submission as programs of whois members read it: totals, objects with errors, those that were done, and
 * paragraphs that are no objects. `items` is gone through once for each part, so that it can come from a database; the text comes in pieces.
 */
export async function* acknowledgement(
  items: () => AsyncIterable<Acknowledged> | Iterable<Acknowledged>,
  { at, footer }: { at: Date; footer: string },
): AsyncGenerator<string> {
  const counts: Counts = { create: 0, modify: 0, delete: 0, unchanged: 0, failed: { create: 0, modify: 0, delete: 0 }, notObjects: 0 };
  for await (const item of items()) {
    if (isNoObject(item)) counts.notObjects++;
    else if (isRefused(item)) counts.failed[operationOf(item)]++;
    else if (item.state === 'unchanged') counts.unchanged++;
    else counts[operationOf(item)]++;
  }
  yield head(counts, at);
  const failed = counts.failed.create + counts.failed.modify + counts.failed.delete;
  const done = counts.create + counts.modify + counts.delete + counts.unchanged;
  if (failed > 0) {
    yield `${rule}\nThe following object(s) were found to have ERRORS:\n\n`;
    for await (const item of items())
      if (isRefused(item)) yield `---\n${words[operationOf(item)]} FAILED: ${title(item)}\n\n${withMessages(item)}\n`;
  }
  if (done > 0) {
    yield `${rule}\nThe following object(s) were processed SUCCESSFULLY:\n\n`;
    for await (const item of items()) {
      if (isNoObject(item) || isRefused(item)) continue;
      const what = item.state === 'unchanged' ? 'No operation' : `${words[operationOf(item)]} SUCCEEDED`;
      yield `---\n${what}: ${title(item)}\n\n${item.problems.length > 0 ? `${item.problems.map(message).join('')}\n` : ''}`;
    }
  }
  if (counts.notObjects > 0) {
    yield `${rule}\nThe following paragraph(s) do not look like objects\nand were NOT PROCESSED:\n\n`;
    for await (const item of items()) if (isNoObject(item)) yield `${item.text.trimEnd()}\n\n`;
  }
  yield `${rule}\n${footer}\n`;
}

function head({ failed, ...done }: Counts, at: Date): string {
  const good = done.create + done.modify + done.delete + done.unchanged;
  const bad = failed.create + failed.modify + failed.delete;
  const total = (label: string, count: number): string => `${label.padEnd(43)}${count}\n`;
  const part = (label: string, count: number): string => `  ${label}`.padEnd(18) + `${count}\n`;
  return [
    `- Date/Time: ${at.toUTCString()}\n\nSUMMARY OF UPDATE:\n\n`,
    total('Number of objects found:', good + bad),
    total('Number of objects processed successfully:', good),
    part('Create:', done.create),
    part('Modify:', done.modify),
    part('Delete:', done.delete),
    part('No Operation:', done.unchanged),
    total('Number of objects processed with errors:', bad),
    part('Create:', failed.create),
    part('Modify:', failed.modify),
    part('Delete:', failed.delete),
    '\nDETAILED EXPLANATION:\n\n',
  ].join('');
}

/** `[route] 192.0.2.0/24AS64500`; of contacts the name as well. */
function title({ class: name, shown, text }: Acknowledged): string {
  const contact =
    name === 'person' || name === 'role' ? parseObject(text).object?.attributes.find(each => each.name === name)?.value : undefined;
  return `[${name}] ${shown}${contact === undefined || contact === shown ? '' : `   ${contact}`}`;
}

/** The object with what was found under the lines it is about, and what is about the whole of it at the end. */
function withMessages({ text, problems, state }: Acknowledged): string {
  const lines = text.trimEnd().split(/\r?\n/);
  const attributes = parseObject(text).object?.attributes ?? [];
  /** Returns the last line of the attribute on a line. */
  const endOf = (line: number): number => {
    const next = attributes.find(each => each.line > line);
    return next === undefined ? lines.length : next.line - 1;
  };
  const under = (number: number): string =>
    problems
      .filter(({ line }) => line !== null && line > 0 && Math.min(endOf(line), lines.length) === number)
      .map(message)
      .join('');
  const whole = problems.filter(({ line }) => line === null || line < 1).map(message);
  if (state === 'skipped') whole.push(message({ severity: 'error', message: 'Left out, as others of the submission were refused' }));
  return `${lines.map((line, index) => `${line}\n${under(index + 1)}`).join('')}\n${whole.join('')}`;
}

const marks = { error: '***Error:   ', warning: '***Warning: ', info: '***Info:    ' } as const;
const width = 80;

/** A message, wrapped at 80 characters, its other lines under its first word. */
function message({ severity, message: words }: { severity: keyof typeof marks; message: string }): string {
  const indent = ' '.repeat(marks[severity].length);
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((each, index) => `${index === 0 ? marks[severity] : indent}${each}\n`).join('');
}
