/** A public object changed by an activity: its kind in whois or RPKI, its name, and the operation. */
export type ChangedObject = { kind: string; name: string; done: 'create' | 'modify' | 'delete' | null };

/** Maximum number of objects in an event. */
const MOST = 50;

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];

/**
 * Returns the public objects changed by an activity, from its details: whois objects, reverse zones, ROAs and ASPAs. Everything else in the details
 * may need a permission, and isn’t passed on.
 */
export function changedObjects(action: string, details: Readonly<Record<string, unknown>>): ChangedObject[] {
  const found: ChangedObject[] = textsIn(details['changed']).flatMap(words => {
    const [, done, kind, name] = /^(create|modify|delete) (\S+) (.+)$/.exec(words) ?? [];
    return name === undefined ? [] : [{ kind: kind!, name, done: done as ChangedObject['done'] }];
  });
  if (action.startsWith('rpki.'))
    for (const [list, done] of [
      ['added', 'create'],
      ['removed', 'delete'],
    ] as const)
      for (const words of textsIn(details[list]))
        found.push({ kind: words.startsWith('ASPA ') ? 'aspa' : 'roa', name: words.replace(/^(?:ASPA|ROA) /, ''), done });
  if (action.startsWith('reverseDns.') && found.length === 0)
    for (const name of [...textsIn(details['zone']), ...textsIn(details['zones'])]) found.push({ kind: 'domain', name, done: null });
  return found.slice(0, MOST);
}
