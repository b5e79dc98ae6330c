/** One setting: environment variable, default, meaning. The list is docs/generated/settings.md. */
export type Setting<T> = { name: string; default: string; meaning: string; secret: boolean; read: (text: string) => T };

class WrongSetting extends Error {}

const setting = <T>(name: string, fallback: string, meaning: string, read: (text: string) => T): Setting<T> => ({
  name,
  default: fallback,
  meaning,
  secret: false,
  read,
});
/** A setting whose value is never printed. */
export const secret = <T>(s: Setting<T>): Setting<T> => ({ ...s, secret: true });

export const text = (name: string, fallback: string, meaning: string) => setting(name, fallback, meaning, value => value);

export const wholeNumber = (name: string, fallback: number, meaning: string, { min, max }: { min: number; max: number }) =>
  setting(name, String(fallback), meaning, value => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) throw new WrongSetting(`must be a whole number from ${min} to ${max}`);
    return number;
  });

export const yesNo = (name: string, fallback: boolean, meaning: string) =>
  setting(name, fallback ? 'yes' : 'no', meaning, value => {
    if (/^(yes|true|1|on)$/i.test(value)) return true;
    if (/^(no|false|0|off|)$/i.test(value)) return false;
    throw new WrongSetting('must be yes or no');
  });

/** A text with a grammar of its own; `read` returns null if it is invalid. */
export const parsedAs = <T>(name: string, fallback: string, meaning: string, read: (text: string) => T | null, wrong: string) =>
  setting(name, fallback, meaning, value => {
    const parsed = read(value);
    if (parsed === null) throw new WrongSetting(wrong);
    return parsed;
  });

/** A host name with or without a port; empty: none. */
export const host = (name: string, meaning: string) =>
  parsedAs(
    name,
    '',
    meaning,
    value =>
      value === '' || (URL.canParse(`https://${value}`) && new URL(`https://${value}`).host === value.toLowerCase()) ? value : null,
    'must be a host name, such as dashboard.example.net',
  );

export const oneOf = <const V extends string>(name: string, values: readonly V[], fallback: V, meaning: string) =>
  setting(name, fallback, meaning, value => {
    if (!(values as readonly string[]).includes(value)) throw new WrongSetting(`must be one of ${values.join(', ')}`);
    return value as V;
  });

export const someOf = <const V extends string>(name: string, values: readonly V[], fallback: readonly V[], meaning: string) =>
  setting(name, fallback.join(','), meaning, value => {
    const given = list(value);
    const wrong = given.filter(item => !(values as readonly string[]).includes(item));
    if (wrong.length > 0 || given.length === 0) throw new WrongSetting(`must be some of ${values.join(', ')}, separated by commas`);
    return given as V[];
  });

export const listOf = (name: string, fallback: string, meaning: string) => setting(name, fallback, meaning, list);

/** `ours=theirs` pairs, separated by commas; `ours` is one of the keys. */
export const pairsOf = <const K extends string>(name: string, keys: readonly K[], fallback: string, meaning: string) =>
  setting(name, fallback, meaning, value => {
    const pairs: Partial<Record<K, string>> = {};
    for (const pair of list(value)) {
      const [ours, theirs, ...more] = pair.split('=').map(part => part.trim());
      if (!keys.includes(ours as K) || !theirs || more.length > 0 || pairs[ours as K] !== undefined)
        throw new WrongSetting(`must be pairs such as ${keys[0]}=theirs, separated by commas, each once, for some of ${keys.join(', ')}`);
      pairs[ours as K] = theirs;
    }
    return pairs;
  });

export const url = (name: string, fallback: string, meaning: string, schemes: readonly string[] = ['http:', 'https:']) =>
  setting(name, fallback, meaning, value => {
    if (value === '' && fallback === '') return '';
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
      throw new WrongSetting(`must be an address starting with ${schemes.map(s => `${s}//`).join(' or ')}`);
    return value.replace(/\/$/, '');
  });

const list = (value: string): string[] =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');

/** Reads one setting; a wrong value becomes a sentence that names it. */
export function readSetting<T>(s: Setting<T>, environment: Readonly<Record<string, string | undefined>>): T {
  try {
    return s.read((environment[s.name] ?? s.default).trim());
  } catch (error) {
    if (error instanceof WrongSetting)
      throw new Error(`The setting ${s.name}${s.secret ? '' : ` ("${environment[s.name]}")`} ${error.message}.`);
    throw error;
  }
}
