import { Fragment } from 'react';
import { DateText } from './DateText.tsx';

const instants = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the server with the instants in it (ISO 8601, UTC) as days of the reader's zone, as on the rest of the page. */
export function DatedText({ text }: { text: string }) {
  // Split at a group: every other part is an instant.
  return text.split(instants).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text, in its order
    <Fragment key={index}>{index % 2 === 1 ? <DateText value={part} shape="date" /> : part}</Fragment>
  ));
}
