import { recordAddress } from '@portal/contract/records/record-address';
import { type NamedThing, thingsNamedIn } from '@portal/contract/tickets/queues';
import { Link } from '@portal/ui';
import { Fragment, type ReactNode } from 'react';
import styles from './Tickets.module.css';

/** Returns the page of something that a text names; null if the reader has none for it. */
export type AddressOfThing = (thing: NamedThing) => string | null;

/** The page of a prefix or AS number; the others have none for everyone. */
export const pageOfThing: AddressOfThing = ({ kind, text }) => (kind === 'prefix' || kind === 'asn' ? recordAddress(text) : null);

/** The text of a message: paragraphs, lists of lines that begin with a dash, and links to the numbers, invoices and requests that it names. */
export function MessageText({ text, addressOf }: { text: string; addressOf: AddressOfThing }) {
  return (
    <div className={styles.words} dir="auto">
      {blocksOf(text).map((block, index) =>
        block.isList ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no names
          <ul key={index}>
            {block.lines.map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: its lines neither
              <li key={place}>
                <LinkedText text={line} addressOf={addressOf} />
              </li>
            ))}
          </ul>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no names
          <p key={index}>
            <LinkedText text={block.lines.join('\n')} addressOf={addressOf} />
          </p>
        ),
      )}
    </div>
  );
}

/** A line of text with links to the numbers, invoices and requests that it names. */
export function LinkedText({ text, addressOf }: { text: string; addressOf: AddressOfThing }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const thing of thingsNamedIn(text)) {
    const written = text.slice(thing.at, thing.at + thing.text.length);
    const href = addressOf(thing);
    parts.push(text.slice(end, thing.at));
    parts.push(
      href === null ? (
        <span className="mono" translate="no">
          {written}
        </span>
      ) : (
        <Link href={href} className="mono" translate="no">
          {written}
        </Link>
      ),
    );
    end = thing.at + written.length;
  }
  parts.push(text.slice(end));
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no names
    <Fragment key={index}>{part}</Fragment>
  ));
}

type Block = { isList: boolean; lines: string[] };

/** The paragraphs and lists of a text. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const item = /^\s*[-*•] (.*)$/.exec(line)?.[1];
    const isList = item !== undefined;
    const last = blocks.at(-1);
    if (isOpen && last && last.isList === isList) last.lines.push(item ?? line);
    else blocks.push({ isList, lines: [item ?? line] });
    isOpen = true;
  }
  return blocks;
}
