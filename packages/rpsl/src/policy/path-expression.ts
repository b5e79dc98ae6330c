import { quote } from '../problem.ts';
import { readAsNumber } from '../syntax/as-numbers.ts';
import { isWrong } from '../syntax/reading.ts';
import { isSetName } from '../syntax/set-names.ts';
import { PolicyError } from './policy-error.ts';

const parts =
  /\s+|(?<name>[A-Za-z][A-Za-z0-9_:-]*)|(?<repeat>~?(?:[*+?]|\{\d{1,5}(?:,\d{0,5})?\}))|(?<sign>[\^$.|()[\]])|(?<other>[\s\S])/gy;

/**
 * Checks the inside of `<…>`, a POSIX-like expression over AS numbers (RFC 2622 section 5.4): AS numbers, as-sets, PeerAS, `.`, `^`, `$`, `[…]`,
 * brackets, `|` and the repetitions `* + ? {n,m}` with or without `~`.
 * @throws {PolicyError}
 */
export function checkPathExpression(text: string): void {
  let brackets = 0;
  let inSet = false;
  let canRepeat = false;
  let setIsOpen = false;
  parts.lastIndex = 0;
  for (let match = parts.exec(text); match?.groups; match = parts.exec(text)) {
    const { name, repeat, sign, other } = match.groups;
    if (other !== undefined) throw new PolicyError(`${quote(other)} cannot be in an AS-path expression`);
    if (name !== undefined) {
      checkName(name, inSet);
      canRepeat = !inSet;
    } else if (repeat !== undefined) {
      if (!canRepeat || inSet) throw new PolicyError(`${repeat} has nothing to repeat in <${quote(text)}>`);
      canRepeat = false;
    } else if (sign !== undefined) {
      if (inSet) {
        if (sign === ']') {
          inSet = false;
          canRepeat = true;
        } else if (!(sign === '.' || (sign === '^' && setIsOpen))) throw new PolicyError(`${sign} can’t be between [ and ]`);
      } else if (sign === '[') inSet = true;
      else if (sign === '(') {
        brackets++;
        canRepeat = false;
      } else if (sign === ')') {
        if (--brackets < 0) throw new PolicyError(`<${quote(text)}> closes a bracket that was never opened`);
        canRepeat = true;
      } else if (sign === ']') throw new PolicyError(`<${quote(text)}> has ] without [`);
      else canRepeat = sign === '.';
      setIsOpen = sign === '[';
    }
    if (sign === undefined && (name !== undefined || repeat !== undefined)) setIsOpen = false;
  }
  if (inSet) throw new PolicyError(`<${quote(text)}> has [ without ]`);
  if (brackets > 0) throw new PolicyError(`<${quote(text)}> has an open bracket`);
}

function checkName(name: string, inSet: boolean): void {
  if (/^peeras$/i.test(name) || /^as-any$/i.test(name)) return;
  if (/^as\d/i.test(name) && !name.includes(':')) {
    const ends = name.split('-');
    if (ends.length > 2 || (ends.length === 2 && !inSet))
      throw new PolicyError(`${quote(name)} is a range. Put ranges of AS numbers in [ ]`);
    for (const end of ends) {
      const number = readAsNumber(end, { class: '', attributes: [] });
      if (isWrong(number)) throw new PolicyError(number.message);
    }
    return;
  }
  if (!isSetName('as-set', name)) throw new PolicyError(`${quote(name)} is neither an AS number nor an as-set`);
}
