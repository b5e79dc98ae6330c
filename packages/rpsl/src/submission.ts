import { type RpslParagraph, splitParagraphs } from './object.ts';

const onlyComments = /^(?:\s*[%#].*(?:\r?\n|$))*$/;
const onlyOrder = /^(?:password|override|dry-run)\s*:[^\n]*\s*$/i;

/** The objects of a text that was sent, each with the line it begins at: paragraphs that are more than comments, or an order to the server. */
export const objectsOfText = (text: string): RpslParagraph[] =>
  splitParagraphs(text).filter(paragraph => !onlyComments.test(paragraph.text) && !onlyOrder.test(paragraph.text));

const reasonLine = /^# refused: .*(?:\r?\n|$)/gm;

/**
 * The text of an object that was refused, with the reasons before it as comments: it can be mended and sent again as it is. Reasons of an
 * earlier time are taken out.
 */
export function withReasons(text: string, reasons: readonly { attribute: string | null; message: string }[]): string {
  const lines = reasons.map(({ attribute, message }) => {
    const words = message.replaceAll(/\s+/g, ' ').trim();
    return `# refused: ${attribute === null ? '' : `${attribute}: `}${words}\n`;
  });
  return `${lines.join('')}${withoutReasons(text).trimEnd()}\n`;
}

/** The text of an object without what `withReasons` wrote before it. */
const withoutReasons = (text: string): string => text.replaceAll(reasonLine, '');
