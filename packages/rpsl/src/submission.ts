import { type RpslParagraph, splitParagraphs } from './object.ts';

const onlyComments = /^(?:\s*[%#].*(?:\r?\n|$))*$/;
const onlyOrders = /^(?:(?:password|override|dry-run)\s*:[^\n]*(?:\n\s*|$))+$/i;
const order = /^(password|override|dry-run)\s*:/i;
const orderLine = /(?<=^|\n)(password|override|dry-run)[^\S\n]*:/gi;
/** A byte order mark, which some editors write before a text (Unicode Standard, 23.8). */
const byteOrderMark = /^\ufeff/;

/** The objects of a text that was sent, each with the line it begins at: paragraphs that are more than comments, or an order to the server. */
export const objectsOfText = (text: string): RpslParagraph[] =>
  splitParagraphs(withoutMark(text)).filter(paragraph => !onlyComments.test(paragraph.text) && !onlyOrders.test(paragraph.text));

/** An order to the server in a text that was sent. */
type TextOrder = { order: 'password' | 'override' | 'dry-run'; line: number };

/** The orders of a text that was sent, in objects and in paragraphs of their own, so that none is passed over in silence. */
export function ordersOfText(given: string): TextOrder[] {
  const text = withoutMark(given);
  const orders: TextOrder[] = [];
  let [line, counted] = [1, 0];
  for (const { index, 1: name } of text.matchAll(orderLine)) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    orders.push({ order: name!.toLowerCase() as TextOrder['order'], line });
  }
  return orders;
}

/** The text without the lines of one order; all other lines stay as they are. */
export const withoutOrder = (text: string, unwanted: TextOrder['order']): string =>
  withoutMark(text)
    .split('\n')
    .filter(line => order.exec(line)?.[1]?.toLowerCase() !== unwanted)
    .join('\n');

/** A text without the mark that says it is one. */
export const withoutMark = (text: string): string => text.replace(byteOrderMark, '');

const reasonLine = /^# refused: .*(?:\r?\n|$)/gm;

/**
 * Returns the text of a refused object after comments with the reasons: it can be corrected and sent again as it is. Earlier
 * reasons are removed.
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
