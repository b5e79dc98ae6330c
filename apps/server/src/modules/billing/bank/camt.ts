import { SaxesParser } from 'saxes';
import { dayOf } from './bank-csv.ts';
import { type BankEntry, type BankFile, NoStatement } from './bank-entries.ts';

/** An element of an entry, without its namespace prefix. */
type Element = { name: string; currency: string; text: string; children: Element[] };

/** Number of characters parsed at a time, so that an error near the beginning stops the parser early. */
const PIECE = 64 * 1024;
/** Deeper and longer than any statement. */
const DEEPEST = 40;
const LONGEST_TEXT = 10_000;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
const child = (of: Element | undefined, ...path: string[]): Element | undefined =>
  path.reduce<Element | undefined>((at, name) => at?.children.find(each => each.name === name), of);
const children = (of: Element | undefined, name: string): Element[] => of?.children.filter(each => each.name === name) ?? [];
const textOf = (of: Element | undefined, ...path: string[]): string => child(of, ...path)?.text.trim() ?? '';

/**
 * Reads an ISO 20022 camt.053 statement (any version). An entry of several transactions whose amounts add up is one line for each. Document types are
 * refused, and with them custom entities.
 * @throws NoStatement
 */
export function readCamt(text: string): BankFile {
  const file: BankFile = { format: 'CAMT.053', bankAccount: '', entries: [], leftOut: 0 };
  const path: Element[] = [];
  /** Failures inside the parser's handlers, which must not be thrown there. */
  let problem: string | null = null;
  const refuse = (words: string): void => {
    problem ??= words;
  };
  const parser = new SaxesParser({});
  parser.on('error', error => refuse(`It is no well-formed XML: ${error.message.slice(0, 200)}`));
  parser.on('doctype', () => refuse('It has a document type, which bank statements don’t have. Export it again from the bank'));
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name: local(name), currency: String(attributes['Ccy'] ?? ''), text: '', children: [] };
    if (path.length === 0 && element.name !== 'Document')
      refuse(`It is no CAMT.053 statement: it begins with ${element.name}, not Document`);
    if (path.length === 1 && element.name !== 'BkToCstmrStmt')
      refuse(`It is no CAMT.053 statement: it holds ${element.name}, not BkToCstmrStmt. Export end-of-day statements`);
    if (path.length > DEEPEST) refuse('It is nested deeper than a statement');
    // Only entries and the statement's account are kept.
    if (path.length > 3 || (path.length === 3 && element.name === 'Acct')) path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on('text', piece => {
    const at = path.at(-1);
    if (!at) return;
    if (at.text.length + piece.length > LONGEST_TEXT) {
      if (piece.trim() !== '') refuse(`A text in ${at.name} is too long`);
    } else at.text += piece;
  });
  parser.on('closetag', () => {
    const element = path.pop()!;
    if (path.length !== 3) return;
    if (element.name === 'Acct') file.bankAccount ||= textOf(element, 'Id', 'IBAN') || textOf(element, 'Id', 'Othr', 'Id');
    if (element.name === 'Ntry') {
      const read = entriesOf(element);
      if (typeof read === 'string') refuse(read);
      else if (read === null) file.leftOut++;
      else file.entries.push(...read);
    }
  });
  for (let from = 0; from < text.length && problem === null; from += PIECE) parser.write(text.slice(from, from + PIECE));
  if (problem === null) parser.close();
  if (problem !== null) throw new NoStatement(problem);
  return file;
}

/** Returns the incoming transfers of an entry, null for an entry to skip, or what is wrong with it. */
function entriesOf(entry: Element): BankEntry[] | string | null {
  // A code since version 8, a plain text before.
  const status = textOf(entry, 'Sts', 'Cd') || textOf(entry, 'Sts');
  if (textOf(entry, 'CdtDbtInd') !== 'CRDT' || textOf(entry, 'RvslInd') === 'true' || (status !== '' && status !== 'BOOK')) return null;
  const bookedOn = /^[^T]*/.exec(textOf(entry, 'BookgDt', 'Dt') || textOf(entry, 'BookgDt', 'DtTm') || textOf(entry, 'ValDt', 'Dt'))![0];
  if (!/^\d{4}-\d{2}-\d{2}$/.test(bookedOn) || dayOf(bookedOn) === null)
    return `An entry has no booking date: ${textOf(entry, 'AcctSvcrRef') || 'without reference'}`;
  const amount = child(entry, 'Amt');
  const whole = twoPlaces(amount?.text ?? '');
  if (whole === null || !amount || !/^[A-Z]{3}$/.test(amount.currency))
    return `The entry of ${bookedOn} has no amount with two places and a currency`;
  const transactions = children(entry, 'NtryDtls').flatMap(details => children(details, 'TxDtls'));
  const line = (of: readonly Element[], value: string): BankEntry => ({
    bookedOn,
    currency: amount.currency,
    amount: value,
    payer: unique(of.map(payerOf)).join(', '),
    remittance: unique(of.map(remittanceOf)).join(' ') || textOf(entry, 'AddtlNtryInf'),
    reference: referenceOf(of.length === 1 ? of[0] : undefined, entry),
  });
  const parts = transactions.map(each => child(each, 'Amt') ?? child(each, 'AmtDtls', 'TxAmt', 'Amt'));
  const values = parts.map(part => (part?.currency === amount.currency ? twoPlaces(part.text) : null));
  const adds = values.length > 1 && values.every(value => value !== null) && sum(values) === sum([whole]);
  const lines = adds ? transactions.map((each, place) => line([each], values[place]!)) : [line(transactions, whole)];
  return lines.filter(({ amount: value }) => sum([value]) > 0n);
}

const sum = (amounts: readonly (string | null)[]): bigint => amounts.reduce((all, each) => all + BigInt(each!.replace('.', '')), 0n);
const unique = (words: readonly string[]): string[] => [...new Set(words.filter(Boolean))];

/** `1234.5` becomes `1234.50`; null if it isn't an amount in whole cents. */
function twoPlaces(text: string): string | null {
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{0,5}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || !/^0*$/.test(cents.slice(2))) return null;
  return `${whole}.${cents.slice(0, 2).padEnd(2, '0')}`;
}

function payerOf(transaction: Element): string {
  const parties = child(transaction, 'RltdPties');
  return textOf(parties, 'Dbtr', 'Nm') || textOf(parties, 'Dbtr', 'Pty', 'Nm') || textOf(parties, 'UltmtDbtr', 'Nm');
}

function remittanceOf(transaction: Element): string {
  const info = child(transaction, 'RmtInf');
  const structured = children(info, 'Strd').flatMap(each => [
    textOf(each, 'CdtrRefInf', 'Ref'),
    ...children(each, 'RfrdDocInf').map(document => textOf(document, 'Nb')),
    ...children(each, 'AddtlRmtInf').map(({ text }) => text.trim()),
  ]);
  const endToEnd = textOf(transaction, 'Refs', 'EndToEndId');
  return unique([...children(info, 'Ustrd').map(({ text }) => text.trim()), ...structured, known(endToEnd)]).join(' ');
}

const known = (reference: string): string => (reference === 'NOTPROVIDED' ? '' : reference);
const referenceOf = (transaction: Element | undefined, entry: Element): string =>
  known(textOf(transaction, 'Refs', 'AcctSvcrRef')) ||
  known(textOf(transaction, 'Refs', 'TxId')) ||
  known(textOf(entry, 'AcctSvcrRef')) ||
  known(textOf(entry, 'NtryRef'));
