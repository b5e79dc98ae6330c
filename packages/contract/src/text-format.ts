/**
 * Fills `%s` with strings and `%d` with numbers, strictly (specification, section 5): the number of arguments must match the
 * placeholders and each must have its type. `%%` prints a percent sign.
 * @throws TypeError naming the placeholder that does not fit.
 */
export function formatText(template: string, ...args: readonly (string | number)[]): string {
  let next = 0;
  const text = template.replace(/%([sd%])/g, (_, kind: string) => {
    if (kind === '%') return '%';
    const place = next++;
    if (place >= args.length) throw new TypeError(`"${template}" has more placeholders than the ${args.length} arguments given`);
    const value = args[place];
    if (kind === 's' && typeof value !== 'string')
      throw new TypeError(`Placeholder ${place + 1} of "${template}" is %s and needs a string, not ${typeof value}`);
    if (kind === 'd' && (typeof value !== 'number' || !Number.isFinite(value)))
      throw new TypeError(`Placeholder ${place + 1} of "${template}" is %d and needs a number, not ${typeof value}`);
    return String(value);
  });
  if (next !== args.length) throw new TypeError(`"${template}" has ${next} placeholders but ${args.length} arguments were given`);
  return text;
}
