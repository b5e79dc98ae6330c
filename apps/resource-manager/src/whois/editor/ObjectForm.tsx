import {
  attributeHelp,
  attributeRule,
  classes,
  exampleValue,
  findAttribute,
  isClassName,
  missingAttributes,
  parseObject,
  type RpslAttribute,
  type RpslObject,
  statuses,
  templateRow,
} from '@portal/rpsl';
import { Button, classNames, Field, Icon, Select, TextArea, TextInput } from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { type ReactNode, useState } from 'react';
import { useCompletions } from './completions.ts';
import {
  addAttribute,
  addable,
  completionKind,
  fieldValue,
  type Finding,
  isLong,
  linesOf,
  removeAttribute,
  reverseZoneOf,
  setValue,
  whyLocked,
} from '../text/object-text.ts';
import styles from './ObjectForm.module.css';

type Props = {
  text: string;
  onChange: (text: string) => void;
  findings: readonly Finding[];
  isNew: boolean;
  /** Attributes that may be changed; null: all. */
  changeable: readonly string[] | null;
};

/** The attributes of a text as fields, in their order. A field changes its own lines and no other. */
export function ObjectForm({ text, onChange, findings, isNew, changeable }: Props) {
  const { object } = parseObject(text);
  const [open, setOpen] = useState<number | null>(null);
  if (!object) return <p className="small muted">Start the text with an object type, such as person:</p>;
  const unread = findings.filter(({ line }) => line === null);
  return (
    <div className={styles.form}>
      <div
        className={styles.fields}
        onFocus={event => {
          const place = (event.target as HTMLElement).closest<HTMLElement>('[data-place]')?.dataset.place;
          setOpen(place === undefined ? null : Number(place));
        }}
      >
        {object.attributes.map((attribute, index) => {
          const { from, to } = linesOf(attribute);
          const own = findings.filter(({ line }) => line !== null && line >= from && line < to);
          const locked = whyLocked(attribute, { object, index, isNew, changeable });
          if (locked === 'set automatically') return null;
          return (
            <AttributeField
              // oxlint-disable-next-line react/no-array-index-key -- an attribute is its place
              key={`${attribute.name} ${index}`}
              attribute={attribute}
              object={object}
              findings={own}
              locked={locked}
              isOpen={open === index}
              place={index}
              onChange={value => onChange(setValue(text, index, value))}
              onRemove={mayRemove(object, attribute) ? () => onChange(removeAttribute(text, index)) : null}
            />
          );
        })}
      </div>
      {unread.some(({ code }) => code === 'attribute-missing') && (
        <Missing object={object} onAdd={name => onChange(addAttribute(text, name).text)} />
      )}
      <AddAttribute object={object} changeable={changeable} onAdd={name => onChange(addAttribute(text, name).text)} />
    </div>
  );
}

/** Mandatory attributes can be removed only if there is another one. */
function mayRemove(object: RpslObject, attribute: RpslAttribute): boolean {
  const row = isClassName(object.class) ? templateRow(classes[object.class], attribute.name) : undefined;
  if (object.attributes[0] === attribute) return false;
  return row?.need !== 'mandatory' || object.attributes.filter(({ name }) => name === attribute.name).length > 1;
}

/** Buttons for missing mandatory attributes. */
function Missing({ object, onAdd }: { object: RpslObject; onAdd: (name: string) => void }) {
  return (
    <div className={styles.missing}>
      {missingAttributes(object).map(attribute => (
        <Button key={attribute} size="s" icon="plus" onClick={() => onAdd(attribute)}>
          {`Add ${attribute} (required)`}
        </Button>
      ))}
    </div>
  );
}

function AddAttribute({
  object,
  changeable,
  onAdd,
}: {
  object: RpslObject;
  changeable: readonly string[] | null;
  onAdd: (name: string) => void;
}) {
  const rows = addable(object).filter(({ attribute }) => changeable === null || changeable.includes(attribute));
  if (rows.length === 0) return null;
  return (
    <Field label="Add attribute" optional>
      <Select
        value=""
        onChange={event => event.target.value !== '' && onAdd(event.target.value)}
        options={[
          { value: '', label: 'Choose one' },
          ...rows.map(({ attribute, often }) => ({ value: attribute, label: often === 'many' ? `${attribute}, repeatable` : attribute })),
        ]}
      />
    </Field>
  );
}

type FieldProps = {
  attribute: RpslAttribute;
  object: RpslObject;
  findings: readonly Finding[];
  locked: string | null;
  /** The focused field shows its help. */
  isOpen: boolean;
  place: number;
  onChange: (value: string) => void;
  onRemove: (() => void) | null;
};

const shortNames = new Set([
  'netname',
  'as-name',
  'country',
  'language',
  'phone',
  'fax-no',
  'org',
  'nic-hdl',
  'origin',
  'source',
  'org-type',
]);
/** Two of them fit on one line. */
const isShort = ({ name, raw }: RpslAttribute, locked: string | null): boolean =>
  (shortNames.has(name) || (completionKind(name) !== null && !name.endsWith('members'))) && raw.trim().length <= 22 && !locked;

const tidy = (text: string): string => text.replace(/[ \t]+/g, ' ').trim();

function AttributeField({ attribute, object, findings, locked, isOpen, place, onChange, onRemove }: FieldProps) {
  const value = fieldValue(attribute);
  // Trailing spaces are kept while typing: the next word follows.
  const [typed, setTyped] = useState(value);
  const shown = tidy(typed) === tidy(value) ? typed : value;
  const change = (next: string) => {
    setTyped(next);
    onChange(next);
  };
  const { name } = attribute;
  const error = findings.find(({ severity }) => severity === 'error')?.message;
  const warning = findings.find(({ severity }) => severity === 'warning')?.message;
  const row = isClassName(object.class) ? templateRow(classes[object.class], name) : undefined;
  const known = findAttribute(name);
  const example = known && isClassName(object.class) && row ? `Such as ${exampleValue(object.class, known)}` : undefined;
  const comment = isLong(attribute) ? null : attribute.comment;
  const about = known ? attributeHelp[known] : 'This attribute is no longer in use. Remove it.';
  const help = warning ?? (isOpen ? about : comment === null ? undefined : `# ${comment}`);
  const common = {
    ...(error !== undefined && { error }),
    ...(help !== undefined && { help }),
    ...(row?.need === 'optional' && !locked && { optional: true }),
  };
  const label: ReactNode = locked ? (
    <>
      <span className={styles.name}>{name}</span>{' '}
      <span className={styles.locked}>
        <Icon name="lock" /> {locked}
      </span>
    </>
  ) : (
    name
  );
  return (
    <div
      className={classNames(styles.field, isShort(attribute, locked) && styles.short)}
      data-attribute={name}
      data-place={place}
      onBlur={() => {
        // People have a prefix; the object is named after its reverse zone.
        const zone = name === 'domain' && !locked ? reverseZoneOf(shown) : null;
        if (zone !== null) change(zone);
      }}
    >
      <Control {...{ name, label, locked, value: shown, common, example, long: isLong(attribute), onChange: change }} />
      {onRemove && !locked && (
        <Button variant="quiet" size="s" icon="trash" className={styles.remove} aria-label={`Remove ${name} ${value}`} onClick={onRemove} />
      )}
    </div>
  );
}

type ControlProps = {
  name: string;
  label: ReactNode;
  locked: string | null;
  value: string;
  common: { error?: string; help?: string; optional?: boolean };
  example: string | undefined;
  long: boolean;
  onChange: (value: string) => void;
};

const prose = new Set(['descr', 'remarks', 'address', 'person', 'role', 'org-name', 'owner']);

function Control({ name, label, locked, value, common, example, long, onChange }: ControlProps) {
  const kind = completionKind(name);
  const mono = !prose.has(name);
  if (locked)
    return (
      <Field label={label} {...common}>
        <TextInput mono={mono} readOnly value={value} />
      </Field>
    );
  if (long)
    return (
      <Field label={label} {...common}>
        <TextArea
          mono={mono}
          rows={value.split('\n').length + 1}
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      </Field>
    );
  if (name === 'status')
    return (
      <Field label={label} {...common}>
        <Select value={value.toUpperCase()} onChange={event => onChange(event.target.value)} options={choices(value)} />
      </Field>
    );
  if (kind) return <Completed {...{ name, kind, value, common, onChange }} />;
  return (
    <Field label={label} {...common}>
      <TextInput
        mono={mono}
        spellCheck={false}
        autoComplete="off"
        placeholder={example}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </Field>
  );
}

/** Possible states, and the current one if it is not among them. */
const choices = (value: string): string[] => [
  ...new Set([...(value === '' ? [''] : []), ...statuses, ...(value === '' ? [] : [value.toUpperCase()])]),
];

/** A field for the name of another object; in a list the last one is completed. */
function Completed({
  name,
  kind,
  value,
  common,
  onChange,
}: Pick<ControlProps, 'name' | 'value' | 'common' | 'onChange'> & { kind: NonNullable<ReturnType<typeof completionKind>> }) {
  const [open, setOpen] = useState(false);
  const isList = attributeRule(name)?.list === true;
  const head = isList ? (/^.*,\s*/.exec(value)?.[0] ?? '') : '';
  const word = value.slice(head.length).trim();
  // The name behind a handle is shown below it; a list of several names is not looked up.
  const items = useCompletions(open || (word !== '' && head === '') ? kind : null, word);
  const found = head === '' ? items.find(each => each.text.toUpperCase() === word.toUpperCase()) : undefined;
  // Objects without a name return their class, which adds nothing.
  const named = found && !found.id.startsWith(`${found.note} `) ? found.note : undefined;
  return (
    <div onFocus={() => setOpen(true)}>
      <ComboBox
        label={name}
        mono
        searched
        value={value}
        items={items.map(each => ({ ...each, text: head + each.text }))}
        onChange={onChange}
        {...common}
        {...(named && { help: common.help === undefined ? named : `${named}. ${common.help}` })}
      />
    </div>
  );
}
