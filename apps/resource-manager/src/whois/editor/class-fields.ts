import {
  type AttributeName,
  attributeHelp,
  attributeLabel,
  attributes,
  classes,
  type ClassName,
  exampleValue,
  objectOf,
  type RpslObject,
  type TemplateRow,
  templateRow,
} from '@portal/rpsl';
import { completionKind } from '../text/object-text.ts';
import { spelled } from './many-objects.ts';

/** Values of a form by attribute; several of one attribute are lines. */
export type AttributeValues = Readonly<Record<string, string>>;

/** An attribute of a class as a field of a form, as the tables of `packages/rpsl` describe it. */
export type ClassField = {
  name: AttributeName;
  label: string;
  help: string;
  /** A value that is right. */
  example: string;
  isOptional: boolean;
  /** It takes several values, one a line. */
  hasLines: boolean;
  /** Words for people, where others are for machines. */
  isProse: boolean;
};

const proseTypes: ReadonlySet<string> = new Set(['free-text', 'postal-address', 'person-name', 'org-name']);

function fieldOf(className: ClassName, { attribute: name, need, often }: TemplateRow): ClassField {
  const hasLines = often === 'many' && completionKind(name) === null;
  return {
    name,
    label: attributeLabel(name),
    help: `${attributeHelp[name]}${hasLines && attributes[name].type !== 'postal-address' ? ' One per line.' : ''}`,
    example: exampleValue(className, name),
    isOptional: need !== 'mandatory',
    hasLines,
    isProse: proseTypes.has(attributes[name].type),
  };
}

/** Returns the fields of objects of these classes in the order of their templates, without what the server writes and what is left out. */
export function fieldsOfClasses(classNames: readonly ClassName[], without: (name: AttributeName) => boolean): ClassField[] {
  const fields = new Map<string, ClassField>();
  for (const className of classNames)
    for (const row of classes[className].template) {
      if (row.need === 'generated' || without(row.attribute)) continue;
      const known = fields.get(row.attribute);
      const own = fieldOf(className, row);
      fields.set(row.attribute, known ? { ...known, isOptional: known.isOptional && own.isOptional } : own);
    }
  return [...fields.values()];
}

/** Returns the values of one field: trimmed, without empty ones, names of objects in capitals. */
export function valuesOfField(name: AttributeName, text: string): string[] {
  const kind = completionKind(name);
  return text
    .split(kind === null ? '\n' : /[\n,]+/)
    .map(part => spelled(name, part.trim()))
    .filter(part => part !== '');
}

/** Returns the object that a form describes, in the order of the template. */
export function objectOfFields(className: ClassName, values: AttributeValues): RpslObject {
  return objectOf(
    classes[className].template.flatMap(({ attribute, key }) =>
      valuesOfField(attribute, values[attribute] ?? '').map(
        value => [attribute, key.includes('primary') ? value.toUpperCase() : value] as const,
      ),
    ),
  );
}

/** Returns what is missing in the fields of a class, by attribute. */
export function missingFields(className: ClassName, fields: readonly ClassField[], values: AttributeValues): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, label, example }) =>
      templateRow(classes[className], name)?.need === 'mandatory' && valuesOfField(name, values[name] ?? '').length === 0
        ? [[name, `Enter the ${label.charAt(0).toLowerCase()}${label.slice(1)}, such as ${example}`]]
        : [],
    ),
  );
}
