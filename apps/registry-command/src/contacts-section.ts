import type { CallAnswer, Registry } from '@portal/client';
import type { ApplyFile } from '@portal/contract/apply-file';
import { attributesOf, valuesOf, withValues } from './rpsl-text.ts';
import { noPlan, type Planning, type Section, type SectionPlan, type Step } from './section.ts';

type Wanted = NonNullable<ApplyFile['contacts']>[number];
type Outcome = CallAnswer<'whois.previewUpdates'>['outcomes'][number];

/** The attribute of each field of the file. */
const attributeOf = {
  address: 'address',
  country: 'country',
  phone: 'phone',
  email: 'e-mail',
  adminC: 'admin-c',
  techC: 'tech-c',
  remarks: 'remarks',
  maintainer: 'mnt-by',
} as const satisfies Partial<Record<keyof Wanted, string>>;
const fieldOf = new Map<string, string>(Object.entries(attributeOf).map(([field, attribute]) => [attribute, field]));

const textOf = async (registry: Registry, contact: { class: 'person' | 'role'; key: string }): Promise<string> =>
  (await registry.call('whois.getObject', { query: { class: contact.class, key: contact.key } })).text;

const valuesIn = (one: Wanted): Record<string, readonly string[] | undefined> => ({
  [one.class]: [one.name],
  ...Object.fromEntries(
    Object.entries(attributeOf).map(([field, attribute]) => {
      const value = one[field as keyof typeof attributeOf];
      return [attribute, value === undefined ? undefined : [value].flat()];
    }),
  ),
});

/** Person and role objects in whois. */
export const contactsSection: Section = {
  name: 'contacts',
  title: 'Contacts',
  present: async registry => {
    const { rows } = await registry.call('whois.contacts.listContacts');
    const contacts: unknown[] = [];
    for (const row of rows) {
      const text = await textOf(registry, row);
      const optional = (name: string, field: string) => (valuesOf(text, name).length > 0 ? { [field]: valuesOf(text, name) } : {});
      contacts.push({
        class: row.class,
        name: row.name,
        handle: row.shown,
        ...optional('address', 'address'),
        ...(valuesOf(text, 'country')[0] !== undefined && { country: valuesOf(text, 'country')[0] }),
        ...optional('phone', 'phone'),
        ...optional('e-mail', 'email'),
        ...optional('admin-c', 'adminC'),
        ...optional('tech-c', 'techC'),
        ...optional('remarks', 'remarks'),
      });
    }
    return contacts;
  },
  plan: planContacts,
};

async function planContacts({ registry, declared, prune, checked }: Planning): Promise<SectionPlan> {
  const wanted = declared.content.contacts!;
  const { rows } = await registry.call('whois.contacts.listContacts');
  const found = wanted.map(one =>
    one.handle === undefined
      ? rows.find(row => row.class === one.class && row.name.toLowerCase() === one.name.toLowerCase())
      : rows.find(row => row.key.toLowerCase() === one.handle!.toLowerCase()),
  );
  const updates: { operation: 'auto' | 'delete'; text: string; reason?: string }[] = [];
  let ends: Promise<{ source: string; maintainer: string }> | undefined;
  for (const [index, one] of wanted.entries()) {
    const row = found[index];
    if (row) updates.push({ operation: 'auto', text: withValues(await textOf(registry, row), valuesIn(one)) });
    else {
      const { source, maintainer } = await (ends ??= usualEnds(registry));
      const name = one.handle ?? `AUTO-${index + 1}`;
      updates.push({
        operation: 'auto',
        text: withValues(templateOf(one, name, { source, maintainer: one.maintainer ?? maintainer }), valuesIn(one)),
      });
    }
  }
  const extra = rows.filter(row => !found.includes(row));
  if (prune)
    for (const row of extra) updates.push({ operation: 'delete', text: await textOf(registry, row), reason: 'not in the applied file' });
  const deletions = extra.map((row): Step => ({ action: 'delete', what: `${row.class} ${row.shown} ${row.name}`, detail: [] }));
  if (updates.length === 0) return { ...noPlan, steps: deletions };

  const check = await checked(() => registry.call('whois.previewUpdates', { body: { updates, mode: 'atomic' } }));
  if (check === null) {
    const own = wanted.map(async (one, index) => {
      const row = found[index];
      const [before, after] = [row ? await textOf(registry, row) : null, updates[index]!.text];
      const state = before !== null && linesOf(before).join('\n') === linesOf(after).join('\n') ? 'unchanged' : 'ok';
      return stepOf({ state, before, after }, one, row !== undefined);
    });
    return { ...noPlan, steps: [...(await Promise.all(own)).flat(), ...deletions] };
  }
  const { outcomes } = check;
  const findings = outcomes.flatMap((outcome, index) =>
    outcome.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ attribute, message }) => ({
        ...declared.at(index < wanted.length ? ['contacts', index, fieldOf.get(attribute ?? '') ?? 'name'] : ['contacts']),
        message: index < wanted.length ? message : `${outcome.shown} can’t be deleted: ${message}`,
      })),
  );
  const steps = [
    ...outcomes.slice(0, wanted.length).flatMap((outcome, index) => stepOf(outcome, wanted[index]!, found[index] !== undefined)),
    ...deletions,
  ];
  const isChange = outcomes.some(({ state }) => state !== 'unchanged');
  return {
    steps,
    findings,
    warnings: [],
    invalidates: 0,
    ...(isChange && {
      send: async ({ dryRun }) => {
        const due = updates.filter((_, index) => outcomes[index]!.state !== 'unchanged');
        await registry.call('whois.submitUpdates', { body: { updates: due, mode: 'atomic' } }, { dryRun });
      },
    }),
  };
}

/** Lines of an object as they are compared: values without the blanks between them, and without when it was changed. */
const linesOf = (text: string | null): string[] =>
  attributesOf(text ?? '').flatMap(({ name, value }) => (name === 'last-modified' ? [] : [`${name}: ${value}`]));

function stepOf({ state, before, after }: Pick<Outcome, 'state' | 'before' | 'after'>, one: Wanted, exists: boolean): Step[] {
  if (state === 'unchanged') return [];
  const what = `${one.class} ${one.handle ?? ''} ${one.name}`.replaceAll(/\s+/g, ' ');
  if (!exists) return [{ action: 'create', what, detail: [] }];
  const [old, next] = [linesOf(before), linesOf(after)];
  return [
    {
      action: 'change',
      what,
      detail: [
        ...old.filter(line => !next.includes(line)).map(line => `- ${line}`),
        ...next.filter(line => !old.includes(line)).map(line => `+ ${line}`),
      ],
    },
  ];
}

const templateOf = (one: Wanted, handle: string, { source, maintainer }: { source: string; maintainer: string }): string =>
  `${one.class}: ${one.name}\nnic-hdl: ${handle}\nmnt-by: ${maintainer}\nsource: ${source}\n`;

/** The source of the registry's objects, and the maintainer of the account. */
async function usualEnds(registry: Registry): Promise<{ source: string; maintainer: string }> {
  const [{ rows: maintainers }, { rows: objects }] = await Promise.all([
    registry.call('whois.listMaintainers'),
    registry.call('whois.listObjects', { query: { limit: 1 } }),
  ]);
  const [first] = objects;
  const text = first ? (await registry.call('whois.getObject', { query: { class: first.class, key: first.key } })).text : '';
  return {
    source: valuesOf(text, 'source')[0] ?? '',
    maintainer: (maintainers.find(({ principal }) => principal) ?? maintainers[0])?.maintainer ?? '',
  };
}
