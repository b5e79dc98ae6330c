/** An attribute of a whois object. */
type Attribute = { name: string; value: string };

/** Reads the attributes of an object; continued lines are joined, comments stay. */
export function attributesOf(text: string): Attribute[] {
  const attributes: Attribute[] = [];
  for (const line of text.split('\n')) {
    const begun = /^([a-z][\w-]*):[ \t]*(.*)$/i.exec(line);
    if (begun) attributes.push({ name: begun[1]!.toLowerCase(), value: begun[2]!.trim() });
    else if (/^[ \t+]/.test(line) && attributes.length > 0) attributes.at(-1)!.value += ` ${line.replace(/^[ \t+]\s*/, '').trim()}`;
  }
  return attributes;
}

export const valuesOf = (text: string, name: string): string[] =>
  attributesOf(text).flatMap(each => (each.name === name ? [each.value] : []));

/** Returns an object with the values of some attributes replaced, where the first of them was; what it does not have comes before its maintainers. */
export function withValues(text: string, values: Readonly<Record<string, readonly string[] | undefined>>): string {
  const lines: Attribute[] = [];
  const left = new Map(Object.entries(values).filter((entry): entry is [string, readonly string[]] => entry[1] !== undefined));
  const replaced = new Set(left.keys());
  const put = (name: string): void => {
    for (const value of left.get(name) ?? []) lines.push({ name, value });
    left.delete(name);
  };
  for (const attribute of attributesOf(text)) {
    if (attribute.name === 'mnt-by') for (const name of left.keys()) if (name !== 'mnt-by') put(name);
    if (replaced.has(attribute.name)) put(attribute.name);
    else if (attribute.name !== 'last-modified') lines.push(attribute);
  }
  for (const name of left.keys()) put(name);
  return `${lines.map(({ name, value }) => `${`${name}:`.padEnd(16)}${value}`).join('\n')}\n`;
}
