import { quote } from '../problem.ts';
import { right, type Syntax, type SyntaxReading, wrong } from './reading.ts';

/** Words the policy language has taken (RFC 2622 section 2). */
const reservedWords = new Set(
  'any as-any rs-any peeras and or not atomic from to at action accept announce except refine networks into inbound outbound'.split(' '),
);
const reservedPrefix = /^(as|rs|rtrs|fltr|prng|irt|org)-/i;

/** Name of a maintainer or an AS: letter first, letter or digit last, at most 80 signs, no reserved word or prefix. */
export const readObjectName: Syntax = value => {
  const prefix = reservedPrefix.exec(value);
  if (prefix)
    return wrong('reserved-name', `${quote(value)} starts with ${prefix[0].toUpperCase()}, which is kept for another kind of name`);
  return readName(value);
};

/** Name of a network: as other names, but any beginning. */
export const readNetName: Syntax = value => readName(value);

/** `IRT-` and a name. */
export const readIrtName: Syntax = value => {
  if (!/^irt-/i.test(value))
    return wrong('not-an-irt', `${quote(value)} isn’t the name of an IRT. Names start with IRT-, such as IRT-EXAMPLE-AP`);
  return readName(value);
};

/** Name of the database. Which one is ours the server knows. */
export const readSource: Syntax = value =>
  /^[a-z][a-z0-9_-]{0,78}[a-z0-9]$/i.test(value)
    ? right(value.toUpperCase())
    : wrong('not-a-source', `${quote(value)} is not the name of a database. Enter one word of letters, digits and hyphens`);

function readName(value: string): SyntaxReading {
  if (value.length > 80) return wrong('name-too-long', `This name has ${value.length} characters, the longest may have 80`);
  const stray = /[^A-Za-z0-9_-]/.exec(value);
  if (stray)
    return wrong(
      'not-a-name',
      `${quote(value)} holds ${stray[0] === ' ' ? 'a blank' : stray[0]}; a name is made of letters, digits, _ and -`,
    );
  if (!/^[a-z]/i.test(value)) return wrong('not-a-name', `${quote(value)} does not start with a letter`);
  if (!/[a-z0-9]$/i.test(value)) return wrong('not-a-name', `${quote(value)} does not end with a letter or a digit`);
  if (value.length < 2) return wrong('not-a-name', `${quote(value)} is too short; a name has two characters or more`);
  if (reservedWords.has(value.toLowerCase()))
    return wrong('reserved-name', `${quote(value)} is a word of the policy language. Choose another name`);
  return right(value);
}
