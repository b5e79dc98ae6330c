import type { ServiceFailure } from '@portal/api-client';
import { type ErrorItem, errorInWords } from '@portal/contract';
import type { HeldText } from '@portal/contract/long-text';
import type { FieldError } from '@portal/ui';
import { type FormEvent, useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import type { Draft } from './draft.ts';
import { maxCharacters } from './most-characters.ts';

/** Body that a form sends. A long text is a text still: only the server holds it apart. */
type Sent<Schema extends z.ZodMiniType> = WithTexts<z.output<Schema>>;
type WithTexts<Body> = Body extends object ? { [Name in keyof Body]: Exclude<Body[Name], HeldText> } : Body;

/** The body of a call, as its endpoint declares it. */
export type FormSchema = z.ZodMiniType | undefined;

/** Problems of a form, by field. */
export type Problems<Name extends string> = Partial<Record<Name, string | undefined>>;

type Names<Values> = Extract<keyof Values, string>;
type TextNames<Values> = { [Name in Names<Values>]-?: NonNullable<Values[Name]> extends string ? Name : never }[Names<Values>];

/** The call of a form, as far as it needs to know it. */
export type FormChange = { error: ServiceFailure | null; isPending: boolean; reset: () => void };

/** Returns the calls of one form as one: the dry run before, and the act. */
export const joinedChanges = (...changes: readonly FormChange[]): FormChange => ({
  error: changes.find(({ error }) => error !== null)?.error ?? null,
  isPending: changes.some(({ isPending }) => isPending),
  reset() {
    for (const each of changes) each.reset();
  },
});

/** For a form that sends nothing itself: what it holds is reviewed beside it, and sent from there. */
export const noCall: FormChange = { error: null, isPending: false, reset: () => undefined };

export type FormOptions<Values, Schema extends z.ZodMiniType, Also extends string> = {
  /** Prefix of the fields' ids: `invitation` makes `invitation-email`. */
  name: string;
  /** Storage of the values. Without it they last as long as the form is on the screen. */
  draft?: Pick<Draft<Values>, 'value' | 'set' | 'discard'>;
  /** Returns the body that the schema checks and the call sends, if it differs from the typed values. */
  toBody?: (values: Values) => unknown;
  /** Fields that the values do not hold, such as files. */
  also?: readonly Also[];
  /** Rules beyond the contract, such as two e-mail addresses that must be equal. They replace the schema's problem of a field. */
  check?: (values: Values) => Problems<Names<Values> | Also>;
  /** Messages for empty fields that the schema refuses, if its own are too general. */
  ifEmpty?: Problems<Names<Values> | Also>;
  /** The field for a path in the body, if their names differ. */
  fieldAt?: (place: string, values: Values) => string;
  /** The field that a refusal with this code is about, where the refusal itself names none. */
  fieldOfCode?: Readonly<Record<string, Names<Values> | Also>>;
  /** Refusals with these codes are shown by the page in its own way. */
  shownElsewhere?: readonly string[];
  /** Problems that a dry run of these values found, with their place in the body. They are shown as refusals are, and keep nothing from being sent again. */
  found?: (values: Values) => readonly { field: string; message: string }[];
  /** It was sent in an earlier visit of the page: what is wrong is shown from the start. */
  sentBefore?: boolean;
  change: FormChange;
  /** Sends the valid body as the schema returned it: trimmed, in capitals, with defaults. */
  send: (body: Sent<Schema>, values: Values) => void;
};

export type Form<Values, Name extends string = Names<Values>> = {
  values: Values;
  /** Changes some of the values. */
  set: (part: Partial<Values>) => void;
  /** The props of a `Field`: its id, and what is wrong with it once it was left or sent. */
  field: (name: Name) => { id: string; error: string | undefined };
  /** The props of a text control or a select. */
  input: (name: TextNames<Values>) => {
    value: string;
    maxLength: number | undefined;
    autoComplete: 'off';
    onChange: (event: { target: { value: string } }) => void;
    onBlur: () => void;
  };
  /** Marks a field as left, for controls that `input` does not serve. */
  leave: (name: Name) => void;
  /** Problems of the last submission that are not corrected yet, in the order of the fields. */
  summary: readonly FieldError[];
  /** Refusals that belong to no field. */
  refused: readonly Pick<ErrorItem, 'message' | 'traceId'>[];
  submit: (event: FormEvent) => void;
  busy: boolean;
  /** The values differ from those it began with. */
  isChanged: boolean;
  /** It was submitted, successfully or not, since it was opened. */
  wasSent: boolean;
  /** Starts over with the initial values, and clears refusals. */
  reset: () => void;
};

type Last<Values> = { summary: readonly FieldError[]; refused: readonly string[]; values: Values; failure: ServiceFailure | null };

/**
 * Returns a form for the body of a call: typed values, checked by the schema of the contract, and sent once they are valid. Problems are shown at
 * their field after it was left or the form was submitted; then the first field with one gets the focus. Refusals of the server are shown at
 * the field they name until it is edited.
 * @param schema the body of the endpoint that is called
 * @param initial initial values of the fields, in the order of the screen
 */
export function useForm<Schema extends z.ZodMiniType, Values extends object, Also extends string = never>(
  schema: Schema | undefined,
  initial: Values,
  options: FormOptions<Values, Schema, Also>,
): Form<Values, Names<Values> | Also> {
  type Name = Names<Values> | Also;
  const { name: formName, draft, change, fieldOfCode = {}, shownElsewhere = [], toBody = (values: Values) => values } = options;
  const [own, setOwn] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const values = draft ? draft.value : own;
  const [last, setLast] = useState<Last<Values> | null>(() =>
    options.sentBefore ? { summary: [], refused: [], values, failure: null } : null,
  );
  const names = namesOf(initial, options.also ?? []) as Name[];
  const idOf = (field: string): string => `${formName}-${field}`;

  const valueAt = (field: string, of: object = values): unknown => valueIn(of, field);
  const nameOf = (place: string): Name | undefined => fieldOf(names, options.fieldAt?.(place, values) ?? place);

  const validate = (): { body?: z.output<Schema>; problems: Problems<Name>; others: string[] } => {
    if (!schema) throw new Error(`The form ${formName} needs the body of a call`);
    const result = schema.safeParse(toBody(values));
    const problems: Problems<Name> = {};
    const others: string[] = [];
    for (const { path, message } of result.error?.issues ?? []) {
      const field = nameOf(path.map(String).join('.'));
      if (field === undefined) others.push(`${path.map(String).join('.')}: ${message}`);
      else problems[field] ??= isEmpty(valueAt(field)) ? (options.ifEmpty?.[field] ?? message) : message;
    }
    for (const [field, message] of Object.entries(options.check?.(values) ?? {})) if (message) problems[field as Name] = message as string;
    return { ...(result.success && { body: result.data }), problems, others };
  };

  // An earlier failure says nothing about what is sent now.
  const failure = change.error === last?.failure ? null : change.error;
  const found = options.found?.(values) ?? [];
  const { refusedAt, refused } = refusalsOf(
    [...(failure?.errors ?? []).filter(({ code }) => !shownElsewhere.includes(code)), ...found],
    refusal =>
      (refusal.field === undefined ? undefined : nameOf(refusal.field)) ?? ('code' in refusal ? fieldOfCode[refusal.code] : undefined),
  );
  const isEdited = (field: string): boolean => last !== null && valueAt(field) !== valueAt(field, last.values);

  const inOrder = (problems: Problems<Name>): FieldError[] =>
    names.flatMap(field => (problems[field] === undefined ? [] : [{ fieldId: idOf(field), message: problems[field] }]));
  const summary = failure || found.length > 0 ? inOrder(refusedAt) : (last?.summary ?? []);
  useFocusOnFirst(summary, [last, failure, JSON.stringify(found)]);

  const wrong: Problems<Name> = last !== null || left.size > 0 ? validate().problems : {};
  const errorOf = (field: Name): string | undefined =>
    (last !== null || left.has(field) ? wrong[field] : undefined) ?? (isEdited(field) ? undefined : refusedAt[field]);
  const set = (part: Partial<Values>): void => {
    if (draft) draft.set({ ...values, ...part });
    else setOwn(before => ({ ...before, ...part }));
  };
  const leave = (field: Name): void => {
    // A message that appears while a button is pressed would move the button away from the pointer, and the press would be lost.
    if (document.querySelector('button:active')) return;
    // Leaving an empty field is not a mistake yet.
    if (!isEmpty(valueAt(field)) || !isEmpty(valueAt(field, initial))) setLeft(before => new Set([...before, field]));
  };

  return {
    values,
    set,
    field: field => ({
      id: idOf(field),
      error: errorOf(field),
    }),
    input: field => ({
      value: (values[field] ?? '') as string,
      maxLength: maxCharacters(schema, field),
      autoComplete: 'off',
      onChange: ({ target }) => set({ [field]: target.value } as Partial<Values>),
      onBlur: () => leave(field),
    }),
    leave,
    summary: summary.filter(({ fieldId }) => names.some(field => idOf(field) === fieldId && errorOf(field))),
    refused: refused.length > 0 ? refused : failure ? [] : (last?.refused ?? []).map(message => ({ message, traceId: '' })),
    submit(event) {
      event.preventDefault();
      if (change.isPending) return;
      const { body, problems, others } = validate();
      const found = inOrder(problems);
      setLast({ summary: found, refused: others, values, failure: change.error });
      if (found.length === 0 && others.length === 0) options.send(body as Sent<Schema>, values);
    },
    busy: change.isPending,
    isChanged: JSON.stringify(values) !== JSON.stringify(initial),
    wasSent: last !== null,
    reset() {
      draft?.discard();
      setOwn(initial);
      setLeft(new Set());
      setLast(null);
      change.reset();
    },
  };
}

/** Focuses the first field with a problem, once per submission or refusal, not while it is corrected. @param moments what is another at each */
function useFocusOnFirst([first]: readonly FieldError[], moments: readonly unknown[]): void {
  useEffect(() => {
    if (first) document.getElementById(first.fieldId)?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the summary is what was wrong at these moments
  }, moments);
}

/** Returns refusals by the field that they are about, the first of each, and those that belong to none. */
function refusalsOf<Name extends string>(
  refusals: readonly (ErrorItem | { field: string; message: string })[],
  fieldOfRefusal: (refusal: ErrorItem | { field: string; message: string }) => Name | undefined,
): { refusedAt: Problems<Name>; refused: readonly ErrorItem[] } {
  const refusedAt: Problems<Name> = {};
  const refused: ErrorItem[] = [];
  for (const refusal of refusals) {
    const field = fieldOfRefusal(refusal);
    if (field !== undefined) refusedAt[field] ??= refusal.message;
    else if ('code' in refusal) refused.push({ ...refusal, message: errorInWords(refusal) });
    else refused.push({ code: '', message: refusal.message, traceId: '' });
  }
  return { refusedAt, refused };
}

/** Returns the value of a field: `billingContact.email` is inside of the value `billingContact`. */
const valueIn = (values: object, field: string): unknown =>
  field.split('.').reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], values);

/** Returns the field of a place in the body: `postalAddress.1` is about the field `postalAddress`. */
function fieldOf<Name extends string>(names: readonly Name[], place: string): Name | undefined {
  const parts = place.split('.');
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join('.'))
    .find((start): start is Name => (names as readonly string[]).includes(start));
}

/** Returns the names of all fields in the order of the screen: `windows.vote.opensAt` takes the place of the value `windows`. */
const namesOf = (initial: object, also: readonly string[]): string[] => {
  const inside = (key: string): string[] => also.filter(name => name.startsWith(`${key}.`));
  const names = Object.keys(initial).flatMap(key => [key, ...inside(key)]);
  return [...names, ...also.filter(name => !names.includes(name))];
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0);
